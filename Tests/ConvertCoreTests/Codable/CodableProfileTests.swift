import ConvertCore
import FoundationEssentials
import Testing

/// Every section of a profile through ConvertDecoder and ConvertEncoder.
struct CodableProfileTests {
    private struct Item: Codable, Equatable {
        var id: Int
        var name: String?
    }

    private struct Page: Codable, Equatable {
        var currency: String?
        var items: [Item?]
    }

    private static let page = #"{"currency":"EUR","items":[{"id":1},{"id":"x"},{"id":3,"name":"c"}]}"#

    private func records(_ policy: RecordPolicy) throws -> Profile {
        try Profile(.values(at: "/items/*/id", as: .integer), .records(at: "/items/*", onError: policy))
    }

    @Test func `a bad record fails, is discarded or becomes null and counted, both ways`() throws {
        let error = #expect(throws: DecodingError.self) {
            try ConvertDecoder(try records(.fail)).decode(Page.self, from: Self.page)
        }
        let context = try #require(error?.context(of: .dataCorrupted))
        let cause = try #require(context.underlyingError as? ConversionError)
        #expect(cause.code == .badValue)
        #expect(cause.pointer == "/items/1/id")

        let kept: [(RecordPolicy, [Item?])] = [
            (.skip, [Item(id: 1), Item(id: 3, name: "c")]), (.null, [Item(id: 1), nil, Item(id: 3, name: "c")]),
        ]
        for (policy, items) in kept {
            let read = try ConvertDecoder(try records(policy)).decodeReporting(Page.self, from: Self.page)
            #expect(read.value == Page(currency: "EUR", items: items))
            #expect(read.skippedRecords == 1)
            #expect(read.firstSkippedRecords.map(\.pointer) == ["/items/1"])
            #expect(read.firstSkippedRecords.map(\.code) == [.badValue])
            #expect(read.failures.isEmpty)

            let wire = try JSONValue(parsing: Self.page)
            let written = try ConvertEncoder(try records(policy), applying: .forward).encodeReporting(wire)
            #expect(written.skippedRecords == 1)
            let value = try ConvertDecoder().decode(Page.self, from: written.json)
            #expect(value == Page(currency: "EUR", items: items))
        }
        #expect(throws: EncodingError.self) {
            try ConvertEncoder(try records(.fail), applying: .forward).encode(try JSONValue(parsing: Self.page))
        }
    }

    @Test func `a report lists the first hundred bad records, with their pointers and the codes of their errors`()
        throws
    {
        let profile = try Profile(
            .rename("old", to: "items"), .values(at: "/old/*/id", as: .integer), .require("/old/*/id"),
            .records(at: "/old/*", onError: .skip), .on(duplicateKey: .error))
        let bad = [#"{"id":"x"}"#, "{}", #"{"id":1,"name":1,"name":2}"#]
        let elements = (0..<300).map { $0 % 2 == 0 ? #"{"id":1}"# : bad[$0 / 2 % 3] }
        let json = #"{"old":[\#(elements.joined(separator: ","))]}"#
        let report = try ConvertDecoder(profile).decodeReporting(Page.self, from: json)
        #expect(report.value.items.count == 150)
        #expect(report.skippedRecords == 150)
        #expect(report.firstSkippedRecords.map(\.pointer) == (0..<100).map { "/old/\(2 * $0 + 1)" })
        let codes: [ConversionError.Code] = [.badValue, .require, .duplicateKey]
        #expect(report.firstSkippedRecords.map(\.code) == (0..<100).map { codes[$0 % 3] })
    }

    @Test func `a reused decoder counts the records of each payload separately`() throws {
        let decoder = try ConvertDecoder(try records(.skip))
        for _ in 0..<3 {
            #expect(try decoder.decodeReporting(Page.self, from: Self.page).skippedRecords == 1)
            #expect(try decoder.decodeReporting(Page.self, from: #"{"items":[]}"#).skippedRecords == 0)
        }
    }

    @Test func `records that the type refuses follow the array's rule, and are reported`() throws {
        var decoder = try ConvertDecoder(try records(.skip))
        decoder.elementFailures = [
            ElementFailureRule(.replace(with: ["id": 0]), inArray: "/items"),
            ElementFailureRule(.skip, inArray: try #require(JSONPointer("/others"))),
        ]
        let report = try decoder.decodeReporting(
            [String: [Item]].self, from: #"{"items":[{"id":"x"},{"id":7,"name":7},{"id":2}],"others":[1,{"id":5}]}"#)
        #expect(report.value == ["items": [Item(id: 0), Item(id: 2)], "others": [Item(id: 5)]])
        #expect(report.skippedRecords == 1)
        // The engine left the first item out, so the type sees the second one at index 0.
        #expect(Set(report.failures.map(\.pointer)) == ["/items/0", "/others/0"])
    }

    /// A profile, a payload and the JSON that a forward decoder passes on. The profile format defines the expected values.
    private static let sections: [(rules: [ProfileRule], payload: String, read: String)] = [
        ([.keep("/a", "/b/*")], #"{"a":1,"b":{"c":[2]},"d":3}"#, #"{"a":1,"b":{"c":[2]}}"#),
        ([.keep("/a/**"), .drop("/**/x")], #"{"a":{"x":1,"y":2},"b":3}"#, #"{"a":{"y":2}}"#),
        ([.move("/a/b", to: "/c")], #"{"a":{"b":1},"d":2}"#, #"{"a":{},"d":2,"c":1}"#),
        ([.default("/c/d", ["EUR"]), .default("/e", 1)], #"{"e":null}"#, #"{"e":null,"c":{"d":["EUR"]}}"#),
        (
            [.prune(null: true, emptyString: true, emptyArray: true, emptyObject: true)],
            #"{"a":null,"b":"","c":[],"d":{"e":null},"f":[null]}"#, #"{"f":[null]}"#
        ),
        ([.prune(null: true, inArrays: true)], #"{"f":[null,1,null]}"#, #"{"f":[1]}"#),
        ([.output(sortKeys: true)], #"{"b":{"d":1,"c":2},"a":3}"#, #"{"a":3,"b":{"c":2,"d":1}}"#),
        ([.on(collision: .first), .rename("a", to: "b")], #"{"a":1,"b":2}"#, #"{"b":1}"#),
        ([.on(collision: .last), .rename("a", to: "b")], #"{"a":1,"b":2}"#, #"{"b":2}"#),
        ([.on(duplicateKey: .last)], #"{"a":1,"a":2}"#, #"{"a":2}"#),
        ([.on(duplicateKey: .keep)], #"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#),
        ([.values(at: "s", map: ["0": "off"])], #"{"s":0}"#, #"{"s":"off"}"#),
        ([.values(at: "j", as: .json)], #"{"j":"{\"a\":[1]}"}"#, #"{"j":{"a":[1]}}"#),
        (
            [.rename("first_name", to: "fn"), .keys(.camelCase), .dates(.rfc3339)],
            #"{"first_name":"A","last_name":"2024-01-01T01:00:00+01:00"}"#,
            #"{"fn":"A","lastName":"2024-01-01T00:00:00Z"}"#
        ),
    ]

    @Test func `a decoder reads the converted payload, and an encoder writes it back`() throws {
        for section in Self.sections {
            let profile = try Profile(rules: section.rules)
            var decoder = try ConvertDecoder(profile)
            decoder.rewritesDataKeys = true
            let read = try decoder.decode(JSONValue.self, from: section.payload)
            #expect(read.description == section.read, "\(section.rules)")
            // Only a JSONValue can be a model with duplicate keys.
            let model = try JSONValue(parsing: section.payload)
            var encoder = try ConvertEncoder(profile, applying: .forward)
            encoder.rewritesDataKeys = true
            let written = try encoder.encode(model)
            #expect(String(decoding: written, as: UTF8.self) == section.read, "\(section.rules)")
        }
    }

    @Test func `the inverse restores moves and keys, and leaves one-way changes`() throws {
        let profile = try Profile(
            .keys(.camelCase, from: .snakeCase), .move("/page/title", to: "/headline"), .default("/currency", "EUR"),
            .prune(null: true), .require("/page"), .drop("/**/secret"))
        let value: JSONValue = ["headline": "H", "userId": 1, "secret": nil]
        var encoder = try ConvertEncoder(profile)
        encoder.rewritesDataKeys = true
        var decoder = try ConvertDecoder(profile)
        decoder.rewritesDataKeys = true
        let wire = try JSONValue(parsing: try encoder.encode(value))
        // Nothing is dropped, pruned, required or added on the way back.
        #expect(wire == ["page": ["title": "H"], "user_id": 1, "secret": nil])
        let read = try decoder.decode(JSONValue.self, from: #"{"page":{"title":"H"},"user_id":1}"#)
        #expect(read == ["page": [:], "userId": 1, "headline": "H", "currency": "EUR"])
    }

    @Test func `a missing required value is an error with its pointer and rule`() throws {
        let profile = try Profile(.require("/items/*/id"))
        let error = #expect(throws: DecodingError.self) {
            try ConvertDecoder(profile).decode(JSONValue.self, from: #"{"items":[{"id":1},{}]}"#)
        }
        let context = try #require(error?.context(of: .dataCorrupted))
        let cause = try #require(context.underlyingError as? ConversionError)
        #expect(cause.code == .require)
        #expect(cause.pointer == "/items/1/id")
        #expect(cause.rule == "/require/0")
    }

    @Test func `an encoder without a profile sorts and indents by its options, like a JSONValue`() throws {
        let value: JSONValue = ["b": ["d": "é", "c": []], "a": 1]
        let rows: [(OutputOptions, String)] = [
            (OutputOptions(), #"{"b":{"d":"é","c":[]},"a":1}"#),
            (OutputOptions(sortKeys: true), #"{"a":1,"b":{"c":[],"d":"é"}}"#),
            (OutputOptions(escapes: .ascii), #"{"b":{"d":"\u00e9","c":[]},"a":1}"#),
            (
                OutputOptions(indent: 1, sortKeys: true),
                "{\n \"a\": 1,\n \"b\": {\n  \"c\": [],\n  \"d\": \"é\"\n }\n}"
            ),
        ]
        for (options, text) in rows {
            #expect(String(decoding: try ConvertEncoder(output: options).encode(value), as: UTF8.self) == text)
            #expect(String(decoding: value.bytes(options: options), as: UTF8.self) == text)
        }
    }
}
