import ConvertCore
import FoundationEssentials
import Testing

/// Each example does its task.
struct ExamplesTests {
    @Test func `short names and epoch dates are converted both ways, and unknown keys are ignored`() throws {
        let wire =
            #"{"fn":"Ada","ln":"Lovelace","j":86400,"nn":null,"unknown":[1],"b":[{"a":2.5,"p":0},{"p":3600,"a":1}]}"#
        let bettor = try ShortNames.bettor(Array(wire.utf8))
        let bets = [
            Bet(amount: 2.5, placed: Date(timeIntervalSince1970: 0)),
            Bet(amount: 1, placed: Date(timeIntervalSince1970: 3_600)),
        ]
        let expected = Bettor(
            firstName: "Ada", lastName: "Lovelace", joined: Date(timeIntervalSince1970: 86_400), nickname: nil,
            bets: bets)
        #expect(bettor == expected)
        let written = try JSONValue(parsing: ShortNames.wire(bettor))
        #expect(written["fn"] == "Ada")
        #expect(written["j"] == 86_400)
        #expect(written["nn"] == nil)
        #expect(try ShortNames.bettor(written.bytes()) == bettor)
        // The map belongs to the type, so a list of bettors is mapped the same way.
        let list = try ShortNames.decoder.decode([Bettor].self, from: "[\(wire),\(wire)]")
        #expect(list == [bettor, bettor])
    }

    private static let account =
        #"{"id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","name":"Ada","contactUrl":"/contact","picture":"http://b.example/a.png","friends":[],"seen":86400,"links":{"blog":"/blog"}}"#

    @Test func `accounts are written to JSON and property lists and read again, with relative URLs`() throws {
        let account = try LinkedAccounts.serializer.value(fromJSON: Array(Self.account.utf8))
        #expect(account.home.absoluteString == "http://www.google.com/contact")
        #expect(account.picture.absoluteString == "http://b.example/a.png")
        #expect(account.seen == Date(timeIntervalSince1970: 86_400))
        #expect(String(decoding: try LinkedAccounts.serializer.json(from: account), as: UTF8.self) == Self.account)
        for format in PropertyListFormat.allCases {
            let file = try LinkedAccounts.serializer.propertyList(from: account, format)
            #expect(try LinkedAccounts.serializer.value(fromPropertyList: file) == account)
        }
    }

    @Test func `the published design's customer becomes the same JSON, and is read again`() throws {
        let json = #"{"id":"1234","name":"name","websiteURL":"http://www.google.com","contactURL":"/ContactUs"}"#
        let customer = Customer(
            identifier: "1234", name: "name", websiteURL: try #require(URL(string: "http://www.google.com")),
            contactURL: try #require(URL(string: "http://www.google.com/ContactUs")))
        #expect(String(decoding: try Customer.serializer.json(from: customer), as: UTF8.self) == json)
        #expect(try Customer.serializer.value(fromJSON: Array(json.utf8)) == customer)
    }

    @Test func `the error for a wrong account has expected and found type and path`() {
        let wrong = Self.account.replacing(#""friends":[]"#, with: #""friends":["me"]"#)
        let error = SerializationError(expected: "a UUID", found: "another string", pointer: "/friends/0")
        #expect(throws: error) { try LinkedAccounts.serializer.value(fromJSON: Array(wrong.utf8)) }
    }

    @Test func `ninety-nine of a hundred articles are read if one is bad`() async throws {
        var articles = (0..<100).map { index in
            #"{"id":"\#(index)","content":{"headline":"H\#(index)","author":{"name":"A"}},"published":1720974600,"extras":{"n":1.10,"l":[true]}}"#
        }
        articles[41] = #"{"id":"41","content":{"headline":7},"published":"2024-07-14T16:30:00Z"}"#
        articles[42] = #"{"id":"42","content":{"headline":"H"},"published":"2024-07-14T18:30:00+02:00"}"#
        let payload = #"{"articles":["# + articles.joined(separator: ",") + "]}"
        let read = try await confirmation(expectedCount: 1) { told in
            try NewsFeed.articles(Array(payload.utf8)) { error in
                #expect(error == .init(expected: "a string", found: "a number", pointer: "/41/headline"))
                told()
            }
        }
        #expect(read.count == 99)
        #expect(read[0].author == "A")
        #expect(read[0].published == Date(timeIntervalSince1970: 1_720_974_600))
        #expect(read[0].extras["n"]?.number?.text == "1.10")
        #expect(read[0].extras[pointer: "/l/0"] == true)
        #expect(read[41].id == "42")
        #expect(read[41].author == nil)
        #expect(read[41].published == read[0].published)
        try checkByHand(payload, read)
    }

    /// The code written by hand for Foundation's decoder reads the same articles and loses the same one.
    private func checkByHand(_ payload: String, _ articles: [Article]) throws {
        var failures: [any Error] = []
        let byHand = try PlainNewsFeed.articles(Data(payload.utf8)) { failures.append($0) }
        #expect(failures.count == 1)
        guard case DecodingError.typeMismatch(_, let context)? = failures.first else {
            Issue.record("\(failures)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["articles", "Index 41", "content", "headline"])
        #expect(byHand.map(\.id) == articles.map(\.id))
        #expect(byHand.map(\.headline) == articles.map(\.headline))
        #expect(byHand.map(\.author) == articles.map(\.author))
        #expect(byHand.map(\.published) == articles.map(\.published))
        let extras = try articles.map { try JSONDecoder().decode(AnyDecodable.self, from: Data($0.extras.bytes())) }
        #expect(byHand.map(\.extras) == extras)
    }

    @Test func `keys of every case and dates of every kind are read into one type`() throws {
        let rows = [
            #"{"user_id":1,"product_url":"u","html_body":"b","created_at":1720974600,"paid_at":1720974600000,"shipped_on":"2024-07-14"}"#,
            #"{"User-ID":1,"Product-URL":"u","HTML-Body":"b","Created-At":"2024-07-14T18:30:00+02:00","paid-at":"Sun, 14 Jul 2024 16:30:00 GMT","shipped-on":"2024-07-14"}"#,
            #"{"UserID":1,"productURL":"u","HTMLBody":"b","CreatedAt":"2024-07-14T16:30:00Z","paidAt":"2024-07-14 16:30:00","shippedOn":"20240714T000000Z"}"#,
        ]
        let moment = Date(timeIntervalSince1970: 1_720_974_600)
        let expected = Purchase(
            userId: 1, productUrl: "u", htmlBody: "b", createdAt: moment, paidAt: moment,
            shippedOn: Date(timeIntervalSince1970: 1_720_915_200))
        let payload = "[" + rows.joined(separator: ",") + "]"
        #expect(try MixedKeys.purchases(Array(payload.utf8)) == [expected, expected, expected])
        #expect(try MixedKeys.purchases(foundation: Array(payload.utf8)) == [expected, expected, expected])
    }

    private struct Response: Decodable, Hashable {
        struct Failure: Decodable, Hashable {
            var errorCode: Int
            var errorDescription: String
        }

        var topLevelObject: [String: Int]
        var error: Failure
    }

    @Test func `the JSON and the date formats of the published decoder are read`() throws {
        let json =
            #"{"topLevelObject":{"underlyingObject":1},"Error":{"ErrorCode":400,"ErrorDescription":"SomeDescription"}}"#
        let expected = Response(
            topLevelObject: ["underlyingObject": 1], error: .init(errorCode: 400, errorDescription: "SomeDescription"))
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .normalized(to: .camelCase)
        foundation.dateDecodingStrategy = try .flexible(assuming: "UTC")
        #expect(try foundation.decode(Response.self, from: Data(json.utf8)) == expected)
        #expect(try ConvertDecoder(Profile(.keys(.camelCase))).decode(Response.self, from: json) == expected)
        // The example's five formatters, and milliseconds as a number; 2024-07-14 began 1,720,915,200 seconds after 1970.
        let dates: [(text: String, seconds: Double)] = [
            (#""2024-07-14""#, 1_720_915_200), (#""2024-07-14T16:30:00.250+03""#, 1_720_963_800.25),
            (#""2024-07-14T16:30:00+0300""#, 1_720_963_800), (#""2024-07-14T16:30:00.250""#, 1_720_974_600.25),
            (#""2024-07-14T16:30:00""#, 1_720_974_600), ("1720974600000", 1_720_974_600),
        ]
        for date in dates {
            let read = try foundation.decode([Date].self, from: Data("[\(date.text)]".utf8))
            #expect(read == [Date(timeIntervalSince1970: date.seconds)], "\(date.text)")
        }
    }

    @Test func `settings are saved and read back, alone and together`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "convert-examples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "settings.json")
        let recent = try #require(URL(string: "https://a.example/x"))
        let settings = Settings(name: "n", changed: Date(timeIntervalSince1970: 0), recent: [recent])
        #expect(try Settings(contentsOf: file) == nil)
        try settings.save(to: file)
        #expect(try Settings(contentsOf: file) == settings)
        try ["a": settings].save(to: file)
        #expect(try [String: Settings](contentsOf: file) == ["a": settings])
        let data = try settings.serialized()
        let text = #"{"changed":"1970-01-01T00:00:00Z","name":"n","recent":["https://a.example/x"]}"#
        #expect(String(decoding: data, as: UTF8.self) == text)
        #expect(try Settings(from: data) == settings)
    }

    @Test func `the line counts in the examples' README agree with the files`() throws {
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
        let readme = String(decoding: try Data(contentsOf: directory.appending(path: "README.md")), as: UTF8.self)
        let rows = readme.split(separator: "\n").filter { $0.hasPrefix("| [") }
        #expect(rows.count == 5)
        #expect(readme.contains(" \(try Self.lines("LinkedAccounts/Customer.swift", in: directory)) here ([Customer]"))
        let byHand = "| \(try Self.lines("NewsFeed/PlainNewsFeed.swift", in: directory)), ours: ["
        #expect(readme.contains(byHand))
        for row in rows {
            let cells = row.split(separator: "|")
            let path = try #require(cells.first?.split(separator: "(").last?.split(separator: ")").first)
            let count = try Self.lines(path, in: directory)
            #expect(cells[2].drop { $0 == " " }.hasPrefix("\(count)"), "\(path): \(count)")
        }
    }

    private static func lines(_ path: some StringProtocol, in directory: URL) throws -> Int {
        let source = String(decoding: try Data(contentsOf: directory.appending(path: path)), as: UTF8.self)
        let lines = source.split(separator: "\n").map { $0.drop { $0 == " " } }
        return lines.count { !$0.isEmpty && !$0.hasPrefix("//") }
    }
}
