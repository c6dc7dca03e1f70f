import ConvertCore
import ConvertEngine
import TestSupport
import Testing

@testable import ConvertCodable

/// A `JSONValue` keeps all keys, so its decoder with a case rule has to find each key that the rule changed.
/// The payload's own keys, which are found again after the case rule.
struct PayloadKeyTests {
    /// Reads an object as a dictionary and as a type.
    private struct Both: Decodable {
        var userId: Int
        var all: [String: Int]

        private enum Key: CodingKey { case userId }

        init(from decoder: any Decoder) throws {
            let before = try [String: Int](from: decoder)
            userId = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .userId)
            all = try [String: Int](from: decoder)
            #expect(all == before)
        }
    }

    private static func value(_ json: String, _ decoder: ConvertDecoder) throws {
        let found = try decoder.decode(JSONValue.self, from: json)
        #expect(found == (try ConvertDecoder().decode(JSONValue.self, from: json)), "\(json)")
    }

    @Test func `one object is a dictionary with the payload's keys, and a type with converted ones`() throws {
        let decoder = try ConvertDecoder(Profile(.keys(.camelCase)))
        for _ in 0..<3 {
            let both = try decoder.decode([Both].self, from: #"[{"user_id":1,"x":2,"A_B":3},{"user_id":4}]"#)
            #expect(both.map(\.userId) == [1, 4])
            #expect(both.map(\.all) == [["user_id": 1, "x": 2, "A_B": 3], ["user_id": 4]])
        }
    }

    @Test func `keys that were converted from several keys, also in earlier payloads, are distinguished`() throws {
        let decoder = try ConvertDecoder(Profile(.keys(.camelCase)))
        for json in [
            #"{"a":{"user_id":1},"b":{"UserId":2}}"#, #"{"a":{"userId":1},"b":{"x":2}}"#,
            #"{"userID":[{"user-id":2}]}"#,
            #"{"user\u005fid":{"USER_ID":1}}"#, #"{"é_è":1,"x":{"éÈ":2}}"#, #"{"a\"_b":{"a\"B":1}}"#, "[[{}]]", #""x""#,
        ] {
            try Self.value(json, decoder)
        }
    }

    @Test func `a key that stays is found even if another key became the same, with a full cache, too`() throws {
        let decoder = try ConvertDecoder(Profile(.keys(.camelCase, opaque: ["/a"])))
        try Self.value(#"{"user_id":1,"a":{},"b":""}"#, decoder)
        let many = (0..<6000).map { "\"k_\($0)\":1" }.joined(separator: ",")
        _ = try decoder.decode([String: Int].self, from: "{\(many)}")
        // Keys among the last bytes of a payload are stored.
        let rest = String(repeating: "x", count: 1000)
        try Self.value(#"{"user_id":1,"a":{"userId":2},"b":"\#(rest)"}"#, decoder)
    }

    @Test func `if collisions remove members, the result does not depend on earlier payloads`() throws {
        struct Page: Decodable, Equatable {
            var userId: Int
            var tags: [String: Int]
        }
        let decoder = try ConvertDecoder(Profile(.keys(.camelCase), .on(collision: .first)))
        for _ in 0..<3 {
            let page = try decoder.decode(Page.self, from: #"{"user_id":1,"userId":2,"tags":{"a_b":1}}"#)
            #expect(page == Page(userId: 1, tags: ["a_b": 1]))
            let other = try decoder.decode(Page.self, from: #"{"user_id":3,"tags":{"aB":1}}"#)
            #expect(other == Page(userId: 3, tags: ["aB": 1]))
        }
    }

    @Test func `a dictionary is read to its end, even if the keys of an inner one cannot be found again`() throws {
        struct Counts: Decodable {
            var counts: [String: Int]?
            init(from decoder: any Decoder) throws { counts = try? [String: Int](from: decoder) }
        }
        let decoder = try ConvertDecoder(Profile(.keys(.camelCase), .on(collision: .first)))
        let read = try decoder.decode(
            [String: Counts].self, from: #"{"a_b":{"user_id":1,"userId":2},"c_d":{"x":1},"e_f":{"y_z":2}}"#)
        #expect(read.mapValues(\.counts) == ["a_b": nil, "c_d": ["x": 1], "e_f": ["y_z": 2]])
    }

    @Test func `rules that add, move or rename keys give the same result as before`() throws {
        let rows: [(ProfileRule, String, String)] = [
            (
                .rename("user_id", to: "user_key"), #"{"user_id":1,"a_b":{"userKey":2}}"#,
                #"{"user_key":1,"a_b":{"userKey":2}}"#
            ),
            (.rename("user_id", to: "userId"), #"{"x":{"user_id":1},"a_b":2}"#, #"{"x":{"userId":1},"a_b":2}"#),
            (.default("/newKey", 0), #"{"x":{"new_key":1}}"#, #"{"x":{"new_key":1},"newKey":0}"#),
            (.move("/a_b", to: "/x/c_d"), #"{"a_b":1,"x":{"e_f":2}}"#, #"{"x":{"e_f":2,"c_d":1}}"#),
            (.wrap("/outer_key"), #"{"outer_key":1}"#, #"{"outer_key":{"outer_key":1}}"#),
            (.drop("old_key"), #"{"old_key":1,"new_key":{"a_b":[{"old_key":1}]}}"#, #"{"new_key":{"a_b":[{}]}}"#),
        ]
        for (rule, json, expected) in rows {
            let decoder = try ConvertDecoder(Profile(.keys(.camelCase), rule))
            for _ in 0..<2 {
                let found = try decoder.decode(JSONValue.self, from: json)
                #expect(found == (try JSONValue(parsing: expected)), "\(json)")
            }
        }
    }

    @Test func `a default of one object does not concern the dictionaries of others`() throws {
        struct Shop: Decodable, Equatable {
            var countryCode: String
            var labels: [String: String]
        }
        let decoder = try ConvertDecoder(Profile(.keys(.camelCase), .default("/countryCode", "DE")))
        for _ in 0..<2 {
            let found = try decoder.decode(Shop.self, from: #"{"country_code":"FR","labels":{"x_y":"z"}}"#)
            #expect(found == Shop(countryCode: "FR", labels: ["x_y": "z"]))
            let added = try decoder.decode(Shop.self, from: #"{"labels":{"country":"c"}}"#)
            #expect(added == Shop(countryCode: "DE", labels: ["country": "c"]))
        }
    }

    @Test func `every key of random documents is found, in both directions and with a full cache`() throws {
        var random = SeededGenerator(seed: 7)
        let names = [
            "user_id", "userId", "UserId", "user-id", "userID", "a", "b_c", "bC", "B_C", "1_2", "é_a", "éA", "", "_",
            "x\\n_y",
            "u\\u005fv", "u_v",
        ]
        func document(_ depth: Int) -> String {
            switch random.next() % (depth > 3 ? 2 : 4) {
            case 0: return "1"
            case 1: return #""s""#
            case 2:
                return "[" + (0..<Int(random.next() % 3)).map { _ in document(depth + 1) }.joined(separator: ",") + "]"
            default:
                let members = (0..<Int(random.next() % 4)).map { _ in
                    "\"\(names[Int(random.next() % UInt64(names.count))])\":\(document(depth + 1))"
                }
                return "{" + members.joined(separator: ",") + "}"
            }
        }
        let decoders = [
            try ConvertDecoder(Profile(.keys(.camelCase))),
            try ConvertDecoder(Profile(.keys(.camelCase, from: .snakeCase)), applying: .inverse),
            try ConvertDecoder(Profile(.keys(.snakeCase, except: ["b_c"], opaque: ["/a"]), .rename("x", to: "y"))),
        ]
        var count = 0
        for _ in 0..<3000 {
            let json = document(0)
            for decoder in decoders {
                // Two keys of an object that the case rule makes equal are an error.
                guard (try? decoder.decode(JSONValue.self, from: json)) != nil else { continue }
                count += 1
                try Self.value(json, decoder)
            }
        }
        #expect(count > 4000)
        let many = (0..<20_000).map { "\"some_key_\($0)\":{\"other_key\":\($0)}" }.joined(separator: ",")
        for _ in 0..<2 { try Self.value("{\(many)}", decoders[0]) }
        try Self.value(#"{"some_key_1":{"someKey_2":1}}"#, decoders[0])
        // The memory for a text of 3 MiB is not kept.
        let long = String(repeating: "x", count: 3 * 1024 * 1024)
        for _ in 0..<2 { try Self.value(#"{"a_b":"\#(long)","c_d":{"e_f":1}}"#, decoders[0]) }
        try Self.value(#"{"c_d":{"cD":1,"e_f":2}}"#, decoders[0])
    }
}
