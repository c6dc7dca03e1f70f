import ConvertCore
import FoundationEssentials
import Synchronization
import Testing

/// Codable types through a profile.
struct ConvertDecoderTests {
    struct Person: Codable, Equatable {
        var firstName: String
        var bornAt: Date
        var bets: [Bet]
    }

    struct Bet: Codable, Equatable {
        var betId: Int
        var isOpen: Bool
    }

    @Test func `short wire keys become readable in nested types and arrays, both ways`() throws {
        let profile = try Profile(
            parsing: Array(#"{"rename":{"firstName":"fn","bornAt":"b","bets":"bs","betId":"i","isOpen":"o"}}"#.utf8))
        let wire = #"{"fn":"A","b":0,"bs":[{"i":1,"o":true},{"i":2,"o":false}]}"#
        let decoder = try ConvertDecoder(profile, applying: .inverse)
        let person = try decoder.decode(Person.self, from: wire)
        #expect(person.firstName == "A")
        #expect(person.bets == [Bet(betId: 1, isOpen: true), Bet(betId: 2, isOpen: false)])
        let encoder = try ConvertEncoder(profile, applying: .forward)
        #expect(String(decoding: try encoder.encode(person), as: UTF8.self) == wire)
    }

    @Test func `by default, decoding uses a profile's forward rules, and encoding its inverse`() throws {
        let profile = try Profile(parsing: Array(#"{"keys":{"case":"camelCase","from":"snake_case"}}"#.utf8))
        let wire = #"{"bet_id":1,"is_open":true}"#
        let bet = try ConvertDecoder(profile).decode(Bet.self, from: wire)
        #expect(bet == Bet(betId: 1, isOpen: true))
        #expect(String(decoding: try ConvertEncoder(profile).encode(bet), as: UTF8.self) == wire)
    }

    @Test func `a property that keys cannot restore keeps its key, unless acronyms or lossyKey change that`() throws {
        struct User: Codable, Equatable {
            var userID: Int
        }
        let wire = #"{"user_id":1}"#
        let plain = try Profile(.keys(.camelCase, from: .snakeCase))
        #expect(try ConvertEncoder(plain).encode(User(userID: 1)) == Array(#"{"userID":1}"#.utf8))
        #expect(throws: DecodingError.self) { try ConvertDecoder(plain).decode(User.self, from: wire) }
        let listed = try Profile(.keys(.camelCase, from: .snakeCase, acronyms: ["ID"], acronymStyle: .asListed))
        #expect(try ConvertEncoder(listed).encode(User(userID: 1)) == Array(wire.utf8))
        #expect(try ConvertDecoder(listed).decode(User.self, from: wire) == User(userID: 1))
        let strict = try ConvertEncoder(Profile(.keys(.camelCase, from: .snakeCase), .on(lossyKey: .error)))
        #expect(throws: EncodingError.self) { try strict.encode(User(userID: 1)) }
    }

    @Test func `messages have the expected and the found type and the pointer`() throws {
        let mismatch = #expect(throws: DecodingError.self) {
            try ConvertDecoder().decode(
                [Bet].self, from: #"[{"betId":1,"isOpen":true},{"betId":"x","isOpen":true}]"#)
        }
        let context = try #require(mismatch?.context(of: .typeMismatch))
        #expect(context.debugDescription == #"expected Int, found a string at "/1/betId""#)
        let malformed = #expect(throws: DecodingError.self) {
            try ConvertDecoder().decode(Bet.self, from: "{\n\"betId\": 1,}")
        }
        #expect((malformed?.context(of: .dataCorrupted)?.underlyingError as? ConversionError)?.line == 2)
    }

    @Test func `one bad article in a hundred follows its array's rule`() throws {
        let articles = (0..<100).map {
            $0 == 42 ? #"{"betId":null,"isOpen":true}"# : #"{"betId":\#($0),"isOpen":true}"#
        }
        let json = Array(#"{"page":[\#(articles.joined(separator: ","))]}"#.utf8)
        var decoder = ConvertDecoder()
        #expect(throws: DecodingError.self) { try decoder.decode([String: [Bet]].self, from: json) }

        decoder.elementFailures = [ElementFailureRule(.skip, inArray: "/*")]
        let skipped = try decoder.decodeReporting([String: [Bet]].self, from: json.span)
        #expect(skipped.value["page"]?.map(\.betId) == Array(0..<42) + Array(43..<100))
        #expect(skipped.failures.map(\.pointer) == ["/page/42"])

        decoder.elementFailures = [ElementFailureRule(.replace(with: ["betId": -1, "isOpen": false]))]
        let replaced = try decoder.decodeReporting([String: [Bet]].self, from: json.span)
        #expect(replaced.value["page"]?[42] == Bet(betId: -1, isOpen: false))
        #expect(replaced.failures.count == 1)

        decoder.elementFailures = [ElementFailureRule(.skip, inArray: "/other")]
        #expect(throws: DecodingError.self) { try decoder.decode([String: [Bet]].self, from: json) }
    }

    @Test func `if the replacement also fails, the element's own error is thrown`() throws {
        struct Picky: Codable {
            init(from decoder: any Decoder) throws { throw CancellationError() }
        }
        let json = #"{"items":[{"betId":"x","isOpen":true}]}"#
        var decoder = ConvertDecoder()
        decoder.elementFailures = [ElementFailureRule(.replace(with: nil), inArray: "/items")]
        let error = #expect(throws: DecodingError.self) { try decoder.decode([String: [Bet]].self, from: json) }
        let context = try #require(error?.context(of: .typeMismatch))
        #expect(error?.summary == "typeMismatch Int items(-).Index 0(0).betId(-)")
        #expect(
            context.debugDescription.hasPrefix("neither the element nor its replacement can be decoded: expected Int"))
        #expect(context.underlyingError is DecodingError)
        let own = #expect(throws: DecodingError.self) { try decoder.decode([String: [Picky]].self, from: json) }
        let cancelled = try #require(own?.context(of: .dataCorrupted))
        #expect(cancelled.underlyingError is CancellationError)
        #expect(cancelled.debugDescription.hasSuffix("can be decoded at \"/items/0\""))
    }

    @Test func `no element is lost silently: decode throws or reports the loss`() throws {
        var decoder = ConvertDecoder()
        decoder.elementFailures = [ElementFailureRule(.skip)]
        #expect(try decoder.decode([Int].self, from: "[1,2]") == [1, 2])
        let error = #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: #"[1,"x"]"#) }
        let context = try #require(error?.context(of: .dataCorrupted))
        #expect(context.debugDescription.contains("/1"))
        #expect(context.underlyingError is DecodingError)
        let told = Mutex<[String]>([])
        decoder.onElementFailure = { failure in told.withLock { $0.append(failure.pointer) } }
        #expect(try decoder.decode([Int].self, from: #"[1,"x",null]"#) == [1])
        #expect(told.withLock { $0 } == ["/1", "/2"])
        #expect(try decoder.decodeReporting([Int].self, from: #"["x"]"#).failures.count == 1)
        #expect(told.withLock { $0 } == ["/1", "/2", "/0"])
    }

    @Test func `a profile does not change which of two duplicates counts, unless it sets it`() throws {
        let json = #"{"bet_id":1,"is_open":true,"bet_id":2,"z":1,"z":2}"#
        let first = Bet(betId: 1, isOpen: true)
        #expect(try ConvertDecoder(Profile(.keys(.camelCase))).decode(Bet.self, from: json) == first)
        let last = try Profile(.keys(.camelCase), .on(duplicateKey: .last))
        #expect(try ConvertDecoder(last).decode(Bet.self, from: json) == Bet(betId: 2, isOpen: true))
        let strict = try Profile(.keys(.camelCase), .on(duplicateKey: .error))
        #expect(throws: DecodingError.self) { try ConvertDecoder(strict).decode(Bet.self, from: json) }
        #expect(try SerializedValue(parsingJSON: Array(#"{"a":1,"a":2}"#.utf8))["a"] == 1)
        #expect(try JSONValue(parsing: #"{"a":1,"a":2}"#)["a"] == 1)
    }

    @Test func `a decoder may be used from many tasks at once`() async throws {
        let decoder = ConvertDecoder()
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    try (0..<50).reduce(0) { sum, number in
                        sum + (try decoder.decode([Int].self, from: "[\(task), \(number)]")).reduce(0, +)
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sums == 8 * (49 * 50 / 2) + 50 * 28)
    }
}

/// Strategies for Foundation's coders.
struct StrategyTests {
    struct Mixed: Codable, Equatable {
        var userId: Int
        var profileUrl: String
        var items: [Inner]

        struct Inner: Codable, Equatable { var lineTotal: Double }
    }

    @Test func `keys of any case match the type's properties`() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .normalized(to: .camelCase, acronyms: ["URL", "ID"])
        for json in [
            #"{"user_id":1,"profile_url":"u","items":[{"line_total":1}]}"#,
            #"{"userID":1,"ProfileURL":"u","Items":[{"line-total":1}]}"#,
            #"{"user-Id":1,"PROFILE_URL":"u","items":[{"LineTotal":1}]}"#,
        ] {
            let value = try decoder.decode(Mixed.self, from: Data(json.utf8))
            #expect(value == Mixed(userId: 1, profileUrl: "u", items: [.init(lineTotal: 1)]))
        }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .normalized(to: .kebabCase)
        let value = Mixed(userId: 1, profileUrl: "u", items: [.init(lineTotal: 1.5)])
        let text = try JSONValue(parsing: [UInt8](try encoder.encode(value)))
        #expect(text == ["user-id": 1, "profile-url": "u", "items": [["line-total": 1.5]]])
    }

    private struct SwiftNames: Codable, Equatable {
        var userID: Int
        var avatarURL: String
        var friendIDs: [Int]
    }

    @Test func `Swift's acronyms are read from every spelling, and written back`() throws {
        let value = SwiftNames(userID: 1, avatarURL: "u", friendIDs: [2])
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .normalized(
            to: .camelCase, acronyms: ["ID", "URL"], acronymStyle: .asListed)
        let profile = try Profile(
            .keys(.camelCase, from: .snakeCase, acronyms: ["ID", "URL"], acronymStyle: .asListed))
        let snake = #"{"user_id":1,"avatar_url":"u","friend_ids":[2]}"#
        for json in [
            snake, #"{"user-id":1,"Avatar-URL":"u","friendIds":[2]}"#,
            #"{"userId":1,"AVATAR_URL":"u","friendIDs":[2]}"#,
        ] {
            #expect(try foundation.decode(SwiftNames.self, from: Data(json.utf8)) == value)
            #expect(try ConvertDecoder(profile).decode(SwiftNames.self, from: json) == value)
        }
        #expect(String(decoding: try ConvertEncoder(profile).encode(value), as: UTF8.self) == snake)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .normalized(to: .snakeCase, acronyms: ["ID", "URL"])
        #expect(try JSONValue(parsing: [UInt8](try encoder.encode(value))) == JSONValue(parsing: snake))
    }

    @Test func `the common acronyms have the same name as in a profile`() throws {
        let value = SwiftNames(userID: 1, avatarURL: "u", friendIDs: [2])
        let snake = #"{"user_id":1,"avatar_url":"u","friend_ids":[2]}"#
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .normalized(to: .camelCase, acronyms: ["common"], acronymStyle: .asListed)
        #expect(try decoder.decode(SwiftNames.self, from: Data(snake.utf8)) == value)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .normalized(to: .snakeCase, acronyms: ["common", "URL"])
        #expect(try JSONValue(parsing: [UInt8](try encoder.encode(value))) == JSONValue(parsing: snake))
    }

    private struct Numbered: Codable, Equatable {
        enum CodingKeys: Int, CodingKey {
            case firstName = 1
            case lastName
        }

        var firstName: String
        var lastName: [Int: String]
    }

    @Test func `keys with an integer value are written as by Foundation's strategy`() throws {
        let value = Numbered(firstName: "a", lastName: [7: "b"])
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let expected = try JSONValue(parsing: [UInt8](try encoder.encode(value)))
        #expect(expected == ["first_name": "a", "last_name": ["7": "b"]])
        encoder.keyEncodingStrategy = .normalized(to: .snakeCase)
        let text = try encoder.encode(value)
        #expect(try JSONValue(parsing: [UInt8](text)) == expected)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .normalized(to: .camelCase)
        #expect(try decoder.decode(Numbered.self, from: text) == value)
    }

    @Test func `dates in mixed formats are the same instant`() throws {
        let json =
            #"["2024-01-02T03:04:05Z","2024-01-02T04:04:05+01:00","Tue, 02 Jan 2024 03:04:05 GMT",1704164645,"#
            + #"1704164645000,"1704164645","/Date(1704164645000)/"]"#
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .flexible()
        let expected = Array(repeating: Date(timeIntervalSince1970: 1_704_164_645), count: 7)
        #expect(try decoder.decode([Date].self, from: Data(json.utf8)) == expected)
        var ours = ConvertDecoder()
        ours.dateDecodingStrategy = .flexible()
        #expect(try ours.decode([Date].self, from: json) == expected)
        #expect(throws: DecodingError.self) { try ours.decode([Date].self, from: #"["2024-01-02T03:04:05"]"#) }
        ours.dateDecodingStrategy = try .flexible(assuming: "+02:00")
        #expect(try ours.decode([Date].self, from: #"["2024-01-02T05:04:05"]"#) == [expected[0]])
        #expect(throws: DateStrategyError.self) { try JSONDecoder.DateDecodingStrategy.flexible(assuming: "Nowhere") }
    }

    @Test func `an invalid date is an error for the type Date, with a readable message`() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .flexible()
        var ours = ConvertDecoder()
        ours.dateDecodingStrategy = .flexible()
        for json in [#"{"a":[true]}"#, #"{"a":[{}]}"#, #"{"a":[[]]}"#, #"{"a":[null]}"#] {
            for error in [
                #expect(throws: DecodingError.self) {
                    try decoder.decode([String: [Date]].self, from: Data(json.utf8))
                },
                #expect(throws: DecodingError.self) { try ours.decode([String: [Date]].self, from: json) },
            ] {
                let kind = json.contains("null") ? "valueNotFound" : "typeMismatch"
                #expect(error?.summary == "\(kind) Date a(-).Index 0(0)", "\(json)")
            }
        }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .flexible()
        for seconds in [Double.nan, .infinity, -1e300, 253_402_300_800] {
            let error = #expect(throws: EncodingError.self) {
                try encoder.encode([Date(timeIntervalSince1970: seconds)])
            }
            #expect(String(describing: error).contains("expected a date in the years 0001 to 9999"))
        }
    }

    @Test func `dates are written as RFC 3339 with their fraction`() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .flexible()
        let dates = [1_704_164_645, 1_704_164_645.65, -0.5].map { Date(timeIntervalSince1970: $0) }
        let text = String(decoding: try encoder.encode(dates), as: UTF8.self)
        #expect(text == #"["2024-01-02T03:04:05Z","2024-01-02T03:04:05.65Z","1969-12-31T23:59:59.5Z"]"#)
        encoder.dateEncodingStrategy = try .flexible(zone: "+02:00")
        let local = String(decoding: try encoder.encode([dates[0]]), as: UTF8.self)
        #expect(local == #"["2024-01-02T05:04:05+02:00"]"#)
    }
}
