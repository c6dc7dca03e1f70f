import Testing

@testable import ConvertCore

struct SettingsDocumentTests {
    @Test func `members have their texts and the place of their value`() throws {
        let document = try SettingsDocument(
            parsing: Array("{ \"a\": \"x\", \"b\": 1.50,\n  \"c\": true, \"d\": [\"y\", 2], \"e\": [] }".utf8))
        #expect(document.members.map(\.name) == ["a", "b", "c", "d", "e"])
        #expect(document.members.map(\.texts) == [["x"], ["1.50"], ["true"], ["y", "2"], []])
        #expect(document.members.map(\.pointer) == ["/a", "/b", "/c", "/d", "/e"])
        #expect(document.members.map(\.line) == [1, 1, 2, 2, 2])
        #expect(document.members.map(\.column) == [8, 18, 8, 19, 34])
    }

    @Test func `what is no text has none`() throws {
        for value in ["null", "{}", "[[1]]", "[null]", "[{}]"] {
            let document = try SettingsDocument(parsing: Array("{\"a\":\(value)}".utf8))
            #expect(document.members.map(\.texts) == [nil], "\(value)")
        }
    }

    @Test func `what is no object, no JSON or has a member twice is refused at its place`() {
        let rows = [("[]", 1, 1), ("{\"a\":1,\"a\":2}", 1, 12), ("{\"a\":\n", 2, 1), ("", 1, 1)]
        for (text, line, column) in rows {
            let fault = #expect(throws: ProfileFault.self) { try SettingsDocument(parsing: Array(text.utf8)) }
            #expect(fault?.line == line, "\(text)")
            #expect(fault?.column == column, "\(text)")
        }
    }
}
