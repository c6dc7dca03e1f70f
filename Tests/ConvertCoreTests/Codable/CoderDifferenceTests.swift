import ConvertCore
import FoundationEssentials
import Testing

/// Each member of each type with each value. The types spell out their members, as types outside tests do.
/// Members of every type compared with Foundation's coders, and the differences that ConvertDecoder documents.
struct CoderDifferenceTests {
    struct Required: Codable, Equatable {
        var flag: Bool
        var text: String
        var double: Double
        var float: Float
        var int: Int
        var int8: Int8
        var int16: Int16
        var int32: Int32
        var int64: Int64
        var int128: Int128
        var uint: UInt
        var uint8: UInt8
        var uint16: UInt16
        var uint32: UInt32
        var uint64: UInt64
        var uint128: UInt128
    }

    struct Optionals: Codable, Equatable {
        var flag: Bool?
        var text: String?
        var double: Double?
        var float: Float?
        var int: Int?
        var int8: Int8?
        var int16: Int16?
        var int32: Int32?
        var int64: Int64?
        var int128: Int128?
        var uint: UInt?
        var uint8: UInt8?
        var uint16: UInt16?
        var uint32: UInt32?
        var uint64: UInt64?
        var uint128: UInt128?
    }

    /// Reads every scalar type from an unkeyed container, required and optional, and one value from single-value containers.
    struct Elements: Codable, Equatable {
        var required = Required(
            flag: true, text: "t", double: 1.5, float: 2.5, int: 1, int8: 2, int16: 3, int32: 4, int64: 5, int128: 6,
            uint: 7, uint8: 8, uint16: 9, uint32: 10, uint64: 11, uint128: 12)
        var optionals = Optionals()

        init() {}

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            required = Required(
                flag: try list.decode(Bool.self), text: try list.decode(String.self),
                double: try list.decode(Double.self),
                float: try list.decode(Float.self), int: try list.decode(Int.self), int8: try list.decode(Int8.self),
                int16: try list.decode(Int16.self), int32: try list.decode(Int32.self),
                int64: try list.decode(Int64.self), int128: try list.decode(Int128.self),
                uint: try list.decode(UInt.self), uint8: try list.decode(UInt8.self),
                uint16: try list.decode(UInt16.self), uint32: try list.decode(UInt32.self),
                uint64: try list.decode(UInt64.self), uint128: try list.decode(UInt128.self))
            optionals = Optionals(
                flag: try list.decodeIfPresent(Bool.self), text: try list.decodeIfPresent(String.self),
                double: try list.decodeIfPresent(Double.self), float: try list.decodeIfPresent(Float.self),
                int: try list.decodeIfPresent(Int.self), int8: try list.decodeIfPresent(Int8.self),
                int16: try list.decodeIfPresent(Int16.self), int32: try list.decodeIfPresent(Int32.self),
                int64: try list.decodeIfPresent(Int64.self), int128: try list.decodeIfPresent(Int128.self),
                uint: try list.decodeIfPresent(UInt.self), uint8: try list.decodeIfPresent(UInt8.self),
                uint16: try list.decodeIfPresent(UInt16.self), uint32: try list.decodeIfPresent(UInt32.self),
                uint64: try list.decodeIfPresent(UInt64.self), uint128: try list.decodeIfPresent(UInt128.self))
        }

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(required.flag)
            try list.encode(required.text)
            try list.encode(required.double)
            try list.encode(required.float)
            try list.encode(required.int)
            try list.encode(required.int8)
            try list.encode(required.int16)
            try list.encode(required.int32)
            try list.encode(required.int64)
            try list.encode(required.int128)
            try list.encode(required.uint)
            try list.encode(required.uint8)
            try list.encode(required.uint16)
            try list.encode(required.uint32)
            try list.encode(required.uint64)
            try list.encode(required.uint128)
        }
    }

    /// A value whose container is the value's alone.
    struct Single<Value: Codable & Equatable>: Codable, Equatable {
        var value: Value

        init(value: Value) { self.value = value }

        init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Value.self) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    private static let names = [
        "flag", "text", "double", "float", "int", "int8", "int16", "int32", "int64", "int128", "uint", "uint8",
        "uint16",
        "uint32", "uint64", "uint128",
    ]
    /// The values that replace a member, one at a time. A number with a fraction, read as a `UInt128`, is a documented difference.
    private static let values = [
        "null", "true", #""a""#, "[]", "{}", "-1", "0", "300", "70000", "5000000000", "1.5", "1.0", "1e2", "1e400",
        "18446744073709551616", "170141183460469231731687303715884105728", "340282366920938463463374607431768211456",
    ]

    private static func object(_ values: [String], leavingOut left: Int? = nil) -> String {
        let members = zip(names, values).enumerated().filter { $0.offset != left }.map { #""\#($1.0)":\#($1.1)"# }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static let plain = [
        "true", #""a""#, "1.5", "2.5", "1", "2", "3", "4", "5", "170141183460469231731687303715884105727", "7", "8",
        "9", "10",
        "18446744073709551615", "340282366920938463463374607431768211455",
    ]

    @Test func `required and optional members of every type agree with Foundation, also in errors`() {
        var comparison = CoderComparison()
        comparison.decode(Required.self, Self.object(Self.plain))
        comparison.decode(Optionals.self, Self.object(Self.plain))
        comparison.decode(Optionals.self, "{}")
        for index in Self.names.indices {
            comparison.decode(Required.self, Self.object(Self.plain, leavingOut: index))
            comparison.decode(Optionals.self, Self.object(Self.plain, leavingOut: index))
            for value in Self.values {
                var values = Self.plain
                values[index] = value
                comparison.decode(Required.self, Self.object(values))
                comparison.decode(Optionals.self, Self.object(values))
                comparison.decode([String: [Optionals]].self, #"{"a/b":[\#(Self.object(values))]}"#)
            }
        }
        for value in Self.values + [
            "-170141183460469231731687303715884105728", "170141183460469231731687303715884105727",
        ] {
            comparison.decode(Single<Int128>.self, value)
            comparison.decode([Single<Int128>].self, "[\(value)]")
            comparison.decode(Single<UInt128>.self, value)
            comparison.decode([String: Single<UInt128>].self, #"{"a":\#(value)}"#)
        }
        #expect(comparison.count >= 800)
    }

    @Test func `elements of every type are read and written as by Foundation`() throws {
        var comparison = CoderComparison()
        let list = #"[true,"t",1.5,2.5,1,2,3,4,5,6,7,8,9,10,11,12"#
        comparison.decode(Elements.self, list + "]")
        comparison.decode(Elements.self, list + ",false,\"u\",0.5,1.5,-1,-2,-3,-4,-5,-6,1,2,3,4,5,6]")
        comparison.decode(Elements.self, list + String(repeating: ",null", count: 16) + "]")
        for cut in [5, 12, 30] { comparison.decode(Elements.self, String(list.prefix(cut).dropLast(1)) + "]") }
        comparison.encode(Elements())
        comparison.encode(["k": Elements().required])
        comparison.encode(
            Optionals(double: -0.0, int64: .min, int128: .min, uint64: .max, uint128: .max))
        comparison.encode([Single<Int128>(value: .min)])
        comparison.encode(Single<UInt128>(value: .max))
        comparison.encode(Optionals(double: .infinity))
        comparison.encode(Optionals(float: .nan))
        for cut in [true, false] {
            comparison.encode([Optionals(double: .infinity, float: -.infinity)]) { foundation, ours in
                guard cut else { return }
                foundation.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "?")
                ours.nonConformingFloatEncodingStrategy = foundation.nonConformingFloatEncodingStrategy
            }
        }
        // The decoder reads the encoder's output back.
        let required = Elements().required
        #expect(try ConvertDecoder().decode(Required.self, from: ConvertEncoder().encode(required)) == required)
    }

    /// Encodes members, some of which fail, and continues.
    private struct Stubborn: Encodable {
        enum Key: String, CodingKey { case a, b, c, d }

        struct Failing: Encodable {
            var depth: Int

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                if depth > 0 { try container.encode(Failing(depth: depth - 1), forKey: .b) }
                var list = container.nestedUnkeyedContainer(forKey: .c)
                try list.encode("x")
                throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: ""))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(1, forKey: .a)
            try? container.encode(Failing(depth: 2), forKey: .b)
            try? container.encode([Failing(depth: 0)], forKey: .c)
            var list = container.nestedUnkeyedContainer(forKey: .d)
            try list.encode(2)
            try? list.encode(Failing(depth: 1))
            try list.encode(3)
        }
    }

    @Test func `a failed encoding leaves no output`() throws {
        // Foundation's encoder traps here, since the container that the failing value opened stays open.
        let text = #"{"a":1,"d":[2,3]}"#
        func encoded(_ value: some Encodable) throws -> String {
            String(decoding: try ConvertEncoder().encode(value), as: UTF8.self)
        }
        #expect(try encoded(Stubborn()) == text)
        #expect(try encoded([Stubborn(), Stubborn()]) == "[\(text),\(text)]")
        #expect(try encoded(["k": Stubborn()]) == #"{"k":\#(text)}"#)
    }

    /// Encodes a text where another value cannot be encoded.
    private struct Replacing<Value: Encodable>: Encodable {
        enum Key: CodingKey { case a, b }

        var value: Value

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            do { try container.encode(value) } catch { try container.encode("x") }
        }

        /// Has encoders of elements and members encode it.
        struct Parts: Encodable {
            var part: Replacing

            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try part.encode(to: list.superEncoder())
                try list.encode(part)
                var members = list.nestedContainer(keyedBy: Key.self)
                try part.encode(to: members.superEncoder(forKey: .a))
                try members.encode(part, forKey: .b)
            }
        }
    }

    @Test func `after a failed value, a single-value container takes another one`() throws {
        func check(_ value: some Encodable) throws {
            let replacing = Replacing(value: value)
            for (value, text) in [
                (replacing, #""x""#), ([replacing, replacing], #"["x","x"]"#), (["k": replacing], #"{"k":"x"}"#),
                (Replacing.Parts(part: replacing), #"["x","x",{"a":"x","b":"x"}]"#),
            ] as [(any Encodable, String)] {
                #expect(String(decoding: try ConvertEncoder().encode(value), as: UTF8.self) == text)
            }
        }
        try check(Double.nan)
        try check(["a": [1, Float.infinity]])
        try check(Stubborn.Failing(depth: 0))
        try check(Stubborn.Failing(depth: 2))
    }

    // MARK: Documented differences

    /// Checks a payload that the two decoders read differently; nil means an error.
    private func differ<Value: Decodable & Equatable>(
        _ type: Value.Type, _ json: [UInt8], ours: Value?, foundation: Value?, line: Int = #line
    ) {
        #expect((try? ConvertDecoder().decode(type, from: json)) == ours, "line \(line)")
        #expect((try? JSONDecoder().decode(type, from: Data(json))) == foundation, "line \(line)")
    }

    @Test func `every row of ConvertDecoder's table of differences is correct`() {
        differ([Int].self, Array("[1,]".utf8), ours: nil, foundation: [1])
        differ([String: Int].self, Array(#"{"a":1,}"#.utf8), ours: nil, foundation: ["a": 1])
        struct One: Decodable, Equatable { var a: Int }
        differ(One.self, Array(#"{"x":""#.utf8) + [0xFF] + Array(#"","a":1}"#.utf8), ours: nil, foundation: One(a: 1))
        differ([Double].self, Array("[-0.0e5]".utf8), ours: [-0.0], foundation: nil)
        differ([Int].self, Array("[1e-400]".utf8), ours: nil, foundation: [0])
        differ(
            [UInt128].self, Array("[3.4028236e38]".utf8), ours: [340_282_360_000_000_000_000_000_000_000_000_000_000],
            foundation: nil)
        let utf16 = "[1]".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        differ([Int].self, [0xFF, 0xFE] + utf16, ours: nil, foundation: [1])
        struct Accent: Decodable, Equatable {
            enum CodingKeys: String, CodingKey { case a = "\u{E9}" }
            var a: Int
        }
        differ(Accent.self, Array("{\"e\u{301}\":1}".utf8), ours: nil, foundation: Accent(a: 1))
        differ(
            [String: Int].self, Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8), ours: ["\u{E9}": 2],
            foundation: ["\u{E9}": 1])
        let long = String(repeating: "k", count: 70_000)
        differ([String: Int].self, Array(#"{"\#(long)":1}"#.utf8), ours: nil, foundation: [long: 1])
    }

    @Test func `errors differ only as documented in the table`() {
        struct Walk: Decodable {
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                _ = try list.decode(Int8.self)
            }
        }
        #expect(throws: DecodingError.self) { try ConvertDecoder().decode([Walk].self, from: "[[300]]") }
        let error = #expect(throws: DecodingError.self) {
            try ConvertDecoder().decode([String].self, from: #"["\ud800"]"#)
        }
        #expect(error?.context(of: .dataCorrupted)?.codingPath.count == 1)
        let first = #expect(throws: DecodingError.self) {
            try ConvertDecoder().decode([String: Int].self, from: #"{"a":1,"e":"","b":[],"d":{},"c":true}"#)
        }
        #expect(first?.context(of: .typeMismatch)?.codingPath.map(\.stringValue) == ["e"])
    }

    @Test func `an error of a date in a string names the setting that reads it, if numbers are expected`() {
        let error = #expect(throws: DecodingError.self) {
            try ConvertDecoder().decode([String: Date].self, from: #"{"at":"2024-07-14T16:30:00Z"}"#)
        }
        let hint = "(for dates in strings, set `dateDecodingStrategy = .flexible()`)"
        #expect(
            error?.context(of: .typeMismatch)?.debugDescription
                == #"expected Double, found a string \#(hint) at "/at""#)
    }
}
