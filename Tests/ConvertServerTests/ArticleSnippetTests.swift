import ConvertCore
import FoundationEssentials
import TestSupport
import Testing

/// The code in the documentation's articles compiles, and does what the articles say.
struct ArticleSnippetTests {
    private static let catalog = "Sources/ConvertCore/ConvertCore/ConvertCore.docc"

    @Test func `the overview's profile rewrites keys and dates`() throws {
        // ConvertCore.md {
        let profile = try Profile(
            .keys(.camelCase, from: .snakeCase),
            .dates(.rfc3339))
        let plan = try profile.compile(.forward)
        let output = try plan.convert(#"{"user_id": 7, "seen_at": "2024-07-14T18:30:00+02:00"}"#)
        // {"userId":7,"seenAt":"2024-07-14T16:30:00Z"}
        // }
        #expect(output == #"{"userId":7,"seenAt":"2024-07-14T16:30:00Z"}"#)
    }

    private struct Account: Sendable, Hashable {
        var id: UUID
        var home: URL
        var friends: [UUID]
        var seen: Date?
    }

    @Test func `serializers are composed, and mapped to custom types`() throws {
        let id = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
        let bytes = Array(#"{"id":"\#(id)","contactUrl":"/contact","friends":["\#(id)"],"seen":86400}"#.utf8)
        // LinkedAccounts.md {
        let serializer = ValueSerializer<Account>.object(Account.init) {
            Field("id", \.id, .uuid)
            Field("contactUrl", \.home, .url(relativeTo: "http://www.google.com"))
            Field("friends", \.friends, .array(of: .uuid))
            Field("seen", \.seen, .optional(.date(.epochSeconds)))
        }
        let account = try serializer.value(fromJSON: bytes)
        let file = try serializer.propertyList(from: account, .binary)
        // }
        #expect(account.home.absoluteString == "http://www.google.com/contact")
        #expect(try serializer.value(fromPropertyList: file) == account)
        let wrong = Array(#"{"id":"\#(id)","contactUrl":"/c","friends":["me"]}"#.utf8)
        let error = #expect(throws: SerializationError.self) { try serializer.value(fromJSON: wrong) }
        #expect(error?.description == "expected a UUID, found another string at /friends/0")
        // LinkedAccounts.md {
        let percent = ValueSerializer<Int>.integer.map(
            "a percentage", to: { 0...100 ~= $0 ? Double($0) / 100 : nil },
            from: { share in (0...100).first { Double($0) / 100 == share } })
        // }
        #expect(try percent.value(fromJSON: Array("25".utf8)) == 0.25)
        #expect(throws: SerializationError.self) { try percent.value(fromJSON: Array("101".utf8)) }
        #expect(throws: SerializationError.self) { try percent.json(from: 0.333) }
        // 0.29 * 100 is a little less than 29.
        for number in 0...100 {
            let text = Array(String(number).utf8)
            #expect(try percent.json(from: percent.value(fromJSON: text)) == text)
        }
    }

    private struct Purchase: Decodable, Equatable {
        var userId: Int
        var createdAt: Date
    }

    @Test func `keys and dates of every kind are read into one type, by both decoders`() throws {
        let payload = Array(
            #"[{"user_id":1,"created_at":1720974600},{"User-ID":1,"CreatedAt":"Sun, 14 Jul 2024 16:30:00 GMT"}]"#.utf8)
        // MixedKeys.md {
        var decoder = try ConvertDecoder(Profile(.keys(.camelCase, acronyms: ["ID", "URL", "HTML"])))
        decoder.dateDecodingStrategy = try .flexible(assuming: "UTC")
        let purchases = try decoder.decode([Purchase].self, from: payload)
        // }
        let expected = Purchase(userId: 1, createdAt: Date(timeIntervalSince1970: 1_720_974_600))
        #expect(purchases == [expected, expected])
        try foundationsDecoder(payload, expected)
    }

    private func foundationsDecoder(_ payload: [UInt8], _ expected: Purchase) throws {
        let decoder = JSONDecoder()
        // MixedKeys.md {
        decoder.keyDecodingStrategy = .normalized(to: .camelCase, acronyms: ["ID", "URL", "HTML"])
        decoder.dateDecodingStrategy = try .flexible(assuming: "UTC")
        // }
        #expect(try decoder.decode([Purchase].self, from: Data(payload)) == [expected, expected])
    }

    @Test func `rules move deep values of an article up`() throws {
        // NewsFeed.md {
        let profile = try Profile(
            .at(
                "/articles/*",
                .move("/content/headline", to: "/headline"),
                .move("/content/author/name", to: "/author"),
                .dates(at: "/published", from: [.auto], to: .rfc3339)))
        // }
        let article =
            #"{"articles":[{"content":{"headline":"H","author":{"name":"A"}},"published":"2024-07-14T16:30:00Z"}]}"#
        let output = try JSONValue(parsing: profile.compile(.forward).convert(article))
        #expect(output[pointer: "/articles/0/headline"] == "H")
        #expect(output[pointer: "/articles/0/author"] == "A")
        #expect(output[pointer: "/articles/0/published"] == "2024-07-14T16:30:00Z")
    }

    @Test func `settings are read or created, and saved`() throws {
        let directory = try TemporaryDirectory()
        let file = URL(filePath: directory.path).appending(path: "settings.json")
        // SavedSettings.md {
        struct Settings: Serializable {
            var name: String
            var changed: Date
        }

        var settings = try Settings(contentsOf: file) ?? Settings(name: "new", changed: .now)
        settings.changed = .now
        try settings.save(to: file)
        // }
        #expect(try Settings(contentsOf: file)?.name == "new")
    }

    @Test func `a type chooses its output form`() throws {
        struct Settings: Serializable {
            // SavedSettings.md {
            static let serialization = SerializationOptions(output: OutputOptions(indent: 2, sortKeys: true))
            // }
            var name: String
        }
        let text = String(decoding: try Settings(name: "n").serialized(), as: UTF8.self)
        #expect(text == "{\n  \"name\": \"n\"\n}")
    }

    private struct Bettor: Codable, Hashable {
        var firstName: String
        var lastName: String
        var bets: [Bet]
    }

    private struct Bet: Codable, Hashable {
        var amount: Double
        var placed: Date
    }

    @Test func `short keys are written to the wire and read back`() throws {
        let bets = [Bet(amount: 2.5, placed: Date(timeIntervalSince1970: 3_600))]
        let bettor = Bettor(firstName: "Ada", lastName: "Lovelace", bets: bets)
        // ShortNames.md {
        let profile = try Profile(
            .rename(["firstName": "fn", "lastName": "ln", "bets": "b"]),
            .rename(["/bets/*/amount": "a", "/bets/*/placed": "p"]),
            .dates(at: "placed", from: [.rfc3339], to: .epochSeconds))

        var encoder = try ConvertEncoder(profile, applying: .forward, describing: Bettor.self)
        encoder.dateEncodingStrategy = .flexible()
        let wire = try encoder.encode(bettor)

        var decoder = try ConvertDecoder(profile, applying: .inverse, describing: Bettor.self)
        decoder.dateDecodingStrategy = .flexible()
        let same = try decoder.decode(Bettor.self, from: wire)
        // }
        #expect(try decoder.decode([Bettor].self, from: encoder.encode([bettor, bettor])) == [bettor, bettor])
        #expect(String(decoding: wire, as: UTF8.self) == #"{"fn":"Ada","ln":"Lovelace","b":[{"a":2.5,"p":3600}]}"#)
        #expect(same == bettor)
    }

    @Test func `a serializer may contain itself, and an enum has a tag`() throws {
        let json = #"[{"kind":"folder","name":"a","items":[{"kind":"file","name":"b","bytes":1}]}]"#
        let items = try ValueSerializer.array(of: Item.serializer).value(fromJSON: Array(json.utf8))
        #expect(items == [.folder(Folder(name: "a", items: [.file(File(name: "b", bytes: 1))]))])
        #expect(
            String(decoding: try ValueSerializer.array(of: Item.serializer).json(from: items), as: UTF8.self) == json)
    }

    @Test func `the articles show this code`() throws {
        for name in ["ConvertCore", "LinkedAccounts", "MixedKeys", "NewsFeed", "SavedSettings", "ShortNames"] {
            let shown = try Documentation("\(Self.catalog)/\(name).md").blocks("swift")
            let compiled = try LibrarySnippetTests.snippets(of: "\(name).md", in: "ArticleSnippetTests.swift")
            #expect(compiled == shown.map { LibrarySnippetTests.words(of: $0.lines) }, "\(name).md")
            #expect(!shown.isEmpty, "\(name).md")
        }
    }
}

private struct Folder: Hashable {
    var name: String
    var items: [Item]
}

private struct File: Hashable {
    var name: String
    var bytes: Int
}

private enum Item: Hashable {
    case file(File)
    case folder(Folder)
}

extension Item {
    static let serializer = ValueSerializer<Item>.oneOf(taggedBy: "kind") {
        Variant("file", .file, make: Item.file) { if case .file(let file) = $0 { file } else { nil } }
        Variant("folder", .folder, make: Item.folder) { if case .folder(let folder) = $0 { folder } else { nil } }
    }
}

extension ValueSerializer where Value == File {
    fileprivate static let file: ValueSerializer = .object(File.init) {
        Field("name", \.name, .string)
        Field("bytes", \.bytes, .integer)
    }
}

extension ValueSerializer where Value == Folder {
    fileprivate static let folder: ValueSerializer = .object(Folder.init) {
        Field("name", \.name, .string)
        Field("items", \.items, .array(of: .lazy { Item.serializer }))
    }
}
