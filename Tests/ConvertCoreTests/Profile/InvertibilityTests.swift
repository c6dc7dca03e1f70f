import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct InvertibilityTests {
    /// Profiles with each lossy rule marked by `§`, and the expected loss for each mark in order.
    private static let lossy: [(profile: String, losses: [(pointer: String, message: String)])] = [
        (#"{"keys": §"camelCase"}"#, [("/keys", "without `from`")]),
        (#"{"keys": §{"case": "camelCase", "from": "preserve"}}"#, [("/keys", "any case")]),
        (#"{"keys": §{"case": "snake_case", "from": "snake_case"}}"#, [("/keys", "come back in snake_case")]),
        (#"{"keys": §{"case": "flatcase", "from": "flatcase"}}"#, [("/keys", "come back in flatcase")]),
        (#"{"keys": §{"case": "flatcase", "from": "snake_case"}}"#, [("/keys", "joins words")]),
        // `user_id` is written as `userId`, and the inverse keeps that key.
        (
            #"{"keys": {"case": "camelCase", "from": "snake_case", "except": ["_id", §"userId", §"*Id", "/map/*"]}}"#,
            [("/keys/except/1", "`user_id`"), ("/keys/except/2", "`*`")]
        ),
        (
            #"{"rename": {§"*_id": "i", §"/a/*": "x", §"/**": "y"}}"#,
            [("/rename/*_id", "`i`"), ("/rename/~1a~1*", "`x`"), ("/rename/~1**", "`y`")]
        ),
        (#"{"rename": {"a": "x", §"b": "x"}}"#, [("/rename/b", "`a` on line 1")]),
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
            [("/dates", "occurs twice in Europe/Paris")]
        ),
        (#"{"drop": [§"/a", §"b"]}"#, [("/drop/0", "dropped"), ("/drop/1", "dropped")]),
        (#"{"keep": [§"/a", §"b"]}"#, [("/keep/0", "cannot come back"), ("/keep/1", "cannot come back")]),
        (#"{"defaults": {§"/a": 1}}"#, [("/defaults/~1a", "a value from the input")]),
        (#"{"prune": §{"null": true}}"#, [("/prune", "cannot come back")]),
        (#"{"records": §{"at": "/*", "onError": "skip"}}"#, [("/records", "cannot come back")]),
        (#"{"move": {§"/a": "/b/c"}}"#, [("/move/~1a", "the move created")]),
        (#"{"move": {§"/a/0": "/b"}}"#, [("/move/~1a~10", "in its position")]),
        (#"{"move": {§"/*/10/a": "/*/b"}}"#, [("/move/~1*~110~1a", "in its position")]),
        (#"{"move": {§"/a/b": "/c"}, "rename": {"x": "c"}}"#, [("/move/~1a~1b", "for another key")]),
        (
            #"{"keys": {"case": "camelCase", "from": "snake_case"}, "move": {§"/a/b": "/cD"}}"#,
            [("/move/~1a~1b", "also becomes")]
        ),
        (
            #"{"move": {§"/a/b": "/c", §"/a": "/d"}}"#,
            [("/move/~1a~1b", "another move"), ("/move/~1a", "another move")]
        ),
        (#"{"flatten": §"/a"}"#, [("/flatten", "flattened keys cannot be distinguished from the other keys")]),
        (#"{"flatten": §{"at": "/a/*", "prefix": "b"}}"#, [("/flatten", "several objects")]),
        (
            #"{"flatten": [§{"at": "/a", "prefix": "b_"}, §{"at": "/*", "prefix": "b_c"}]}"#,
            [("/flatten/0", "rule on line 1"), ("/flatten/1", "several objects")]
        ),
        (
            #"{"flatten": [§{"at": "/x/a", "prefix": "b"}, §{"at": "/*/c", "names": ["bc"]}]}"#,
            [("/flatten/0", "rule on line 1"), ("/flatten/1", "rule on line 1")]
        ),
        (
            #"{"flatten": [§{"at": "/x/a", "names": ["d"]}, §{"at": "/x/c", "names": ["b", "d"]}]}"#,
            [("/flatten/0", "rule on line 1"), ("/flatten/1", "rule on line 1")]
        ),
        (
            #"{"flatten": §{"at": "/a", "prefix": "a_"}, "rename": {"/x": "a_b", "/y/z": "a_c"}}"#,
            [("/flatten", "which a rename on line 1 writes")]
        ),
        (
            #"{"flatten": §{"at": "/a", "prefix": "a_"}, "move": {"/x/y": "/a_b"}}"#,
            [("/flatten", "which a move on line 1 writes")]
        ),
        // The key is that of the object: the inverse of {"a": 1} is not {"a": {"a": 1}}.
        (#"{"flatten": §{"at": "/x/a", "names": ["b", "a"]}, "rename": {"/x/a/c": "a"}}"#, [("/flatten", "own key")]),
        (
            #"{"keys": {"case": "camelCase", "from": "snake_case"}, "flatten": §{"at": "/a_b", "names": ["aB"]}}"#,
            [("/flatten", "own key")]
        ),
        (#"{"rename": {"a": "b"}, "on": {"collision": §"first"}}"#, [("/on/collision", "discarded")]),
        (#"{"rename": {"a": "b"}, "on": {"collision": §"keep"}}"#, [("/on/collision", "distinguished")]),
        (#"{"on": {"duplicateKey": §"first"}}"#, [("/on/duplicateKey", "discarded")]),
        (
            #"{"dates": {"at": "t", "from": "epoch-s"}, "on": {"badValue": §"keep"}}"#,
            [("/on/badValue", "looks like a converted one")]
        ),
    ]

    private static let invertible = [
        "{}", #"{"keys": "preserve"}"#, #"{"keys": {"case": "camelCase", "from": "snake_case"}}"#,
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

    @Test func `each one-way rule is reported at its position, with the reason`() throws {
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

    @Test func `a profile that only changes the form of keys and dates is reversible`() throws {
        for text in Self.invertible {
            #expect(try Profile(text).invertibility.losses == [], "\(text)")
        }
    }

    @Test func `with roundTrip required, each loss is a load error`() throws {
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
        // The hint for RFC 3339 names a pattern without a loss.
        let pattern = "yyyy-MM-dd'T'HH:mm:ssXXX"
        let dates = #"{"dates": {"at": "t", "from": "rfc3339", "to": "epoch-s"}}"#
        #expect(profileFaults(required(dates)).first?.hint?.contains(pattern) == true)
        let days = #"{"dates": {"at": "t", "from": "rfc3339", "to": {"pattern": "yyyy-MM-dd"}}}"#
        #expect(profileFaults(required(days)).first?.hint?.contains(pattern) == false)
        let exact = "{\"dates\": {\"at\": \"t\", \"from\": {\"pattern\": \"\(pattern)\"}, \"to\": \"epoch-s\"}}"
        #expect(profileFaults(required(exact)).isEmpty)
        // No check finds a key in a value that would not come back.
        for form in ["name", "path", "names", "pointer"] {
            let text =
                "{\"keys\": {\"case\": \"camelCase\", \"from\": \"snake_case\"}, \"values\": {\"at\": \"/sort\", \"as\": \"\(form)\"}}"
            #expect(try Profile(text).invertibility.isInvertible)
            #expect(profileFaults(required(text)).map(\.pointer) == ["/values"], "\(form)")
        }
    }

    @Test func `the hint for a case rule without from never names its own case`() throws {
        for target in KeyCase.allCases where target != .preserve {
            let loss = try #require(try Profile("{\"keys\": \"\(target.rawValue)\"}").invertibility.losses.first)
            let hint = try #require(loss.hint)
            let start = try #require(hint.firstIndex(of: "{"))
            let end = try #require(hint.firstIndex(of: "}"))
            let hinted = try Profile("{\"keys\": \(hint[start...end])}")
            #expect(hinted.keys?.target == target)
            let isLossy = target == .flatCase
            #expect(hinted.invertibility.isInvertible == !isLossy, "\(hint)")
        }
    }

    @Test func `a reversible profile reports which payloads it restores`() throws {
        let rows: [(profile: String, conditions: [(pointer: String, message: String)])] = [
            (#""require": "/a""#, []), (#""keys": "preserve""#, []),
            (
                #""keys": {"case": "camelCase", "from": "snake_case"}"#,
                [("/keys", "except keys such as `address_line_1`")]
            ),
            (
                #""keys": {"case": "camelCase", "from": "snake_case", "digits": "word"}"#,
                [("/keys", "except keys such as `oauth2_token`")]
            ),
            (
                #""keys": {"case": "camelCase", "from": "snake_case"}, "rename": {"address_line_1": "addressLine1"}"#,
                [("/keys", "except keys such as `x_y_z`"), ("/rename/address_line_1", "rename")]
            ),
            // The digit is a separate word on both sides, but the capitals of userID are not.
            (#""keys": {"case": "kebab-case", "from": "snake_case"}"#, [("/keys", "restores from kebab-case")]),
            (#""keys": {"case": "snake_case", "from": "camelCase"}"#, [("/keys", "except keys such as `xYZ`")]),
            (
                #""rename": {"a": "b", "c": "d"}, "move": {"/x/y": "/z"}"#,
                [("/rename/a", "rename"), ("/move/~1x~1y", "move")]
            ),
            (#""dates": {"at": "t", "from": "epoch-s"}"#, [("/dates", "as `epoch-s`")]),
            (
                #""dates": [{"at": "t", "from": "rfc3339", "to": "epoch-ns", "assumeZone": "+01:00"}]"#,
                [("/dates/0", "as `rfc3339` in +01:00")]
            ),
            (
                #""dates": {"at": "t", "from": "date", "to": "rfc3339", "assumeZone": "Pacific/Apia"}"#,
                [("/dates", "at times that exist in Pacific/Apia")]
            ),
        ]
        for row in rows {
            let conditions = try Profile("{\(row.profile)}").invertibility.conditions
            #expect(conditions.map(\.pointer) == row.conditions.map(\.pointer), "\(row): \(conditions)")
            for (condition, expected) in zip(conditions, row.conditions) {
                #expect(condition.message.contains(expected.message), "\(row): \(condition)")
                #expect(condition.hint?.contains("required") == true)
            }
            #expect(try Profile("{\(row.profile), \"roundTrip\": \"required\"}").invertibility.conditions == [])
        }
        #expect(try Profile(#"{"rename": {"a": "b"}, "drop": "x"}"#).invertibility.conditions == [])
    }

    @Test func `names in values come back unless a key contains the separator`() throws {
        // The value `a_b.c` becomes `a.b.c`, which comes back as `a.b.c`.
        let rows = [("path", "`.` or `[`"), ("names", "`.` or `[`, a comma or a direction such as `-`")]
        for (form, words) in rows {
            let profile = try Profile(#"{"rename": {"a_b": "a.b"}, "values": {"at": "p", "as": "\#(form)"}}"#)
            let condition = try #require(profile.invertibility.conditions.last)
            #expect(condition.pointer == "/values" && condition.message.hasSuffix("contains \(words)"), "\(condition)")
        }
        for form in ["name", "pointer"] {
            let profile = try Profile(#"{"rename": {"a_b": "a.b"}, "values": {"at": "p", "as": "\#(form)"}}"#)
            #expect(profile.invertibility.conditions.map(\.pointer) == ["/rename/a_b"])
        }
    }

    @Test func `digits as words are proposed only if they restore the key that does not come back`() throws {
        let rows: [(keys: String, key: String?)] = [
            (#""from": "snake_case""#, "`address_line_1`"), (#""from": "kebab-case""#, "`address-line-1`"),
            (#""from": "Train-Case""#, "`Address-Line-1`"), (#""from": "PascalCase""#, nil),
            (#""from": "flatcase""#, nil), (#""from": "snake_case", "digits": "word""#, nil),
        ]
        for row in rows {
            let profile = try Profile("{\"keys\": {\"case\": \"camelCase\", \(row.keys)}}")
            let condition = try #require(profile.invertibility.conditions.first)
            #expect(condition.hint?.contains("digits") == (row.key != nil), "\(condition)")
            #expect(row.key.map { condition.message.hasSuffix("keys such as \($0)") } ?? true, "\(condition)")
        }
        let renamed = #"{"keys": {"case": "camelCase", "from": "snake_case"}, "rename": {"address_line_1": "line1"}}"#
        let conditions = try Profile(renamed).invertibility.conditions
        #expect(conditions.first?.hint?.contains("digits") == false)
    }

    @Test func `with roundTrip required, a key or date that cannot be restored is refused`() throws {
        let snake = #""keys": {"case": "camelCase", "from": "snake_case"}"#
        let apia = #""dates": {"at": "t", "from": {"pattern": "yyyy-MM-dd HH:mm"}, "assumeZone": "Pacific/Apia"}"#
        let rows:
            [(profile: String, input: String, error: (code: ConversionError.Code, pointer: String, rule: String)?)] = [
                (snake, #"{"address_line": 1, "_x_y": {"line1": 2, "URL": 3}}"#, (.lossyKey, "/_x_y/URL", "/keys")),
                (snake, #"[{"address_line_1": 1}]"#, (.lossyKey, "/0/address_line_1", "/keys")),
                (snake, #"{"x_y_z": 1}"#, (.lossyKey, "/x_y_z", "/keys")),
                (snake, #"{"foo__bar": 1}"#, (.lossyKey, "/foo__bar", "/keys")),
                (snake, #"{"__typename": 1, "first_name_": 2, "line1": 3, "1st_line": 4, "a@b_c": 5, "2_3": 6}"#, nil),
                (snake, #"{"foo": 1, "fooBar": 2}"#, (.lossyKey, "/fooBar", "/keys")),
                (snake, #"{"xYz_": 1}"#, (.lossyKey, "/xYz_", "/keys")),
                (
                    #""keys": {"case": "camelCase", "from": "snake_case", "opaque": "m", "except": ["/a", "x_y_z"]}"#,
                    #"{"m": {"x_1": 1}, "x_y_z": {"a": {"x_y_z": 2}}}"#, nil
                ),
                (
                    #""keys": {"case": "camelCase", "from": "snake_case"}, "rename": {"x_1": "x1"}"#, #"{"x_1": 1}"#,
                    nil
                ),
                (apia, #"{"t": "2011-12-30 12:00"}"#, (.badValue, "/t", "/dates")),
                (apia, #"{"t": "2011-12-29 12:00", "u": {"t": "2011-12-31 00:00"}}"#, nil),
                (
                    #""dates": {"at": "t", "from": "date", "to": "rfc3339", "assumeZone": "Pacific/Apia"}"#,
                    #"{"t": "2011-12-30"}"#, (.badValue, "/t", "/dates")
                ),
                (
                    #""dates": {"at": "t", "from": {"pattern": "dd/MM/yyyy HH:mm"}, "assumeZone": "Europe/Paris"}"#,
                    #"{"t": "31/03/2024 01:30", "x": {"t": "31/03/2024 02:30"}}"#, (.badValue, "/x/t", "/dates")
                ),
                (
                    #""dates": {"at": "/*", "from": {"pattern": "dd/MM/yyyy HH:mm"}, "assumeZone": "Europe/Paris"}"#,
                    #"["31/03/2024 01:59", "31/03/2024 03:30", "27/10/2024 02:30", "31/03/2024 02:30"]"#,
                    (.badValue, "/3", "/dates")
                ),
                (
                    #""dates": {"at": "/*", "from": "rfc3339", "to": "epoch-ns"}"#,
                    #"["2024-01-01T00:00:00Z", "2024-01-01T00:00:00.5Z", "2024-01-01T01:00:00+01:00"]"#,
                    (.badValue, "/2", "/dates")
                ),
                (
                    #""dates": {"at": "/*", "from": "rfc3339"}"#,
                    #"["2024-01-01T00:00:00Z", "2024-01-01T00:00:00.50Z"]"#, (.badValue, "/1", "/dates")
                ),
                (
                    #""dates": {"at": "/*", "from": "epoch-s"}"#, #"[0, -1, 1700000000, null, "1700000000"]"#,
                    (.badValue, "/4", "/dates")
                ),
                (#""dates": {"at": "/*", "from": "epoch-s"}"#, #"[1.5]"#, (.badValue, "/0", "/dates")),
            ]
        for row in rows {
            let guarded = try Profile("{\(row.profile), \"roundTrip\": \"required\"}")
            let error = ConverterTrial(try guarded.compile(.forward), Array(row.input.utf8)).error
            #expect(error?.code == row.error?.code, "\(row)")
            #expect(error?.pointer == row.error?.pointer, "\(row)")
            #expect(error?.rule == row.error?.rule, "\(row)")
            let plan = try Profile("{\(row.profile)}").compile(.forward)
            #expect(ConverterTrial(plan, Array(row.input.utf8)).error == nil, "without it, it passes: \(row)")
        }
    }

    @Test func `with lossyKey error, a key that the inverse keeps is also refused`() throws {
        let keys = #""keys": {"case": "camelCase", "from": "snake_case", "except": "user_id"}, "roundTrip": "required""#
        let input = Array(#"{"userId": 1}"#.utf8)
        // No key becomes `userId`, since `user_id` is kept. If the inverse keeps `userId`, it comes back.
        let kept = try Profile("{\(keys)}").compile(.forward)
        #expect(ConverterTrial(kept, input).error == nil)
        let refused = try Profile("{\(keys), \"on\": {\"lossyKey\": \"error\"}}").compile(.forward)
        #expect(ConverterTrial(refused, input).error?.code == .lossyKey)
    }

    @Test func `one-way rules are reported beside other errors, except those of unreadable sections`() {
        let faults = profileFaults(
            Array(
                #"{"roundTrip": "required", "renme": 1, "keys": {"case": "camelCase", "from": "x"}, "drop": "/a"}"#.utf8
            ))
        #expect(faults.map(\.pointer) == ["/renme", "/keys/from", "/drop"])
    }

    @Test func `with roundTrip required, a key that a rename or move also writes is a collision`() throws {
        let rows: [(profile: String, input: String, error: (pointer: String, rule: String)?)] = [
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
            let error = ConverterTrial(guarded, Array(row.input.utf8)).error
            #expect(error?.code == row.error.map { _ in .collision }, "\(row)")
            #expect(error?.pointer == row.error?.pointer, "\(row)")
            #expect(error?.rule == row.error?.rule, "\(row)")
            let plan = try Profile("{\(row.profile)}").compile(.forward)
            #expect(ConverterTrial(plan, Array(row.input.utf8)).error == nil, "alone it passes: \(row)")
        }
    }
}
