import ConvertEngine
import FoundationEssentials
import Testing

@testable import ConvertCodable
@testable import ConvertProfiles

/// Errors of values that a profile renamed or moved.
struct PayloadPointersTests {
    private struct Feed: Codable, Hashable {
        var articles: [Article]
    }

    private struct Article: Codable, Hashable {
        var headline: String
        var readCount: Int8?
    }

    private func description(_ decoder: ConvertDecoder, _ type: (some Decodable).Type, _ json: String) -> String {
        let error = #expect(throws: DecodingError.self, "\(json)") { try decoder.decode(type, from: json) }
        return error?.parts.context.debugDescription ?? ""
    }

    @Test func `below a dictionary whose keys stay, an error has both pointers as well`() throws {
        struct Lists: Decodable {
            struct Item: Decodable { var userId: Int }
            var listMap: [String: [Item]]
        }
        let decoder = try ConvertDecoder(Profile(.keys(.camelCase)))
        #expect(
            description(decoder, Lists.self, #"{"list_map":{"en_US":[{"user_id":1},{"user_id":"x"}]}}"#)
                == #"expected Int, found a string at "/listMap/en_US/1/userId", which is "/list_map/en_US/1/user_id" in the payload"#
        )
    }

    @Test func `an error has the pointer of the type and that of the payload`() throws {
        let decoder = try ConvertDecoder(
            Profile(
                .at("/articles/*", .move("/content/headline", to: "/headline"), .rename("/reads", to: "readCount"))))
        let rows: [(article: String, description: String)] = [
            (
                #"{"content":{"headline":7}}"#,
                #"expected String, found a number at "/articles/1/headline", which is "/articles/1/content/headline" in the payload"#
            ),
            (
                #"{"content":"x"}"#,
                #"expected the key "headline", found none at "/articles/1"; the profile moves it there from "/articles/*/content/headline""#
            ),
            (
                #"{"content":{"headline":"x"},"reads":"y"}"#,
                #"expected Int8, found a string at "/articles/1/readCount", which is "/articles/1/reads" in the payload"#
            ),
            (
                #"{"content":{"headline":"x"},"reads":300}"#,
                #"expected a number that Int8 holds, found another number at "/articles/1/readCount", which is "/articles/1/reads" in the payload"#
            ),
            (#"[]"#, #"expected Dictionary<String, Any>, found an array at "/articles/1""#),
        ]
        for row in rows {
            let payload = #"{"articles":[{"content":{"headline":"x"}},\#(row.article)]}"#
            #expect(description(decoder, Feed.self, payload) == row.description)
        }
    }

    @Test func `errors of nested types and skipped elements have both pointers`() throws {
        let profile = try Profile(
            .keys(.camelCase, from: .snakeCase), .move("/content/headline", to: "/headline"))
        let described = try ConvertDecoder(profile, describing: Article.self)
        #expect(
            description(described, [Article].self, #"[{"content":{"headline":"x"},"read_count":true}]"#)
                .hasSuffix(#"at "/0/readCount", which is "/0/read_count" in the payload"#))
        let swapped = try ConvertDecoder(Profile(.rename(["a": "b", "b": "a"])), applying: .inverse)
        #expect(
            description(swapped, [String: Int].self, #"{"a":"x"}"#)
                == #"expected Int, found a string at "/b", which is "/a" in the payload"#)

        // The first element is dropped, so the type sees each later element at an index one lower.
        var skipping = try ConvertDecoder(Profile(.rename("items", to: "articles"), .drop("/items/0")))
        skipping.elementFailures = [ElementFailureRule(.skip)]
        let report = try skipping.decodeReporting(
            Feed.self, from: #"{"items":[{},{"headline":"x"},{"headline":1}]}"#)
        #expect(report.value.articles == [Article(headline: "x")])
        #expect(report.failures.map(\.pointer) == ["/articles/1"])
        #expect(report.failures.map(\.payloadPointer) == ["/items/2"])
        #expect(String(describing: report.failures[0].error).contains("/items/2/headline"))
        var plain = ConvertDecoder()
        plain.elementFailures = [ElementFailureRule(.skip)]
        #expect(try plain.decodeReporting([Int].self, from: "[1,true]").failures.map(\.payloadPointer) == ["/1"])
    }

    @Test func `errors of the inverse also have both pointers`() throws {
        struct Wire: Decodable {
            var articles: [Article]
            var code: Int

            struct Article: Decodable { var content: Content? }
            struct Content: Decodable { var headline: String }
        }
        let profile = try Profile(
            .at("/articles/*", .move("/content/headline", to: "/headline")), .rename("code", to: "number"),
            .wrap("/data"))
        let decoder = try ConvertDecoder(profile, applying: .inverse)
        for (json, end) in [
            (
                #"{"data":{"number":1,"articles":[{},{"headline":7}]}}"#,
                #"found a number at "/articles/1/content/headline", which is "/data/articles/1/headline" in the payload"#
            ),
            (
                #"{"data":{"articles":[],"number":"x"}}"#,
                #"found a string at "/code", which is "/data/number" in the payload"#
            ),
            (
                #"{"data":{"number":1,"articles":[{"content":{}}]}}"#,
                #"found none at "/articles/0/content"; the profile moves it there from "/articles/*/headline""#
            ),
        ] {
            let text = description(decoder, Wire.self, json)
            #expect(text.hasSuffix(end), "\(text)")
        }
    }

    @Test func `the position of one value needs no memory for the others`() throws {
        // A pointer to each element would take gigabytes.
        let key = String(repeating: "k", count: 60_000)
        let elements = String(repeating: "1,", count: 90_000)
        let json = #"{"h":{"\#(key)":[\#(elements)"x"]}}"#
        let decoder = try ConvertDecoder(Profile(.rename("h", to: "g")))
        let text = description(decoder, [String: [String: [Int]]].self, json)
        #expect(text.hasSuffix(#"which is "/h/\#(key)/90000" in the payload"#))
    }

    @Test func `errors of large payloads have only the pointer of the type`() throws {
        let decoder = try ConvertDecoder(Profile(.rename("h", to: "headline")))
        for (count, isPlaced) in [(100, true), (PayloadPointers.maxPayloadBytes, false)] {
            let json = #"{"h":1,"text":"\#(String(repeating: "x", count: count))"}"#
            #expect(description(decoder, Article.self, json).contains("in the payload") == isPlaced)
        }
        for (count, isPlaced) in [(100_000, true), (PayloadPointers.maxValues, false)] {
            let json = #"{"h":1,"list":[\#(String(repeating: "0,", count: count))0]}"#
            #expect(description(decoder, Article.self, json).contains("in the payload") == isPlaced)
        }
    }
}
