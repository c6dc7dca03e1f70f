import ConvertCore
import FoundationEssentials
import Testing

/// ConvertDecoder and ConvertEncoder, compared with Foundation's.
struct CoderAgreementTests {
    static let scalars = [
        "null", "true", "false", "0", "-0", "1", "-1", "127", "128", "-129", "255", "256", "65536", "4294967296",
        "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "1.0", "1.5",
        "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728",
        "340282366920938463463374607431768211455", "340282366920938463463374607431768211456", "1e3", "1e400", "0.1",
        "123456789.123456789", "3.4028236e38", #""""#, #""text""#, #""12""#, #""\ud83d\ude00\n""#, "[]", "{}", "[1]",
        #"{"a":1}"#,
    ]

    @Test func `every scalar type accepts and refuses the same scalars`() {
        var comparison = CoderComparison()
        func all<Value: Codable & Equatable>(_ type: Value.Type, but exception: String? = nil) {
            for json in Self.scalars where json != exception {
                comparison.decode(type, json)
                comparison.decode([Value].self, "[\(json)]")
                comparison.decode(Shape.Wrapper<Value>.self, #"{"value":\#(json)}"#)
                comparison.decode(Shape.Wrapper<Value?>.self, #"{"value":\#(json)}"#)
            }
            comparison.decode(Shape.Wrapper<Value>.self, "{}")
            comparison.decode(Shape.Wrapper<Value?>.self, "{}")
        }
        // Foundation converts 1e-400 through Double and reads the integer 0. Ours refuses numbers that are not whole.
        comparison.decode(Double.self, "1e-400")
        comparison.decode(Float.self, "1e-400")
        all(Bool.self)
        all(String.self)
        all(Int.self)
        all(Int8.self)
        all(Int16.self)
        all(Int32.self)
        all(Int64.self)
        all(UInt.self)
        all(UInt8.self)
        all(UInt16.self)
        all(UInt32.self)
        all(UInt64.self)
        all(Int128.self)
        // A whole number that fits the type; Foundation converts it through Double and refuses it.
        all(UInt128.self, but: "3.4028236e38")
        all(Double.self)
        all(Float.self)
        all(URL.self)
        all(UUID.self)
        all(Data.self)
        all(Date.self)
        #expect(comparison.count >= 150)
    }

    @Test func `infinities, NaN and decimals are read alike`() {
        var comparison = CoderComparison()
        for json in [#""inf""#, #""-inf""#, #""other""#, "1"] {
            comparison.decode([Double].self, "[\(json)]") { foundation, ours in
                foundation.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
                ours.nonConformingFloatDecodingStrategy = foundation.nonConformingFloatDecodingStrategy
            }
        }
        for json in ["1", "1.10", "12345678901234567890.123", "1e10", #""1""#, "null"] {
            comparison.decode([Decimal].self, "[\(json)]")
        }
    }

    @Test func `every strategy for dates and data reads the same, in every position, and null reaches none`() {
        var comparison = CoderComparison()
        let ownDate = JSONDecoder.DateDecodingStrategy.custom { decoder in
            let seconds = try? decoder.singleValueContainer().decode(Double.self)
            return Date(timeIntervalSince1970: seconds ?? 7)
        }
        let ownData = JSONDecoder.DataDecodingStrategy.custom { decoder in
            Data(((try? decoder.singleValueContainer().decode(String.self)) ?? "none").utf8)
        }
        for dates in [
            JSONDecoder.DateDecodingStrategy.deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601,
            ownDate,
        ] {
            let adapt = { (foundation: JSONDecoder, ours: inout ConvertDecoder) in
                foundation.dateDecodingStrategy = dates
                ours.dateDecodingStrategy = dates
            }
            for json in [
                "null", "0", "1700000000.5", #""x""#, #""2024-02-29T12:00:00Z""#, #""2024-13-29""#, "[]", "true",
            ] {
                comparison.decode(Date.self, json, adapt)
                comparison.decode([Date].self, "[\(json)]", adapt)
                comparison.decode([Date?].self, "[\(json)]", adapt)
                comparison.decode([Shape.Wrapper<Date>].self, #"[{"value":\#(json)}]"#, adapt)
                comparison.decode([Shape.Wrapper<Date?>].self, #"[{"value":\#(json)}]"#, adapt)
                comparison.decode(Shape.Wrapper<[Date]>.self, #"{"value":[\#(json)]}"#, adapt)
                comparison.decode([[[Date]]].self, "[[],[[\(json)]]]", adapt)
            }
        }
        for data in [JSONDecoder.DataDecodingStrategy.deferredToData, .base64, ownData] {
            for json in ["null", "0", #""!""#, #""YQ==""#, "[1]", "[256]", "[null]"] {
                comparison.decode([Shape.Wrapper<Data>].self, #"[{"value":\#(json)}]"#) { foundation, ours in
                    foundation.dataDecodingStrategy = data
                    ours.dataDecodingStrategy = data
                }
            }
        }
    }

    @Test func `the output of both coders has the same values`() {
        var comparison = CoderComparison()
        comparison.encode(Shape.Person(name: "a\"/\\\u{1}é😀", age: -1, nick: nil))
        comparison.encode(Shape.Silent())
        comparison.encode([Shape.Silent()])
        comparison.encode([1.0, 0.1, 1e300, -0.0, 1e-300])
        comparison.encode([Float(0.1), 1e30])
        comparison.encode([Decimal(string: "12345678901234567890.123") ?? 0])
        comparison.encode(URL(string: "https://example.com/a?b=c"))
        comparison.encode(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        comparison.encode(Data([1, 2, 3]))
        for dates in [
            JSONEncoder.DateEncodingStrategy.deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601,
        ] {
            comparison.encode([Date(timeIntervalSince1970: 1_700_000_000)]) { foundation, ours in
                foundation.dateEncodingStrategy = dates
                ours.dateEncodingStrategy = dates
            }
        }
        comparison.encode([Double.infinity, -.infinity, .nan]) { foundation, ours in
            foundation.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            ours.nonConformingFloatEncodingStrategy = foundation.nonConformingFloatEncodingStrategy
        }
    }
}
