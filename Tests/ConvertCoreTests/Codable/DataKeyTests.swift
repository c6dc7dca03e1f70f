import ConvertCore
import FoundationEssentials
import Testing

/// Keys that are data, which stay unchanged.
struct DataKeyTests {
    private enum Level: String, Codable, CodingKeyRepresentable { case veryHigh = "very_high" }

    private struct Page: Codable, Hashable {
        var pageTitle: String
        var labelsByName: [String: Label]
        var extras: JSONValue
        var counts: [Level: Int]
        var wrapped: Wrapped?
    }

    private struct Label: Codable, Hashable {
        var shortName: String
    }

    /// Decodes and encodes its dictionary without a container of its own.
    private struct Wrapped: Codable, Hashable {
        var names: [String: Int]

        init(names: [String: Int]) { self.names = names }

        init(from decoder: any Decoder) throws { names = try [String: Int](from: decoder) }

        func encode(to encoder: any Encoder) throws { try names.encode(to: encoder) }
    }

    private static let json =
        #"{"page_title":"T","labels_by_name":{"en_US":{"short_name":"a"},"de_DE":{"short_name":"b"}},"#
        + #""extras":{"some_key":[{"other_key":1}],"UPPER-Key":{}},"counts":{"very_high":3},"wrapped":{"a_b":1}}"#
    private static let page = Page(
        pageTitle: "T", labelsByName: ["en_US": Label(shortName: "a"), "de_DE": Label(shortName: "b")],
        extras: ["some_key": [["other_key": 1]], "UPPER-Key": [:]], counts: [.veryHigh: 3],
        wrapped: Wrapped(names: ["a_b": 1]))

    @Test func `dictionaries and dynamic values keep their keys, both ways`() throws {
        let profile = try Profile(.keys(.camelCase, from: .snakeCase), .output(sortKeys: true))
        #expect(try ConvertDecoder(profile).decode(Page.self, from: Self.json) == Self.page)
        let written = try ConvertEncoder(profile).encode(Self.page)
        #expect(try JSONValue(parsing: written) == JSONValue(parsing: Self.json))
        // The order is that of the keys in the output, not of an earlier form of them.
        let labels = String(decoding: written, as: UTF8.self).firstRange(of: #"{"de_DE":{"short_name":"b"},"en_US""#)
        #expect(labels != nil)
        let forward = try Profile(.keys(.snakeCase))
        let again = try ConvertEncoder(forward, applying: .forward).encode(Self.page)
        #expect(try JSONValue(parsing: again) == JSONValue(parsing: Self.json))
    }

    @Test func `Foundation with its own strategy reads dictionaries by strings equally`() throws {
        let json = #"{"label_map":{"en_US":{"short_name":"a"},"x_y":{"short_name":"b"}}}"#
        struct Labels: Codable, Hashable { var labelMap: [String: Label] }
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        let expected = try foundation.decode(Labels.self, from: Data(json.utf8))
        #expect(try ConvertDecoder(Profile(.keys(.camelCase))).decode(Labels.self, from: json) == expected)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let written = try JSONValue(parsing: [UInt8](try encoder.encode(expected)))
        let ours = try ConvertEncoder(Profile(.keys(.camelCase, from: .snakeCase))).encode(expected)
        #expect(try JSONValue(parsing: ours) == written)
    }

    @Test func `keys that are data are rewritten only if requested`() throws {
        let profile = try Profile(.keys(.camelCase, from: .snakeCase))
        var decoder = try ConvertDecoder(profile)
        decoder.rewritesDataKeys = true
        let value = try decoder.decode([String: JSONValue].self, from: #"{"a_b":{"c_d":1}}"#)
        #expect(value == ["aB": ["cD": 1]])
        var encoder = try ConvertEncoder(profile)
        encoder.rewritesDataKeys = true
        #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == #"{"a_b":{"c_d":1}}"#)
    }

    @Test func `other rules also apply to keys that are data`() throws {
        let profile = try Profile(
            .keys(.camelCase), .rename("old_key", to: "new_key"), .dates(at: "/created/*", to: .epochSeconds),
            .drop("/**/secret_key"))
        let json =
            #"{"created":{"first_day":"1970-01-01T00:00:07Z"},"rest":{"old_key":1,"secret_key":2,"other_key":3}}"#
        let value = try ConvertDecoder(profile).decode([String: [String: Int]].self, from: json)
        #expect(value == ["created": ["first_day": 7], "rest": ["new_key": 1, "other_key": 3]])
        let forward = try ConvertEncoder(profile, applying: .forward)
        let written = try forward.encode(["rest": ["old_key": 1, "otherKey_x": 3]])
        #expect(try JSONValue(parsing: written) == ["rest": ["new_key": 1, "otherKey_x": 3]])
        // A rule must find a key that it names, so nothing would protect such a key from the case rule.
        #expect(throws: EncodingError.self) { try forward.encode(["rest": ["first_day": 1, "secret_key": 3]]) }
    }

    @Test func `keys that cannot be distinguished are an error with the path`() throws {
        // The default is added beside `user_id` only where keys are not rewritten.
        let profile = try Profile(.keys(.camelCase), .default("/userId", 1))
        let error = #expect(throws: DecodingError.self) {
            try ConvertDecoder(profile).decode(JSONValue.self, from: #"{"user_id":2,"x":{"a_b":1}}"#)
        }
        #expect(String(describing: error).contains(#"list "/*", as the payload spells it, in `except`"#))
        // A type without dynamic values has no such ambiguity.
        struct User: Codable, Hashable { var userId: Int }
        #expect(try ConvertDecoder(profile).decode(User.self, from: #"{"user_id":2}"#) == User(userId: 2))
    }

    @Test func `two dictionary keys that the case rule makes equal are an error, unless opaque`() throws {
        struct Page: Decodable, Equatable { var userCounts: [String: Int] }
        let json = #"{"user_counts":{"user_id":1,"userId":2}}"#
        let error = #expect(throws: DecodingError.self) {
            try ConvertDecoder(Profile(.keys(.camelCase))).decode(Page.self, from: json)
        }
        let context = try #require(error?.context(of: .dataCorrupted))
        #expect((context.underlyingError as? ConversionError)?.code == .collision)
        #expect(context.debugDescription.hasSuffix(#"list "/user_counts/*" in `except` of the profile's `keys`"#))
        let whole = #expect(throws: DecodingError.self) {
            try ConvertDecoder(Profile(.keys(.camelCase))).decode([String: Int].self, from: #"{"a_b":1,"aB":2}"#)
        }
        let ofRoot = try #require(whole?.context(of: .dataCorrupted))
        #expect(ofRoot.debugDescription.hasSuffix(#"list "/*" in `except` of the profile's `keys`"#))
        let unread = try ConvertDecoder(Profile(.keys(.camelCase, except: ["/*"])))
        #expect(try unread.decode([String: Int].self, from: #"{"a_b":1,"aB":2}"#) == ["a_b": 1, "aB": 2])
        let opaque = try ConvertDecoder(Profile(.keys(.camelCase, opaque: ["/user_counts"])))
        #expect(try opaque.decode(Page.self, from: json) == Page(userCounts: ["user_id": 1, "userId": 2]))
    }

    @Test func `dictionaries distinguish many keys, keys with escapes and two spellings of a key`() throws {
        let names = (0..<300).map { "key_\($0)" } + ["", "_", "a\"b_c", "é_x", "\u{7F}x_y", "1_2", "Ünder_Score"]
        let value = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        let profile = try Profile(.keys(.camelCase, from: .snakeCase))
        let written = try ConvertEncoder(profile).encode(value)
        #expect(try ConvertDecoder().decode([String: Int].self, from: written) == value)
        #expect(try ConvertDecoder(profile).decode([String: Int].self, from: written) == value)
    }

    private struct Totals: Encodable {
        var all: [String: Int]
        var first: Int
    }

    @Test func `a rule that gives a member the key of a dictionary's member is a collision`() throws {
        let keys = ProfileRule.keys(.snakeCase, from: .camelCase)
        func encoder(_ rules: ProfileRule...) throws -> ConvertEncoder {
            try ConvertEncoder(Profile(rules: [keys] + rules), applying: .forward)
        }
        let error = #expect(throws: EncodingError.self) {
            try encoder(.rename(["x": "firstOne"])).encode(["x": 1, "firstOne": 2])
        }
        let context = try #require(error?.context)
        let cause = context.underlyingError as? ConversionError
        #expect(cause?.code == .collision && cause?.message.contains("`on.collision`") == true, "\(cause as Any)")
        let totals = Totals(all: ["first_one": 9], first: 5)
        #expect(throws: EncodingError.self) {
            try encoder(.move("/first", to: "/all/first_one")).encode(totals)
        }
        #expect(throws: EncodingError.self) {
            try encoder(.flatten("/all"), .rename(["first": "first_one"])).encode(totals)
        }
        let first = try encoder(.move("/first", to: "/all/first_one"), .on(collision: .first), .output(indent: 1))
        #expect(try first.encode(totals) == Array("{\n \"all\": {\n  \"first_one\": 9\n }\n}".utf8))
        #expect(
            try encoder(.rename(["x": "y"])).encode(["x": 1, "firstOne": 2]).count
                == #"{"y":1,"firstOne":2}"#.utf8.count)
    }

    @Test(arguments: [
        (#""move":{"/a_b/c_d":"/x_y"}"#, #"{"a_b":{"e_f":2,"c_d":1},"z_z":3}"#),
        (#""move":{"/m/*/c_d":"/m/*/x_y"}"#, #"{"m":{"k_k":{"c_d":1}}}"#),
        (#""flatten":{"at":"/home","prefix":"home_"}"#, #"{"a_b":2,"home":{"s_t":1}}"#),
        (#""flatten":{"at":"/home","names":["street"]}"#, #"{"a_b":2,"home":{"street":1}}"#),
        (#""wrap":"data""#, #"{"a_b":1}"#),
        (#""unwrap":"/data""#, #"{"data":{"a_b":1}}"#),
    ])
    func `an encoder writes what a decoder has read where a rule moves keys that are data`(
        rule: String, payload: String
    ) throws {
        let profile = try Profile(parsing: #"{"keys":{"case":"camelCase","from":"snake_case"},\#(rule)}"#)
        let value = try ConvertDecoder(profile).decode(JSONValue.self, from: payload)
        #expect(try ConvertEncoder(profile).encode(value) == Array(payload.utf8))
    }

    @Test func `a moved key that is data and that the case rule would rewrite is an error`() throws {
        let profile = try Profile(.keys(.camelCase, from: .snakeCase), .move("/a_b/c_d", to: "/xY"))
        #expect(throws: EncodingError.self) { try ConvertEncoder(profile).encode(["xY": 1]) }
        // A prefix may be that of any other key.
        let flattened = try Profile(.keys(.camelCase, from: .snakeCase), .flatten("/home", prefix: "home"))
        #expect(try ConvertEncoder(flattened).encode(["m": ["homeTown": 1]]) == Array(#"{"m":{"homeTown":1}}"#.utf8))
    }

    @Test(arguments: [#""error""#, #""keep""#])
    func `keys that rules name are sorted among those that are data`(collision: String) throws {
        let profile = try Profile(
            parsing: #"""
                {
                  "keys": { "case": "camelCase", "from": "snake_case" },
                  "values": { "at": "/bb", "as": "string" },
                  "on": { "collision": \#(collision) },
                  "output": { "sortKeys": true, "indent": 1 }
                }
                """#)
        let value = try JSONValue(parsing: #"{"c_c":3,"bb":2,"a_a":1}"#)
        let expected = "{\n \"a_a\": 1,\n \"bb\": \"2\",\n \"c_c\": 3\n}"
        #expect(try ConvertEncoder(profile, applying: .forward).encode(value) == Array(expected.utf8))
    }

    @Test func `keys of any length and all levels of values are written, also through a profile`() throws {
        let key = String(repeating: "k", count: 70_000)
        let depth = JSONValue.maxDepth
        let brackets = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        let nested = try JSONValue(parsing: brackets, limits: Limits(maxDepth: depth))
        let encoders = [
            ConvertEncoder(output: OutputOptions(escapes: .ascii)),
            try ConvertEncoder(Profile(.keys(.camelCase, from: .snakeCase), .output(sortKeys: true))),
        ]
        for encoder in encoders {
            #expect(try encoder.encode([key: 1]) == Array(#"{"\#(key)":1}"#.utf8))
            #expect(try encoder.encode(nested) == brackets)
        }
        let wrapping = try ConvertEncoder(
            Profile(.keys(.camelCase), .wrap("data"), .output(sortKeys: true)), applying: .forward)
        let inside = String(decoding: brackets.dropFirst().dropLast(), as: UTF8.self)
        let object = try JSONValue(parsing: #"{"a_b":\#(inside)}"#, limits: Limits(maxDepth: depth))
        #expect(try wrapping.encode(object) == Array(#"{"data":{"a_b":\#(inside)}}"#.utf8))
    }

    @Test func `errors contain the encoded keys`() throws {
        let encoder = try ConvertEncoder(
            Profile(.keys(.snakeCase, from: .camelCase), .values(at: "/**/count", as: .boolean)), applying: .forward)
        let error = #expect(throws: EncodingError.self) { try encoder.encode(["someKey": ["count": "x"]]) }
        let context = try #require(error?.context)
        #expect((context.underlyingError as? ConversionError)?.pointer == "/someKey/count")
        #expect(context.debugDescription.hasSuffix(#" at "/someKey/count""#))
    }
}
