import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// `keep` for some members of some objects, whole and byte by byte.
struct KeepScopeTests {
    private static func converted(_ profile: String, _ payload: String) throws -> String {
        try ConverterTrial.text("{\(profile)}", payload)
    }

    @Test func `only the listed members of each object stay`() throws {
        let payload =
            #"{"items":[{"id":1,"price":{"amount":2,"tax":3},"x":[]},{"id":4,"price":5},6,{"price":{}}],"total":{"x":7}}"#
        let rows: [(keep: String, output: String)] = [
            (
                #"{"/items/*": ["id", "/price/amount"]}"#,
                #"{"items":[{"id":1,"price":{"amount":2}},{"id":4},6,{"price":{}}],"total":{"x":7}}"#
            ),
            (#"{"/items/*": "id"}"#, #"{"items":[{"id":1},{"id":4},6,{}],"total":{"x":7}}"#),
            (
                #"{"/items": ["0", "2"]}"#,
                #"{"items":[{"id":1,"price":{"amount":2,"tax":3},"x":[]},6],"total":{"x":7}}"#
            ),
            (#"{"price": "/*"}"#, payload), (#"{"total": "y"}"#, payload.replacing(#"{"x":7}"#, with: "{}")),
            (
                #"["/items", {"/items/*": ["price"]}]"#,
                #"{"items":[{"price":{"amount":2,"tax":3}},{"price":5},6,{"price":{}}]}"#
            ),
            (
                #"{"/items/*": ["id", "price"], "price": ["tax"]}"#,
                #"{"items":[{"id":1,"price":{"tax":3}},{"id":4,"price":5},6,{"price":{}}],"total":{"x":7}}"#
            ),
            (#"{"/items/*": ["x"], "/items/0": ["id"]}"#, #"{"items":[{"id":1},{},6,{}],"total":{"x":7}}"#),
        ]
        for row in rows { #expect(try Self.converted("\"keep\": \(row.keep)", payload) == row.output, "\(row.keep)") }
        #expect(
            try Self.converted(#""keep": {"/items/*": ["id", "price"]}, "drop": "id", "keys": "PascalCase""#, payload)
                == #"{"Items":[{"Price":{"Amount":2,"Tax":3}},{"Price":5},6,{"Price":{}}],"Total":{"X":7}}"#)
    }

    @Test func `keep without keys or with overlapping scopes is refused`() {
        for row in [
            ("{}", "/keep"), ("[]", "/keep"), (#"{"a": []}"#, "/keep/a"), (#"{"a": ["b*"]}"#, "/keep/a/0"),
            (#"{"a": ["/b/**"]}"#, "/keep/a/0"), (#"["/x", {"/a/*": ["b"]}]"#, "/keep/1/~1a~1*"),
            (#"["x", {"/x/*": ["b"]}]"#, "/keep/1/~1x~1*"), (#"{"/a": ["/b/c"], "/a/b": ["d"]}"#, "/keep/~1a~1b"),
            (#"{"a*": ["x"], "*a": ["y"]}"#, "/keep/*a"),
        ] {
            #expect(profileFaults(Array("{\"keep\": \(row.0)}".utf8)).map(\.pointer) == [row.1], "\(row)")
        }
    }
}
