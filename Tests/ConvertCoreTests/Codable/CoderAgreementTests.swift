import ConvertCore
import FoundationEssentials
import Testing

/// ConvertDecoder and ConvertEncoder, compared with Foundation's.
struct CoderAgreementTests {
    static let scalars = [
        "null", "true", "false", "0", "-0", "1", "-1", "127", "128", "-129", "255", "256", "65536", "4294967296",
        "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "1.0", "1.5",
        "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728",
        "340282366920938463463374607431768211455", "340282366920938463463374607431768211456",
        "1e3",
        "1e400", "0.1", "123456789.123456789", "3.4028236e38", #""""#, #""text""#, #""12""#,
        #""\ud83d\ude00\n""#,
        "[]", "{}", "[1]", #"{"a":1}"#,
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
        all(Shape.Level.self)
        all(Shape.Rank.self)
        #expect(comparison.count >= 150)
    }

    @Test func `containers, enums with payloads and super decoders give equal values and errors`() {
        var comparison = CoderComparison()
        let people = [
            #"{"name":"a","age":1}"#, #"{"name":"a","age":1,"nick":"n"}"#, #"{"name":"a","age":1,"nick":null}"#,
            #"{"age":1,"name":"a","extra":[{"deep":[]}]}"#, #"{"name":"a"}"#, #"{"name":null,"age":1}"#,
            #"{"name":1,"age":1}"#, #"{"name":"a","age":"1"}"#, #"{"name":"a","age":1.5}"#, "[]", "null", "1", "{}",
            #"{"n\u0061me":"a","age":1}"#, #"{"name":"a","age":1,"nick":[]}"#,
        ]
        for person in people {
            comparison.decode(Shape.Person.self, person)
            comparison.decode(Shape.Person?.self, person)
            comparison.decode([Shape.Person].self, "[\(person),\(person)]")
            comparison.decode([String: Shape.Person].self, #"{"x/y":\#(person)}"#)
            comparison.decode(
                Shape.Nested.self, #"{"people":[\#(person)],"byName":{"k":\#(person)},"grid":[[1,null],[]]}"#)
        }
        for grid in ["[[1],[null,2]]", "[[1,[2]]]", "[1]", "null"] {
            comparison.decode(Shape.Nested.self, #"{"grid":\#(grid),"byName":{},"people":[]}"#)
        }
        for keys in [#"{"1":"a","-2":"b"}"#, #"{"one":"a"}"#, "{}", "[]", #"[1,"a"]"#] {
            comparison.decode([Int: String].self, keys)
        }
        // At most one bad key, since it is chance which of several Foundation meets first.
        for keys in [#"{"-2":"b"}"#, #"{"one":"a"}"#, "{}", "[]", #"[1,"a"]"#] {
            comparison.decode([Shape.Level: String].self, keys)
        }
        for keys in [#"{"low":1,"high":2}"#, #"{"low":1,"middle":2}"#, #"{"low":null}"#] {
            comparison.decode([Shape.Level: Int].self, keys)
            comparison.decode([String: Int].self, keys)
            comparison.decode([String: Int?].self, keys)
        }
        for payload in [
            #"{"empty":{}}"#, #"{"text":{"_0":"a"}}"#, #"{"pair":{"left":1,"right":2.5}}"#, #"{"pair":{"left":1}}"#,
            "{}",
            #"{"empty":{},"text":{"_0":"a"}}"#, #"{"other":{}}"#, #"{"text":{"_0":1}}"#, #"{"text":null}"#, #""empty""#,
        ] {
            comparison.decode(Shape.Payload.self, payload)
            comparison.decode([Shape.Payload].self, "[\(payload)]")
        }
        comparison.decode(Shape.Tree.self, #"{"node":{"_0":[{"leaf":{"_0":1}},{"node":{"_0":[]}}]}}"#)
        comparison.decode(Shape.Tree.self, #"{"node":{"_0":[{"leaf":{"_0":"x"}}]}}"#)
        for manual in [
            #"{"outer":{"x":1,"y":2},"list":["a"]}"#, #"{"list":[],"outer":{"y":null,"x":1}}"#, #"{"outer":{"x":1}}"#,
            #"{"outer":[],"list":[]}"#, #"{"outer":null,"list":[]}"#, #"{"outer":{"x":1,"y":2},"list":{}}"#, "{}",
            #"{"outer":{"x":1,"y":2},"list":["a",null]}"#, #"{"outer":{"x":1,"y":2},"list":null}"#,
        ] {
            comparison.decode(Shape.Manual.self, manual)
        }
        for derived in [
            #"{"title":"t","super":{"id":1}}"#, #"{"title":"t"}"#, #"{"title":"t","super":null}"#,
            #"{"title":"t","super":{}}"#, #"{"super":{"id":1}}"#, #"{"title":"t","super":{"id":"1"}}"#,
        ] {
            comparison.decode(Shape.Derived.self, derived)
        }
        for triple in [
            #"[1,"a",[true]]"#, "[1,null,[]]", #"[1,"a"]"#, "[1]", "[]", #"[1,"a",null]"#, #"[1,"a",{}]"#, "{}",
            #"[1,2,[]]"#, #"[1,"a",[1]]"#,
        ] {
            comparison.decode(Shape.Triple.self, triple)
        }
        #expect(comparison.count >= 140)
    }

    @Test func `strategies and userInfo have the same effect`() {
        var comparison = CoderComparison()
        for json in ["0", "1700000000.5", #""2024-02-29T12:00:00Z""#, #""2024-13-29""#, "null", #""""#] {
            for dates in [
                JSONDecoder.DateDecodingStrategy.deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601,
            ] {
                comparison.decode([Date].self, "[\(json)]") { foundation, ours in
                    foundation.dateDecodingStrategy = dates
                    ours.dateDecodingStrategy = dates
                }
            }
        }
        for json in [#""aGVsbG8=""#, #""!""#, "[104,105]", "null", "[256]"] {
            comparison.decode([Data].self, "[\(json)]")
            comparison.decode([Data].self, "[\(json)]") { foundation, ours in
                foundation.dataDecodingStrategy = .deferredToData
                ours.dataDecodingStrategy = .deferredToData
            }
        }
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
        comparison.decode(Shape.Witness.self, #"{"b":1,"a":2}"#) { foundation, ours in
            guard let key = Shape.Witness.key else { return }
            foundation.userInfo[key] = "told"
            ours.userInfo[key] = "told"
        }
    }

    @Test func `a bad date has Foundation's coding path, and null reaches no strategy`() {
        var comparison = CoderComparison()
        let ownDate = JSONDecoder.DateDecodingStrategy.custom { decoder in
            let seconds = try? decoder.singleValueContainer().decode(Double.self)
            return Date(timeIntervalSince1970: seconds ?? 7)
        }
        let ownData = JSONDecoder.DataDecodingStrategy.custom { decoder in
            Data(((try? decoder.singleValueContainer().decode(String.self)) ?? "none").utf8)
        }
        for dates in [JSONDecoder.DateDecodingStrategy.deferredToDate, .secondsSince1970, .iso8601, ownDate] {
            let adapt = { (foundation: JSONDecoder, ours: inout ConvertDecoder) in
                foundation.dateDecodingStrategy = dates
                ours.dateDecodingStrategy = dates
            }
            for json in ["null", "0", #""x""#, #""2024-02-29T12:00:00Z""#, "[]", "true"] {
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
            for json in ["null", "0", #""!""#, #""YQ==""#, "[1]", "[null]"] {
                comparison.decode([Shape.Wrapper<Data>].self, #"[{"value":\#(json)}]"#) { foundation, ours in
                    foundation.dataDecodingStrategy = data
                    ours.dataDecodingStrategy = data
                }
            }
        }
    }

    @Test func `the output of both coders has the same values`() {
        var comparison = CoderComparison()
        let person = Shape.Person(name: "a\"/\\\u{1}é😀", age: -1, nick: nil)
        comparison.encode(person)
        comparison.encode([person, person])
        comparison.encode(["k": person])
        comparison.encode(Shape.Nested(people: [person], byName: ["x": person], grid: [[1, nil], []]))
        comparison.encode([1: "a", 2: "b"])
        comparison.encode([Shape.Level.low: 1])
        comparison.encode([Shape.Payload.empty, .text("a"), .pair(left: 1, right: 2.5)])
        comparison.encode(Shape.Tree.node([.leaf(1), .node([])]))
        comparison.encode(Shape.Manual(x: 1, y: nil, list: ["a"]))
        comparison.encode(Shape.Derived(id: 1, title: "t"))
        comparison.encode(Shape.Triple(number: 1, text: nil, flags: [true]))
        comparison.encode([Shape.Level.low, .high])
        comparison.encode([Shape.Rank.first])
        comparison.encode(Shape.Silent())
        comparison.encode([Shape.Silent()])
        comparison.encode(Int?.none)
        comparison.encode([1.0, 0.1, 1e300, -0.0, 1e-300])
        comparison.encode([Float(0.1), 1e30])
        comparison.encode([Double.nan])
        comparison.encode(["a": [1.0, Double.infinity]])
        comparison.encode([UInt64.max])
        comparison.encode([Int64.min])
        comparison.encode([Int128.min, .max])
        comparison.encode([UInt128.max])
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
