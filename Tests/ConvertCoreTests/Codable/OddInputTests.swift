import ConvertCore
import FoundationEssentials
import Testing

/// Odd input to ConvertDecoder, JSONValue and ValueSerializer.
struct OddInputTests {
    private static let anything = ValueSerializer<JSONValue>.json

    // MARK: Numbers

    @Test func `zeros in every spelling are zero, in every type`() throws {
        let decoder = ConvertDecoder()
        func zero<Value: FixedWidthInteger & Decodable>(_ type: Value.Type, _ text: String) throws {
            #expect(try decoder.decode(type, from: text) == 0, "\(type) from \(text)")
        }
        for text in ["0", "-0", "0.0", "-0.0", "-0.0e5", "0e5", "-0.000E-400", "0e999999999999"] {
            try zero(UInt.self, text)
            try zero(UInt8.self, text)
            try zero(UInt16.self, text)
            try zero(UInt32.self, text)
            try zero(UInt64.self, text)
            try zero(Int.self, text)
            try zero(Int8.self, text)
            let double = try decoder.decode(Double.self, from: text)
            #expect(double == 0)
            #expect((double.sign == .minus) == text.hasPrefix("-"), "\(text)")
            #expect(try decoder.decode(JSONNumber.self, from: text).text == text)
        }
        // A documented deviation of Foundation: RFC 8259 section 6 allows the number.
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Double.self, from: Data("-0.0e5".utf8)) }
    }

    @Test func `an integer of 1e-400 is refused, unlike in Foundation, and a JSONNumber keeps it`() throws {
        #expect(try JSONDecoder().decode(Int.self, from: Data("1e-400".utf8)) == 0)
        let error = #expect(throws: DecodingError.self) {
            try ConvertDecoder().decode([String: [Int]].self, from: #"{"a":[1e-400]}"#)
        }
        let context = try #require(error?.context(of: .dataCorrupted))
        #expect(context.debugDescription == #"expected a number that Int holds, found another number at "/a/0""#)
        #expect(try ConvertDecoder().decode(JSONNumber.self, from: "1e-400").text == "1e-400")
        #expect(JSONNumber("1e-400")?.int == nil)
        // 34028236 times ten to the power of 31.
        let whole = try #require(UInt128("34028236" + String(repeating: "0", count: 31)))
        #expect(try ConvertDecoder().decode(UInt128.self, from: "3.4028236e38") == whole)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(UInt128.self, from: Data("3.4028236e38".utf8)) }
        #expect(JSONNumber("1e-400")?.double == 0)
    }

    @Test func `numbers of any length are exact or refused, and not in messages`() throws {
        let digits = String(repeating: "7", count: 100_000)
        for text in [digits, "-" + digits + "." + digits, "1e" + digits, "0." + digits, digits + "e-999999"] {
            #expect(try JSONValue(parsing: text).number?.text == text)
            #expect(try Self.anything.value(fromJSON: Array(text.utf8)).number?.text == text)
            for error in [
                #expect(throws: DecodingError.self) { try ConvertDecoder().decode(Int.self, from: text) },
                #expect(throws: DecodingError.self) { try ConvertDecoder().decode([UInt8].self, from: "[\(text)]") },
            ] {
                #expect("\(String(describing: error))".utf8.count < 500)
            }
            _ = JSONNumber(text)?.hashValue
        }
        #expect(throws: DecodingError.self) { try ConvertDecoder().decode(Double.self, from: digits) }
        #expect(JSONNumber(digits) != JSONNumber(digits + "0"))
        #expect(JSONNumber(digits + "0") == JSONNumber(digits + "0.0"))
    }

    @Test func `a Decimal that is not a number cannot be encoded`() throws {
        let error = #expect(throws: EncodingError.self) { try ConvertEncoder().encode(["a": [1, Decimal.nan]]) }
        let context = try #require(error?.context)
        #expect(JSONPointer(codingPath: context.codingPath).description == "/a/1")
        #expect(throws: EncodingError.self) { try ConvertEncoder().encode(Decimal.nan) }
    }

    // MARK: Nesting

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    @Test func `nesting above 512 containers is refused, unless a larger limit is set`() throws {
        let deepest = Self.nested(512)
        #expect(try JSONValue(parsing: deepest).description == deepest)
        #expect(try ConvertDecoder().decode(JSONValue.self, from: deepest).description == deepest)
        #expect(try ConvertDecoder().decode(Shape.Either.self, from: deepest) != .nothing)
        #expect(try Self.anything.json(from: Self.anything.value(fromJSON: Array(deepest.utf8))) == Array(deepest.utf8))
        for depth in [513, 100_000] {
            let deeper = Self.nested(depth)
            let refusal = #expect(throws: ConversionError.self) { try JSONValue(parsing: deeper) }
            #expect(refusal?.code == .limit)
            #expect(refusal?.offset == 512)
            #expect(throws: DecodingError.self) { try ConvertDecoder().decode(Shape.Either.self, from: deeper) }
            #expect(throws: SerializationError.self) { try Self.anything.value(fromJSON: Array(deeper.utf8)) }
        }
        // A larger limit applies only up to the depth that the stack can safely hold.
        let limits = Limits(maxDepth: 1_000_000)
        let most = Self.nested(JSONValue.maxDepth)
        #expect(try JSONValue(parsing: most, limits: limits).description == most)
        let decoder = ConvertDecoder(limits: limits)
        #expect(try decoder.decode(JSONValue.self, from: most).description == most)
        let either = try decoder.decode(Shape.Either.self, from: most)
        #expect(String(decoding: try ConvertEncoder().encode(either), as: UTF8.self) == most)
        for depth in [JSONValue.maxDepth + 1, 100_000] {
            #expect(throws: ConversionError.self) { try JSONValue(parsing: Self.nested(depth), limits: limits) }
            #expect(throws: DecodingError.self) { try decoder.decode(JSONValue.self, from: Self.nested(depth)) }
        }
    }

    // MARK: Text

    @Test func `ten megabytes of text are read as one string`() throws {
        let text = String(repeating: "aé😀\\\"" + String(repeating: "x", count: 1_024), count: 10_000)
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let json = Array("\"\(escaped)\"".utf8)
        #expect(json.count > 10_000_000)
        #expect(try JSONValue(parsing: json) == .string(text))
        #expect(try ConvertDecoder().decode(String.self, from: json) == text)
        let part = String(text.prefix(100_000))
        let partly = JSONValue.string(part).bytes()
        #expect(try ConvertEncoder().encode(part) == partly)
        #expect(try ValueSerializer<String>.string.value(fromJSON: partly) == part)
        let error = #expect(throws: DecodingError.self) { try ConvertDecoder().decode(Int.self, from: json) }
        #expect("\(String(describing: error))".utf8.count < 500)
    }

    @Test func `bytes that are not UTF-8 are malformed anywhere`() throws {
        // RFC 3629: a stray continuation byte, an overlong form, a surrogate, a value above U+10FFFF, a sequence cut off, an unused
        // byte.
        let broken: [[UInt8]] = [
            [0x80], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
            [0xFF], [0xF0, 0x9F, 0x98],
        ]
        for bytes in broken {
            for (before, behind) in [(#"{"a":["#, #"]}"#), (#"{""#, #"":1}"#), ("", "")] {
                let quote = before.hasSuffix("\"") ? "" : "\""
                let json = Array((before + quote).utf8) + bytes + Array((quote + behind).utf8)
                let refusal = #expect(throws: ConversionError.self) { try JSONValue(parsing: json) }
                #expect(refusal?.code == .json)
                #expect(refusal?.line == 1)
                let error = #expect(throws: DecodingError.self) {
                    try ConvertDecoder().decode(JSONValue.self, from: json)
                }
                let context = try #require(error?.context(of: .dataCorrupted))
                #expect((context.underlyingError as? ConversionError) == refusal)
                #expect(throws: SerializationError.self) { try Self.anything.value(fromJSON: json) }
            }
        }
    }

    @Test func `half of a surrogate pair is an error with its position, in values and keys`() throws {
        let rows = [
            (#"{"a/b":["x","\ud800"]}"#, "/a~1b/1"), (#"{"a":{"k":"\udc00\ud800"}}"#, "/a/k"), (#""\ud83dx""#, ""),
        ]
        for (json, pointer) in rows {
            #expect(#expect(throws: ConversionError.self) { try JSONValue(parsing: json) }?.pointer == pointer)
            let error = #expect(throws: DecodingError.self) { try ConvertDecoder().decode(JSONValue.self, from: json) }
            let context = try #require(error?.context(of: .dataCorrupted))
            #expect(context.debugDescription.hasSuffix(#"found half of a surrogate pair at "\#(pointer)""#))
            let serialized = #expect(throws: SerializationError.self) {
                try Self.anything.value(fromJSON: Array(json.utf8))
            }
            #expect(serialized?.pointer == pointer)
        }
        // A key that no String can hold would silently disappear from a dictionary.
        let name = #"{"a":{"b":1,"\ud800":2}}"#
        let error = #expect(throws: DecodingError.self) {
            try ConvertDecoder().decode([String: [String: Int]].self, from: name)
        }
        let context = try #require(error?.context(of: .dataCorrupted))
        #expect(context.codingPath.map(\.stringValue) == ["a"])
        #expect(throws: ConversionError.self) { try JSONValue(parsing: name) }
        #expect(throws: SerializationError.self) { try Self.anything.value(fromJSON: Array(name.utf8)) }
        // The two escaped halves of a surrogate pair are one character.
        #expect(try ConvertDecoder().decode([String: Int].self, from: #"{"\ud83d\ude00":1}"#) == ["😀": 1])
    }

    // MARK: Names

    @Test func `the first of duplicate keys counts, as in Foundation; a JSONValue has all`() throws {
        let json = #"{"a":1,"\u0061":2,"b":3,"a":4}"#
        #expect(try ConvertDecoder().decode([String: Int].self, from: json) == ["a": 1, "b": 3])
        #expect(try JSONDecoder().decode([String: Int].self, from: Data(json.utf8)) == ["a": 1, "b": 3])
        #expect(try JSONValue(parsing: json).object?.values(named: "a") == [1, 2, 4])
        let error = #expect(throws: SerializationError.self) {
            try ValueSerializer<[String: Int]>.dictionary(of: .integer).value(fromJSON: Array(json.utf8))
        }
        #expect(error == SerializationError(expected: "a key once", found: "it twice", pointer: "/a"))
    }

    @Test func `keys are found by their bytes, and pointers are split at every slash`() throws {
        let composed = "\u{E9}"
        let decomposed = "e\u{301}"
        let value: JSONValue = [composed: 1, decomposed: 2, "\u{301}": ["\u{301}x": 3]]
        #expect(value[composed] == 1)
        #expect(value[decomposed] == 2)
        // U+0301 forms one character with the slash before it, but a pointer is still split at the slash.
        #expect(value[pointer: "/\u{301}/\u{301}x"] == 3)
        #expect(JSONPointer("/\u{301}/\u{301}x")?.segments.map { Array($0.unicodeScalars).count } == [1, 2])
        #expect(JSONPointer(segments: ["a/b", "~", ""]).description == "/a~1b/~0/")
        #expect(JSONPointer("/a~1b/~0/") == JSONPointer(segments: ["a/b", "~", ""]))
        let members = (0..<100_000).map { #""n\#($0)":\#($0)"# }
        let large = try JSONValue(parsing: "{" + members.joined(separator: ",") + "}")
        #expect(large["n99999"] == 99_999)
        #expect(large.object?.duplicateNames == [])
    }

    // MARK: Time

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    /// Decodes the members of an object from the last to the first, then looks up as many missing keys.
    private struct Backwards: Decodable {
        var values: [Int] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            for key in container.allKeys.reversed() { values.append(try container.decode(Int.self, forKey: key)) }
            for key in container.allKeys where container.contains(Key(stringValue: "no " + key.stringValue)) {
                Issue.record("found what is not there")
            }
        }
    }

    /// Without an index, each lookup would pass over all other members: minutes for 40,000 members in reverse order.
    @Test(.linearTime)
    func `large objects are read in linear time, in any order and with duplicates`() throws {
        let count = 40_000
        let members = (0..<count).map { #""n\#($0)":\#($0)"# }
        let json = "{" + members.joined(separator: ",") + #","n7":-1,"\u006e8":-1}"#
        let names = Dictionary(uniqueKeysWithValues: (0..<count).map { ("n\($0)", $0) })
        let backwards = try ConvertDecoder().decode(Backwards.self, from: json)
        #expect(backwards.values == (0..<count).reversed())
        let keeping = try ConvertDecoder(Profile(.on(duplicateKey: .keep)))
        #expect(try keeping.decode([String: Int].self, from: json) == names)
        // The decoder reuses its memory, but not the table of the previous payload's keys.
        let others = json.replacing("\"n", with: "\"m")
        #expect(try keeping.decode([String: Int].self, from: others)["m5"] == 5)
        #expect(try keeping.decode([String: Int].self, from: others)["n5"] == nil)
    }

    @Test(.linearTime)
    func `elements and members of a large value are set in linear time`() {
        let count = 200_000
        var array = JSONValue.array(Array(repeating: 1, count: count))
        for index in 0..<count { array[index] = 2 }
        #expect(array == .array(Array(repeating: 2, count: count)))
        var object = JSONValue.object(JSONObject((0..<count).map { .init(name: "n\($0)", value: 1) }))
        for _ in 0..<count { object["n0"] = 2 }
        #expect(object["n0"] == 2)
        #expect(object.object?.count == count)
    }

    /// Opens a container for each key.
    private struct Opening: Encodable {
        var count: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            let keys = (0..<count).map { Key(stringValue: "n\($0)") }
            for key in keys { _ = container.nestedUnkeyedContainer(forKey: key) }
            for (index, key) in keys.enumerated() { try container.encode(index, forKey: key) }
        }
    }

    @Test(.linearTime)
    func `an object with many containers is written in linear time, and the last value of a key counts`() throws {
        let count = 100_000
        let values = Dictionary(uniqueKeysWithValues: (0..<count).map { ("n\($0)", $0) })
        let json = try ConvertEncoder().encode(Opening(count: count))
        #expect(try ConvertDecoder().decode([String: Int].self, from: json) == values)
    }

    /// A failed attempt costs time in proportion to its own depth, not to the text before it. Two minutes are far more than it
    /// takes.
    @Test(
        "a hundred thousand elements that are tried as one type and then another take time in proportion",
        .linearTime)
    func alternatives() throws {
        let count = 100_000
        let json = "[" + repeatElement(#""x""#, count: count).joined(separator: ",") + "]"
        let tried = try ConvertDecoder().decode([Shape.Either].self, from: json)
        #expect(tried.count == count)
        var decoder = ConvertDecoder()
        decoder.elementFailures = [ElementFailureRule(.skip)]
        let report = try decoder.decodeReporting([Int].self, from: json)
        #expect(report.value.isEmpty)
        #expect(report.failures.count == count)
        #expect(report.failures.last?.pointer == "/99999")
    }

    @Test func `all decoders refuse a damaged document or read the same from it`() throws {
        var documents = DocumentMutator(seed: 20_260_728)
        let exact = try ConvertDecoder(Profile(.on(duplicateKey: .keep)))
        var accepted = 0
        for _ in 0..<2_000 {
            let json = documents.next()
            guard let value = try? JSONValue(parsing: json) else {
                #expect(throws: DecodingError.self) { try ConvertDecoder().decode(JSONValue.self, from: json) }
                #expect(throws: SerializationError.self) { try Self.anything.value(fromJSON: json) }
                continue
            }
            accepted += 1
            #expect(try JSONValue(parsing: value.bytes()) == value)
            #expect(try Self.anything.value(fromJSON: json) == value)
            #expect(try Self.anything.json(from: value) == value.bytes())
            #expect(try JSONValue(parsing: ConvertEncoder().encode(value)) == value)
            #expect(try exact.decode(JSONValue.self, from: json) == value)
            // Any type gives a value or an error, and never traps.
            _ = try? ConvertDecoder().decode([String: [Shape.Event]].self, from: json)
            _ = try? ConvertDecoder().decode([Shape.Rows].self, from: json)
            _ = try? ConvertDecoder().decode(Shape.Census.self, from: json)
            if let either = try? ConvertDecoder().decode(Shape.Either.self, from: json) {
                let again = try ConvertDecoder().decode(Shape.Either.self, from: ConvertEncoder().encode(either))
                #expect(again == either)
            }
        }
        #expect(accepted > 200)
    }
}
