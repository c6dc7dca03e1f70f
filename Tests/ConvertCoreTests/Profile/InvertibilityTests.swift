import Testing

@testable import ConvertCore

struct InvertibilityTests {
    /// Profiles, each lossy rule marked with `§`, and what is said of each in turn.
    private static let lossy: [(profile: String, losses: [(pointer: String, message: String)])] = [
        (#"{"keys": §"camelCase"}"#, [("/keys", "without `from`")]),
        (#"{"keys": §{"case": "camelCase", "from": "preserve"}}"#, [("/keys", "any case")]),
        (#"{"keys": §{"case": "flatcase", "from": "snake_case"}}"#, [("/keys", "runs words together")]),
        // user_id is written as userId, which is kept.
        (
            #"{"keys": {"case": "camelCase", "from": "snake_case", "except": ["_id", §"userId", §"*Id", "/map/*"]}}"#,
            [("/keys/except/1", "`user_id`"), ("/keys/except/2", "`*`")]
        ),
        (
            #"{"rename": {§"*_id": "i", §"/a/*": "x", §"/**": "y"}}"#,
            [("/rename/*_id", "`i`"), ("/rename/~1a~1*", "`x`"), ("/rename/~1**", "`y`")]
        ),
        (#"{"rename": {"a": "x", §"b": "x"}}"#, [("/rename/b", "`a` in line 1")]),
        (#"{"rename": {"/p/a": "x", §"/*/b": "x"}}"#, [("/rename/~1*~1b", "`/p/a`")]),
        (#"{"dates": §"rfc3339"}"#, [("/dates", "scanned")]),
        (#"{"dates": §{"at": "t"}}"#, [("/dates", "`auto`")]),
        (#"{"dates": [§{"at": "t", "from": "iso8601"}]}"#, [("/dates/0", "`iso8601`")]),
        (#"{"dates": §{"at": "t", "from": ["asctime", "date"]}}"#, [("/dates", "`asctime`")]),
        (#"{"dates": §{"at": "t", "from": ["epoch-s", "epoch-ms"]}}"#, [("/dates", "come back as `epoch-s`")]),
        (#"{"dates": §{"at": "t", "from": "rfc3339", "precision": 3}}"#, [("/dates", "`precision` 3")]),
        (#"{"dates": §{"at": "t", "from": "rfc3339", "to": "epoch-s"}}"#, [("/dates", "whole seconds")]),
        (#"{"dates": §{"at": "t", "from": "epoch-s", "to": "date"}}"#, [("/dates", "whole days")]),
        (#"{"dates": §{"at": "t", "from": "dotnet-ticks", "to": "epoch-us"}}"#, [("/dates", "1000 ns")]),
        (#"{"dates": §{"at": "t", "from": "date", "to": {"pattern": "dd.MM.yy"}}}"#, [("/dates", "century")]),
        (#"{"dates": §{"at": "t", "from": "date", "to": {"pattern": "MM/yyyy"}}}"#, [("/dates", "read back")]),
        (
            #"{"dates": §{"at": "t", "from": {"pattern": "yyyy-MM-dd HH:mm z"}, "to": "epoch-s"}}"#,
            [("/dates", "written back")]
        ),
        (
            #"{"dates": §{"at": "t", "from": "epoch-s", "to": {"pattern": "yyyyMMddHHmmss"}, "zone": "Europe/Paris"}}"#,
            [("/dates", "comes twice in Europe/Paris")]
        ),
        (#"{"drop": [§"/a", §"b"]}"#, [("/drop/0", "dropped"), ("/drop/1", "dropped")]),
        (#"{"keep": [§"/a", §"b"]}"#, [("/keep/0", "cannot come back"), ("/keep/1", "cannot come back")]),
        (#"{"defaults": {§"/a": 1}}"#, [("/defaults/~1a", "a value that was there")]),
        (#"{"prune": §{"null": true}}"#, [("/prune", "cannot come back")]),
        (#"{"records": §{"at": "/*", "onError": "skip"}}"#, [("/records", "cannot come back")]),
        (#"{"move": {§"/a": "/b/c"}}"#, [("/move/~1a", "made for it")]),
        (#"{"move": {§"/a/0": "/b"}}"#, [("/move/~1a~10", "among the others")]),
        (#"{"move": {§"/*/10/a": "/*/b"}}"#, [("/move/~1*~110~1a", "among the others")]),
        (#"{"move": {§"/a/b": "/c"}, "rename": {"x": "c"}}"#, [("/move/~1a~1b", "to another member")]),
        (
            #"{"keys": {"case": "camelCase", "from": "snake_case"}, "move": {§"/a/b": "/cD"}}"#,
            [("/move/~1a~1b", "is written as")]
        ),
        (
            #"{"move": {§"/a/b": "/c", §"/a": "/d"}}"#,
            [("/move/~1a~1b", "another move"), ("/move/~1a", "another move")]
        ),
        (#"{"rename": {"a": "b"}, "on": {"collision": §"first"}}"#, [("/on/collision", "left out")]),
        (#"{"rename": {"a": "b"}, "on": {"collision": §"keep"}}"#, [("/on/collision", "told apart")]),
        (#"{"on": {"duplicateKey": §"first"}}"#, [("/on/duplicateKey", "left out")]),
        (
            #"{"dates": {"at": "t", "from": "epoch-s"}, "on": {"badValue": §"keep"}}"#,
            [("/on/badValue", "told from one")]
        ),
    ]

    private static let invertible = [
        "{}", #"{"keys": "preserve"}"#, #"{"keys": {"case": "camelCase", "from": "snake_case"}}"#,
        #"{"keys": {"case": "flatcase", "from": "flatcase"}}"#,
        #"{"keys": {"case": "camelCase", "from": "snake_case", "except": ["_links", "content_type", "/translations/*"]}}"#,
        #"{"move": {"/0/a/b": "/0/c", "/x/01": "/y"}}"#, #"{"require": "/a", "records": {"at": "/*"}, "prune": {}}"#,
        #"{"rename": {"a": "b", "b": "a", "/p/a": "x", "/q/b": "x"}}"#,
        #"{"dates": {"at": "t", "from": "epoch-s"}}"#, #"{"dates": {"at": "t", "from": "rfc3339", "to": "epoch-ns"}}"#,
        #"{"dates": {"at": "t", "from": "dotnet-json", "precision": 3}}"#,
        #"{"dates": {"at": "t", "from": {"pattern": "dd/MM/yyyy"}, "to": "date"}}"#,
        #"{"dates": {"at": "t", "from": {"pattern": "dd/MM/yyyy HH:mm"}, "to": "http-date", "assumeZone": "Europe/Paris"}}"#,
        #"{"dates": {"at": "t", "from": "epoch-s", "to": {"pattern": "yyyyMMddHHmmss"}, "zone": "+02:00"}}"#,
        #"{"on": {"collision": "first", "duplicateKey": "keep", "badValue": "keep"}, "output": {"indent": 2}}"#,
    ]

    @Test func `each lossy rule is named at its place, with the reason`() throws {
        for row in Self.lossy {
            let document = MarkedDocument(row.profile)
            let profile = try Profile(parsing: document.bytes)
            let losses = profile.invertibility.losses
            #expect(!profile.invertibility.isInvertible)
            #expect(losses.map(\.pointer) == row.losses.map(\.pointer), "\(row.profile): \(losses)")
            #expect(losses.map(\.column) == document.marks.map(\.column), "\(row.profile): \(losses)")
            for (loss, expected) in zip(losses, row.losses) {
                #expect(loss.message.contains(expected.message), "\(row.profile): \(loss)")
            }
        }
    }

    @Test func `a profile that only gives names and dates another form is invertible`() throws {
        for text in Self.invertible {
            #expect(try Profile(text).invertibility.losses == [], "\(text)")
        }
    }

    @Test func `with roundTrip required each loss is a load error`() throws {
        func required(_ text: String) -> [UInt8] {
            Array((text.dropLast() + (text == "{}" ? "" : ", ") + #""roundTrip": "required"}"#).utf8)
        }
        for row in Self.lossy {
            let document = MarkedDocument(row.profile)
            let faults = profileFaults(required(String(decoding: document.bytes, as: UTF8.self)))
            #expect(faults.map(\.pointer) == row.losses.map(\.pointer), "\(row.profile): \(faults)")
            #expect(faults.allSatisfy { $0.message.contains("`roundTrip` is `required`") })
        }
        for text in Self.invertible { #expect(profileFaults(required(text)).isEmpty, "\(text)") }
    }

    @Test func `losses are told beside the other faults, but not those of a section that cannot be read`() {
        let faults = profileFaults(
            Array(
                #"{"roundTrip": "required", "renme": 1, "keys": {"case": "camelCase", "from": "x"}, "drop": "/a"}"#.utf8
            ))
        #expect(faults.map(\.pointer) == ["/renme", "/keys/from", "/drop"])
    }

    @Test func `with roundTrip required a name that a rename or a move also gives is a collision`() throws {
        let rows: [(profile: String, input: String, fault: (pointer: String, rule: String)?)] = [
            (#""rename": {"name": "fn"}"#, #"{"a": {"fn": 1}}"#, ("/a/fn", "/rename/name")),
            (#""rename": {"name": "fn"}"#, #"{"name": 1, "a": {"name": 2, "fnn": 3}}"#, nil),
            (#""rename": {"/name": "fn"}"#, #"{"a": {"fn": 1}}"#, nil),
            (#""rename": {"a": "b", "b": "a"}"#, #"{"b": 1}"#, nil),
            (
                #""keys": {"case": "camelCase", "from": "snake_case"}, "rename": {"name": "userId"}"#,
                #"{"x": 1, "user_id": 2}"#, ("/user_id", "/rename/name")
            ),
            (
                #""keys": {"case": "camelCase", "from": "snake_case", "opaque": "/m"}, "rename": {"name": "fn"}"#,
                #"{"m": {"fn": 1}}"#, nil
            ),
            (#""move": {"/*/a/b": "/*/c"}"#, #"[{"a": {"b": 1}}, {"c": 2}]"#, ("/1/c", "/move/~1*~1a~1b")),
            (#""move": {"/*/a/b": "/*/c"}"#, #"{"c": {"a": {"b": 1, "c": 2}}}"#, nil),
            (#""move": {"/a/b": "/c"}, "rename": {"x": "y"}"#, #"{"a": {"b": 1, "c": 2, "x": 3}}"#, nil),
        ]
        for row in rows {
            let guarded = try Profile("{\(row.profile), \"roundTrip\": \"required\"}").compile(.forward)
            let fault = ConverterTrial(guarded, Array(row.input.utf8)).fault
            #expect(fault?.code == row.fault.map { _ in .collision }, "\(row)")
            #expect(fault?.pointer == row.fault?.pointer, "\(row)")
            #expect(fault?.rule == row.fault?.rule, "\(row)")
            let plan = try Profile("{\(row.profile)}").compile(.forward)
            #expect(ConverterTrial(plan, Array(row.input.utf8)).fault == nil, "alone it passes: \(row)")
        }
    }
}
