import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Values that are masked, together with the other rules that affect them.
struct MaskTests {
    private static let card = #""values": {"at": "card", "as": "mask"}"#

    private static func convert(_ profile: String, _ payload: String) throws -> String {
        try ConverterTrial.text("{\(profile)}", payload)
    }

    @Test func `a masked object is replaced whole, whatever its content and other rules`() throws {
        let payload =
            #"{"a":1,"card":{"b_c":[1,{}],"t":"2024-01-02T03:04:05Z","b_c":2},"d_e":[{"card":[1]},{"card":null}]}"#
        let masked = #"{"a":1,"card":"***","d_e":[{"card":"***"},{"card":null}]}"#
        let rows: [(profile: String, output: String)] = [
            ("", masked),
            (#", "keys": "camelCase", "dates": "rfc3339""#, masked.replacing("d_e", with: "dE")),
            (#", "output": {"sortKeys": true}"#, masked),
            (#", "prune": {"emptyObject": true, "emptyArray": true}"#, masked),
            (#", "move": {"/card": "/x"}"#, #"{"a":1,"d_e":[{"card":"***"},{"card":null}],"x":"***"}"#),
            (#", "move": {"/card/t": "/t"}"#, masked),
            (#", "defaults": {"/card/n": 1, "/z/card": 2}"#, masked.dropLast() + #","z":{"card":2}}"#),
            (#", "keep": ["/card", "/d_e/*/card"]"#, #"{"card":"***","d_e":[{"card":"***"},{"card":null}]}"#),
            (#", "keep": ["/**/t"]"#, #"{"card":"***"}"#),
            (#", "drop": ["/d_e"]"#, #"{"a":1,"card":"***"}"#),
            (#", "records": {"at": "/d_e/*", "onError": "skip"}"#, masked),
        ]
        for row in rows {
            #expect(try Self.convert(Self.card + row.profile, payload) == row.output, "\(row.profile)")
        }
    }

    @Test func `at most 65,536 characters are covered one by one`() throws {
        let profile = #""values": {"at": "a", "as": "mask", "keep": {"first": 1, "last": 2}, "char": "•"}"#
        let text = "x" + String(repeating: "é", count: 70_000) + "yz"
        let masked = "x" + String(repeating: "•", count: 65_536) + "yz"
        let plan = try Profile(parsing: "{\(profile)}").compile(.forward)
        #expect(try plan.convert(#"{"a":"\#(text)"}"#) == #"{"a":"\#(masked)"}"#)
    }

    @Test func `an empty mask text can be pruned`() throws {
        let profile =
            #""values": {"at": "a", "as": "mask", "text": ""}, "prune": {"emptyString": true, "emptyObject": true}"#
        #expect(try Self.convert(profile, #"{"b":{"a":{"c":1}},"d":{"a":2}}"#) == "{}")
    }

    @Test func `no error contains a part of a masked value`() throws {
        let plan = try Profile(parsing: "{\(Self.card)}").compile(.forward)
        for payload in [
            #"{"user": {"card": {"4111": {"1111": tru}}}}"#, #"{"user": {"card": {"4111": ["1111", "\x"]}}}"#,
            #"{"user": {"card": {"4111": 1, "1111""#,
        ] {
            let error = #expect(throws: ConversionError.self) { try plan.convert(payload) }
            #expect(error?.pointer == "/user/card")
            #expect(error?.description.contains("1111") == false)
        }
        let after = #expect(throws: ConversionError.self) { try plan.convert(#"{"card": {"x": {}}, "y": {"z": -}}"#) }
        #expect(after?.pointer == "/y/z")
    }

    @Test func `the inverse leaves a masked value unchanged, and the profile is one way`() throws {
        let profile = try Profile(parsing: "{\(Self.card)}")
        #expect(profile.invertibility.losses.map(\.message) == ["masked values cannot come back"])
        #expect(try profile.compile(.inverse).convert(#"{"card":{"a":1}}"#) == #"{"card":{"a":1}}"#)
    }

    @Test func `rules that need the content of a masked value are refused`() {
        for row in [
            (#""require": "/user/card/number""#, "/require"),
            (#""records": {"at": "/card/*", "onError": "skip"}"#, "/records/at"),
            (#""keep": ["id"], "move": {"/a": "/b"}"#, "/keep/0"),
        ] {
            let error = #expect(throws: ProfileError.self) { try Profile(parsing: "{\(Self.card), \(row.0)}") }
            #expect(error?.faults.map(\.pointer) == [row.1], "\(row)")
        }
        for row in [
            #""require": "/user/card""#, #""records": {"at": "/card/*"}"#, #""keep": ["/id"], "move": {"/a": "/b"}"#,
        ] {
            #expect(throws: Never.self) { try Profile(parsing: "{\(Self.card), \(row)}") }
        }
    }
}
