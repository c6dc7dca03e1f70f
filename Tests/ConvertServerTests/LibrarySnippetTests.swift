import ConvertCore
import Foundation
import TestSupport
import Testing

/// The library's snippets in the documents compile, and do what the documents say.
struct LibrarySnippetTests {
    private static let tutorial = "Sources/ConvertCore/ConvertCore/ConvertCore.docc/FirstConversion.md"

    @Test func `the library page's profile in Swift works in both directions`() throws {
        // library.md {
        let profile = try Profile(
            .rename(["firstName": "fn", "lastName": "ln"]),
            .dates(at: "joined", from: [.rfc3339], to: .epochSeconds))
        let wire = try profile.compile(.forward).convert(#"{"firstName": "Ada", "joined": "1970-01-02T00:00:00Z"}"#)
        // {"fn":"Ada","joined":86400}
        let code = try profile.compile(.inverse).convert(wire)
        // }
        #expect(wire == #"{"fn":"Ada","joined":86400}"#)
        #expect(code == #"{"firstName":"Ada","joined":"1970-01-02T00:00:00Z"}"#)
    }

    @Test func `the library page's converter converts a payload in pieces`() throws {
        let chunks = [Array(#"{"first_"#.utf8), Array(#"name": 1}"#.utf8)]
        // library.md {
        let profile = try Profile(parsing: #"{ "keys": "camelCase" }"#)
        var converter = Converter(try profile.compile(.forward))
        var output = ByteBuffer()
        for chunk in chunks {  // any pieces of the payload
            try converter.convert(chunk.span, into: &output)  // appends what is ready
        }
        try converter.finish(into: &output)  // fails when the payload was cut off
        // }
        #expect(Array(output) == Array(#"{"firstName":1}"#.utf8))
        #expect(try Self.snippets(of: "library.md", in: "LibrarySnippetTests.swift").count == 11)
    }

    @Test func `the library page's files are converted through one buffer`() throws {
        let plan = try Profile(.keys(.camelCase)).compile(.forward)
        let directory = try TemporaryDirectory()
        let source = URL(filePath: directory.path).appending(path: "source.json")
        let target = URL(filePath: directory.path).appending(path: "target.json")
        // The file has more than one piece, so that keys are split between pieces.
        let members = (0..<20_000).map { "\"key_\($0)\": 1" }.joined(separator: ",")
        try Data("{\(members)}".utf8).write(to: source)
        // An older file, which is longer than the output.
        try Data(repeating: 0x20, count: 100_000).write(to: target)
        // library.md {
        let input = try FileHandle(forReadingFrom: source)
        try Data().write(to: target)  // a new file, or an empty one in place of an older one
        let output = try FileHandle(forWritingTo: target)
        var converter = Converter(plan)
        var ready = ByteBuffer()
        while let chunk = try input.read(upToCount: 64 * 1024), !chunk.isEmpty {
            try converter.convert(chunk.span, into: &ready)
            try output.write(contentsOf: Array(ready))
            ready.removeAll()
        }
        try converter.finish(into: &ready)
        try output.write(contentsOf: Array(ready))
        // }
        let expected = "{" + (0..<20_000).map { "\"key\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try Data(contentsOf: target) == Data(expected.utf8))
    }

    @Test func `the library page's stream gives output as soon as it is ready`() async throws {
        let plan = try Profile(.keys(.camelCase)).compile(.forward)
        let body = AsyncStream<[UInt8]> { continuation in
            for piece in [#"{"first_"#, #"name": 1}"#] { continuation.yield(Array(piece.utf8)) }
            continuation.finish()
        }
        var sent: [UInt8] = []
        func send(_ chunk: [UInt8]) async throws { sent += chunk }
        // library.md {
        for try await chunk in plan.convert(body) {  // pieces, or single bytes
            try await send(chunk)
        }
        // }
        #expect(String(decoding: sent, as: UTF8.self) == #"{"firstName":1}"#)
    }

    private struct Person: Codable, Equatable {
        var firstName: String
        var joined: Date
    }

    @Test func `the library page's encoder writes what its decoder has read`() throws {
        // library.md {
        struct User: Codable, Equatable {
            var firstName: String
            var createdAt: Date
        }

        let profile = try Profile(.keys(.camelCase, from: .snakeCase))
        var decoder = try ConvertDecoder(profile)
        decoder.dateDecodingStrategy = .flexible()
        let user = try decoder.decode(User.self, from: #"{"first_name": "Ada", "created_at": "2024-07-14T16:30:00Z"}"#)

        var encoder = try ConvertEncoder(profile)
        encoder.dateEncodingStrategy = .flexible()
        let again = try encoder.encode(user)  // {"first_name":"Ada","created_at":"2024-07-14T16:30:00Z"}
        // }
        #expect(user == User(firstName: "Ada", createdAt: Date(timeIntervalSince1970: 1_720_974_600)))
        #expect(String(decoding: again, as: UTF8.self) == #"{"first_name":"Ada","created_at":"2024-07-14T16:30:00Z"}"#)
    }

    @Test func `the library page's decoder reports bad records, and its encoder is the inverse`()
        throws
    {
        let profile = try Profile(
            .rename(["firstName": "fn", "lastName": "ln"]),
            .dates(at: "joined", from: [.rfc3339], to: .epochSeconds))
        let wire = #"{"people":[{"fn":"Ada","joined":86400},{"fn":7,"joined":0}]}"#
        // library.md {
        struct Person: Codable, Equatable {
            var firstName: String
            var joined: Date
        }

        var decoder = try ConvertDecoder(profile, applying: .inverse)  // from the wire's names to the type's
        decoder.dateDecodingStrategy = .flexible()
        decoder.elementFailures = [ElementFailureRule(.skip, inArray: "/people")]
        let report = try decoder.decodeReporting([String: [Person]].self, from: wire)
        for failure in report.failures { print(failure.pointer, failure.error) }

        var encoder = try ConvertEncoder(profile, applying: .forward)
        encoder.dateEncodingStrategy = .flexible()
        let again = try encoder.encode(report.value)
        // }
        #expect(report.value == ["people": [Person(firstName: "Ada", joined: Date(timeIntervalSince1970: 86_400))]])
        #expect(report.failures.map(\.pointer) == ["/people/1"])
        #expect(String(decoding: again, as: UTF8.self) == #"{"people":[{"fn":"Ada","joined":86400}]}"#)
    }

    @Test func `the library page's point reads its members itself`() throws {
        // library.md {
        struct Point: MemberDecodable {
            var x: Double
            var label: String?

            init(members: DecodingMembers) throws {
                x = try members["x"]
                label = try members["label"]  // nil if it is null or missing
            }
        }
        // }
        let points = try ConvertDecoder().decode([Point].self, from: #"[{"x":1.5},{"label":"b","x":2}]"#)
        #expect(points.map(\.x) == [1.5, 2])
        #expect(points.map(\.label) == [nil, "b"])
    }

    @Test func `the library page's JSON value keeps every digit`() throws {
        // library.md {
        let value = try JSONValue(parsing: #"{"id": 12345678901234567890.10, "tags": ["a"]}"#)
        let exact = value["id"]?.number?.text  // "12345678901234567890.10"
        let tag = value[pointer: "/tags/0"]?.string  // "a"
        // }
        #expect(exact == "12345678901234567890.10")
        #expect(tag == "a")
    }

    @Test func `the library page's strategies work with Foundation's decoder`() throws {
        // library.md {
        let decoder = JSONDecoder()
        // user_id → userID
        decoder.keyDecodingStrategy = .normalized(to: .camelCase, acronyms: ["ID", "URL"], acronymStyle: .asListed)
        decoder.dateDecodingStrategy = try .flexible(assuming: "Europe/Paris")
        // }
        let person = try decoder.decode(
            Person.self, from: Data(#"{"First-Name":"Ada","JOINED":"1970-01-02 01:00:00"}"#.utf8))
        #expect(person == Person(firstName: "Ada", joined: Date(timeIntervalSince1970: 86_400)))
    }

    private struct Account: Sendable, Hashable {
        var id: UUID
        var home: URL
        var seen: Date?
    }

    @Test func `the library page's serializer writes JSON and property lists`() throws {
        let bytes = Array(#"{"id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","home":"/ada","seen":86400}"#.utf8)
        // library.md {
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

    @Test func `the library page's settings save themselves`() throws {
        let directory = try TemporaryDirectory()
        let file = URL(filePath: directory.path).appending(path: "settings.json")
        // library.md {
        struct Settings: Serializable {
            var name: String
            var changed: Date
        }
        let settings = try Settings(contentsOf: file) ?? Settings(name: "new", changed: Date())
        try settings.save(to: file)
        // }
        #expect(try Settings(contentsOf: file)?.name == "new")
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
        let file = "LibrarySnippetTests.swift"
        let page = try Documentation("docs/library.md").blocks("swift").map { Self.words(of: $0.lines) }
        #expect(try Self.snippets(of: "library.md", in: file) == page)
        // The first block of the tutorial is a package manifest.
        let tutorial = try Documentation(Self.tutorial).blocks("swift").dropFirst().flatMap { Self.words(of: $0.lines) }
        #expect(try Self.snippets(of: "FirstConversion.md", in: file).flatMap(\.self) == tutorial)
    }

    /// The lines of a test file between `// NAME {` and `// }`, as words.
    static func snippets(of name: String, in file: String) throws -> [[[Substring]]] {
        let source = try Documentation("Tests/ConvertServerTests/\(file)").text
        return source.split(separator: "        // \(name) {\n").dropFirst().map { text in
            let code = text.split(separator: "        // }\n")[0]
            return words(of: code.split(separator: "\n"))
        }
    }

    /// The words of each line, whatever separates them; imports and empty lines do not count.
    static func words(of lines: [Substring]) -> [[Substring]] {
        lines.filter { !$0.hasPrefix("import") }.map { $0.split(separator: " ") }.filter { !$0.isEmpty }
    }
}
