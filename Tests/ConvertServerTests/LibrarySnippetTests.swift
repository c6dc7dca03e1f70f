import ConvertCore
import FoundationEssentials
import Testing

/// The library's snippets in the documents are compiled here, and do what the documents say.
struct LibrarySnippetTests {
    private static let tutorial = "Sources/ConvertCore/ConvertCore.docc/FirstConversion.md"

    @Test func `the README's converter takes a payload in pieces`() throws {
        let chunks = [Array(#"{"first_"#.utf8), Array(#"name": 1}"#.utf8)]
        // README.md {
        let profile = try Profile(parsing: #"{ "keys": "camelCase" }"#)
        var converter = Converter(try profile.compile(.forward))
        var output = ByteBuffer()
        for chunk in chunks {  // any pieces of the payload
            try converter.convert(chunk.span, into: &output)  // appends what is ready
        }
        try converter.finish(into: &output)  // fails when the payload was cut off
        // }
        #expect(Array(output) == Array(#"{"firstName":1}"#.utf8))
        #expect(try Self.snippets(of: "README.md").count == 3)
    }

    @Test func `the README's profile in Swift leads there and back`() throws {
        // README.md {
        let profile = try Profile(
            .rename(["firstName": "fn", "lastName": "ln"]),
            .dates(at: "joined", from: [.rfc3339], to: .epochSeconds))
        let wire = try profile.compile(.forward).convert(#"{"firstName": "Ada", "joined": "1970-01-02T00:00:00Z"}"#)
        let code = try profile.compile(.inverse).convert(wire)
        // }
        #expect(wire == #"{"fn":"Ada","joined":86400}"#)
        #expect(code == #"{"firstName":"Ada","joined":"1970-01-02T00:00:00Z"}"#)
    }

    private struct Account: Sendable, Hashable {
        var id: UUID
        var home: URL
        var seen: Date?
    }

    @Test func `the README's serializer writes JSON and property lists`() throws {
        let bytes = Array(#"{"id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","home":"/ada","seen":86400}"#.utf8)
        // README.md {
        let serializer = ValueSerializer<Account>.object(Account.init) {
            Field("id", \.id, .uuid)
            Field("home", \.home, .url(relativeTo: "https://a.example"))
            Field("seen", \.seen, .optional(.date(.epochSeconds)))
        }
        let account = try serializer.value(fromJSON: bytes)
        let list = try serializer.propertyList(from: account, .binary)
        // }
        #expect(account.home.absoluteString == "https://a.example/ada")
        #expect(try serializer.value(fromPropertyList: list) == account)
        #expect(try serializer.json(from: account) == bytes)
    }

    @Test func `the tutorial's conversion runs`() throws {
        // FirstConversion.md {
        let profile = try Profile(
            .rename(["firstName": "fn", "lastName": "ln"]),
            .dates(at: "/orders/*/createdAt", from: [.rfc3339], to: .epochSeconds))
        let plan = try profile.compile(.forward)
        let short = try plan.convert(#"{"firstName": "Ada", "orders": [{"createdAt": "1970-01-02T00:00:00Z"}]}"#)
        print(short)  // {"fn":"Ada","orders":[{"createdAt":86400}]}
        let back = try profile.compile(.inverse)
        print(try back.convert(short))  // {"firstName":"Ada","orders":[{"createdAt":"1970-01-02T00:00:00Z"}]}
        do throws(ConversionError) {
            _ = try plan.convert(#"{"orders": [{"createdAt": "soon"}]}"#)
        } catch {
            print(error.code, error.pointer, error.line, error.column)  // badValue /orders/0/createdAt 1 27
        }
        // }
        #expect(short == #"{"fn":"Ada","orders":[{"createdAt":86400}]}"#)
        #expect(
            try back.convert(short) == #"{"firstName":"Ada","orders":[{"createdAt":"1970-01-02T00:00:00Z"}]}"#)
        let error = #expect(throws: ConversionError.self) { try plan.convert(#"{"orders": [{"createdAt": "soon"}]}"#) }
        #expect(error?.code == .badValue)
        #expect(error?.pointer == "/orders/0/createdAt")
        #expect(error?.line == 1)
        #expect(error?.column == 27)
    }

    @Test func `the documents show this code`() throws {
        let readme = try Documentation("README.md").blocks("swift").map { Self.words(of: $0.lines) }
        #expect(try Self.snippets(of: "README.md") == readme)
        // The first block of the tutorial is a package's manifest.
        let tutorial = try Documentation(Self.tutorial).blocks("swift").dropFirst().flatMap { Self.words(of: $0.lines) }
        #expect(try Self.snippets(of: "FirstConversion.md").flatMap(\.self) == tutorial)
    }

    /// The lines of this file between `// NAME {` and `// }`, as words.
    private static func snippets(of name: String) throws -> [[[Substring]]] {
        let source = try Documentation("Tests/ConvertServerTests/LibrarySnippetTests.swift").text
        return source.split(separator: "        // \(name) {\n").dropFirst().map { text in
            let code = text.split(separator: "        // }\n")[0]
            return words(of: code.split(separator: "\n"))
        }
    }

    /// The words of each line, whatever stands between them; imports and empty lines do not count.
    private static func words(of lines: [Substring]) -> [[Substring]] {
        lines.filter { !$0.isEmpty && !$0.hasPrefix("import") }.map { $0.split(separator: " ") }
    }
}
