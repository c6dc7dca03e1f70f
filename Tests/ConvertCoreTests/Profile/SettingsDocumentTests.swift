import Testing

@testable import ConvertProfiles

struct SettingsDocumentTests {
    private static func parse(_ text: String) throws(ProfileFault) -> SettingsValue {
        try SettingsDocument.parse(Array(text.utf8))
    }

    @Test func `values have their content and position, and members the position of their key`() throws {
        let root = try Self.parse("{ \"a\": \"x\\n\", \"b\": 1.50,\n  \"c\": true, \"d/\": [\"y\", {\"e\": null}] }")
        guard case .object(let members) = root.content else {
            Issue.record("expected an object")
            return
        }
        #expect(members.map(\.name) == ["a", "b", "c", "d/"])
        #expect(members.map(\.location.column) == [3, 15, 3, 14])
        #expect(members.map(\.value.location.pointer) == ["/a", "/b", "/c", "/d~1"])
        #expect(members.map(\.value.location.line) == [1, 1, 2, 2])
        #expect(members.map(\.value.location.column) == [8, 20, 8, 20])
        #expect(members.prefix(3).map(\.value.content) == [.text("x\n"), .number("1.50"), .boolean(true)])
        guard case .list(let elements) = members[3].value.content, case .object(let inner) = elements[1].content else {
            Issue.record("expected an array with an object")
            return
        }
        #expect(elements[0].content == .text("y"))
        #expect(inner.map(\.name) == ["e"])
        #expect(inner[0].value.content == .null)
        #expect(inner[0].value.location.pointer == "/d~1/1/e")
        #expect([root.noun, members[0].value.noun, members[3].value.noun] == ["an object", "a string", "an array"])
    }

    @Test func `the reader of the document decides about repeated keys`() throws {
        guard case .object(let members) = try Self.parse("{\"a\":1,\"a\":2}").content else {
            Issue.record("expected an object")
            return
        }
        #expect(members.map(\.value.content) == [.number("1"), .number("2")])
    }

    @Test func `invalid JSON is refused with its position`() {
        for (text, line, column) in [("{\"a\":\n", 2, 1), ("", 1, 1), ("[1,]", 1, 4)] {
            let fault = #expect(throws: ProfileFault.self) { try Self.parse(text) }
            #expect(fault?.line == line, "\(text)")
            #expect(fault?.column == column, "\(text)")
        }
    }
}
