import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// `on.badValue`: the result for a value that its rule cannot take.
struct BadValueTests {
    private static let rules =
        #""values": {"at": "n", "as": "integer"}, "dates": {"at": "d", "from": "date", "to": "epoch-s", "assumeZone": "UTC"}"#

    private static func converted(_ profile: String, _ payload: String) throws -> String {
        try ConverterTrial.text("{\(profile)}", payload)
    }

    @Test func `with badValue null, any bad value becomes null`() throws {
        let long = String(repeating: "9", count: 40_000)
        for bad in [
            #""x""#, "1.5", "true", "[1,{\"n\":1}]", "{}", #"{"n":"2","d":{"d":[]}}"#, "\"\(long)x\"", "\"\\u0078\"",
        ] {
            let payload = #"{"n":\#(bad),"a":"7","n2":1}"#
            #expect(
                try Self.converted(Self.rules + #", "on": {"badValue": "null"}"#, payload)
                    == #"{"n":null,"a":"7","n2":1}"#,
                "\(bad.prefix(40))")
        }
        for bad in [#""x""#, "true", "[{}]", "\"\(long)\"", long, "-1e\(long)", #"{"d":"1970-01-02"}"#] {
            let payload = #"[{"d":\#(bad)},{"d":"1970-01-02"}]"#
            #expect(
                try Self.converted(Self.rules + #", "on": {"badValue": "null"}"#, payload)
                    == #"[{"d":null},{"d":86400}]"#,
                "\(bad.prefix(40))")
            #expect(
                try Self.converted(
                    Self.rules + #", "on": {"badValue": "null"}, "prune": {"null": true}"#, payload)
                    == #"[{},{"d":86400}]"#, "\(bad.prefix(40))")
        }
    }

    @Test func `the policy of a rule precedes the one for all rules`() throws {
        let rules = { (own: String, all: String) in
            #""values": [{"at": "n", "as": "integer", "badValue": "\#(own)"}, {"at": "z", "as": "integer"}], "on": {"badValue": "\#(all)"}"#
        }
        for (payload, null, kept) in [
            (#"{"n":"x","z":"1"}"#, #"{"n":null,"z":1}"#, #"{"n":"x","z":1}"#),
            (#"{"n":[{"z":"1"}],"z":"1"}"#, #"{"n":null,"z":1}"#, #"{"n":[{"z":1}],"z":1}"#),
        ] {
            #expect(try Self.converted(rules("null", "error"), payload) == null)
            #expect(try Self.converted(rules("keep", "null"), payload) == kept)
            #expect(throws: ConversionError.self) { try Self.converted(rules("error", "null"), payload) }
            #expect(throws: ConversionError.self) { try Self.converted(rules("null", "error"), #"{"z":[]}"#) }
            #expect(try Self.converted(rules("null", "keep"), #"{"z":[]}"#) == #"{"z":[]}"#)
        }
        let date = #"{"at": "d", "from": "date", "to": "epoch-s", "assumeZone": "UTC", "badValue": "null"}"#
        let dates = #""dates": [\#(date), {"to": "rfc3339"}]"#
        #expect(try Self.converted(dates, #"{"d":"","e":"","f":["1970"]}"#) == #"{"d":null,"e":"","f":["1970"]}"#)
        #expect(try Self.converted(dates + #", "prune": {"null": true}"#, #"{"d":"","e":1}"#) == #"{"e":1}"#)
    }

    @Test func `a policy of a rule counts where the policy for all rules does`() throws {
        let rule = #"{"at": "/n", "as": "integer", "badValue": "null"}"#
        let profile = try Profile(parsing: #"{"values": [\#(rule), {"at": "/m", "as": "uuid"}]}"#)
        let message = "bad values that become null cannot come back"
        #expect(profile.invertibility.losses.filter { $0.message == message }.map(\.pointer) == ["/values/0"])
        let faults = profileFaults(Array(#"{"values": \#(rule), "require": "/n/a"}"#.utf8))
        #expect(faults.map(\.pointer) == ["/require"])
        for (own, count) in [("keep", 0), ("error", 1), ("null", 1)] {
            let warned = try Profile(
                parsing: #"{"values": {"at": "/n", "as": "integer", "badValue": "\#(own)"}, "drop": "/n/a"}"#)
            #expect(warned.warnings.count == count, "\(own)")
        }
    }

    @Test func `a policy that never applies is refused`() {
        for (rule, pointer) in [
            (#""dates": {"to": "rfc3339", "badValue": "null"}"#, "/dates/badValue"),
            (#""values": {"at": "a", "as": "mask", "badValue": "keep"}"#, "/values/badValue"),
            (#""values": {"at": "a", "as": "string", "badValue": "drop"}"#, "/values/badValue"),
        ] {
            #expect(profileFaults(Array("{\(rule)}".utf8)).map(\.pointer) == [pointer], "\(rule)")
        }
    }

    @Test func `duplicates in a value that becomes null are still errors`() throws {
        let plan = try Profile(parsing: #"{\#(Self.rules), "on": {"badValue": "null"}}"#).compile(.forward)
        let error = #expect(throws: ConversionError.self) { try plan.convert(#"{"n":{"a":1,"a":2}}"#) }
        #expect(error?.pointer == "/n/a")
        #expect(error?.code == .duplicateKey)
    }

    @Test func `keep inside a bad value of a buffered object is refused`() {
        for row in [
            (#""keep": "id""#, #""collision": "last""#, "/keep"),
            (#""keep": ["/**/id"]"#, #""duplicateKey": "last""#, "/keep/0"),
            (#""keep": ["/a", "id"], "move": {"/a/b": "/b"}"#, #""collision": "first""#, "/keep/1"),
        ] {
            let faults = profileFaults(
                Array(#"{\#(Self.rules), \#(row.0), "on": {"badValue": "null", \#(row.1)}}"#.utf8))
            #expect(faults.map(\.pointer) == [row.2], "\(row)")
            #expect(faults.allSatisfy { $0.hint?.contains("without `**` in `keep`") == true }, "\(faults)")
        }
    }

    @Test func `a bad value also becomes null in the inverse direction`() throws {
        let profile = try Profile(parsing: #"{"values": {"at": "s", "map": {"a": "b"}}, "on": {"badValue": "null"}}"#)
        #expect(try profile.compile(.inverse).convert(#"{"s":["c"],"t":{"s":"b"}}"#) == #"{"s":null,"t":{"s":"a"}}"#)
        #expect(profile.invertibility.losses.map(\.message) == ["bad values that become null cannot come back"])
    }
}
