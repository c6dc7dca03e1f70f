import ConvertCore
import FoundationEssentials
import Testing

/// Rare uses of the coders' containers, compared with Foundation's.
struct CoderCornerTests {
    /// The result of each request to an unkeyed container, with the container's index after it.
    private struct Walk: Decodable, Equatable {
        var steps: [String] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            func note(_ name: String, _ work: (inout any UnkeyedDecodingContainer) throws -> String) {
                let result: String
                do {
                    result = try work(&container)
                } catch let error as DecodingError where error.kind != .dataCorrupted {
                    result = error.summary
                } catch {
                    // A number that does not fit. Foundation turns its own error into a DecodingError only at the very end.
                    result = "another error"
                }
                steps.append("\(name): \(result), \(container.currentIndex) of \(container.count ?? -1)")
            }
            for _ in 0..<((container.count ?? 0) + 1) {
                note("nil") { "\(try $0.decodeNil())" }
                // At the end Foundation also returns nil, but its container moves beyond the end.
                if container.isAtEnd { continue }
                note("string?") { "\(String(describing: try $0.decodeIfPresent(String.self)))" }
                note("int") { "\(try $0.decode(Int.self))" }
                if container.isAtEnd { continue }
                note("int8?") { "\(String(describing: try $0.decodeIfPresent(Int8.self)))" }
                note("object") { "\(try $0.nestedContainer(keyedBy: Shape.Level.Key.self).allKeys.count)" }
                note("array") { "\(try $0.nestedUnkeyedContainer().isAtEnd)" }
                note("super") { try $0.superDecoder().codingPath.map(\.stringValue).joined(separator: "/") }
            }
        }
    }

    /// The result of each request to a keyed container.
    private struct Look: Decodable, Equatable {
        enum Key: String, CodingKey { case a, b, c }

        var results: [String] = []

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            results.append(container.allKeys.map(\.rawValue).sorted().joined())
            func note(_ work: () throws -> String) {
                do {
                    results.append(try work())
                } catch let error as DecodingError where error.kind != .dataCorrupted {
                    results.append(error.summary)
                } catch {
                    results.append("another error")
                }
            }
            for key in [Key.a, .b, .c] {
                note { "\(container.contains(key))" }
                note { "\(try container.decodeNil(forKey: key))" }
                note { "\(String(describing: try container.decodeIfPresent(Int.self, forKey: key)))" }
                note { "\(String(describing: try container.decodeIfPresent([Int?].self, forKey: key)))" }
                note { "\(try container.decode(Int??.self, forKey: key) as Any)" }
                note { "\(try container.nestedContainer(keyedBy: Key.self, forKey: key).codingPath.count)" }
                note { "\(try container.nestedUnkeyedContainer(forKey: key).count ?? -1)" }
                note { "\(try container.superDecoder(forKey: key).singleValueContainer().decodeNil())" }
                note { "\(try container.superDecoder().singleValueContainer().decode(Int.self))" }
            }
        }
    }

    private enum Rank: Int, Codable, CodingKeyRepresentable {
        case first = 1
        case second
    }

    @Test func `calls in any order give the same, with Foundation's positions in containers`() {
        var comparison = CoderComparison()
        for json in [
            "[]", "[null]", "[1]", "[300]", #"["x"]"#, "[{}]", "[[]]", #"[null,1,"x",300,{"a":1},[1],true,1.5,null]"#,
            #"[{"a":null},{"b":1},[],[null]]"#, "{}", "null",
        ] {
            comparison.decode(Walk.self, json)
            comparison.decode([String: Walk].self, #"{"k":\#(json)}"#)
        }
        for json in [
            "{}", #"{"a":null}"#, #"{"a":1,"b":[1,null],"c":{"a":1}}"#, #"{"a":"x","b":1.5,"d":0,"super":7}"#,
            #"{"super":null,"c":[[]]}"#, "[]",
        ] {
            comparison.decode(Look.self, json)
            comparison.decode([Look].self, "[\(json)]")
        }
        #expect(comparison.count == 34)
    }

    @Test func `a loss in a replacement is also reported`() throws {
        var decoder = ConvertDecoder()
        decoder.elementFailures = [
            ElementFailureRule(.replace(with: [1, "x"]), inArray: ""), ElementFailureRule(.skip),
        ]
        let report = try decoder.decodeReporting([[Int]].self, from: "[[2],null]")
        #expect(report.value == [[2], [1]])
        #expect(report.failures.map(\.pointer) == ["/1", "/1/1"])
    }

    @Test func `skipped elements of an attempt that the type abandons are not reported`() throws {
        struct Counts: Decodable { var a: [Int], b: Int }
        struct Either: Decodable {
            var texts: [String]?
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if (try? container.decode(Counts.self)) == nil {
                    texts = try container.decode([String: [String]].self)["a"]
                }
            }
        }
        var decoder = ConvertDecoder()
        decoder.elementFailures = [ElementFailureRule(.skip)]
        #expect(try decoder.decode(Either.self, from: #"{"a":["x","y"]}"#).texts == ["x", "y"])
    }

    @Test func `skipped elements of a direct attempt are reported: they may have been kept`() throws {
        struct Counts: Decodable { var a: [Int], b: Int }
        struct Either: Decodable {
            init(from decoder: any Decoder) throws { _ = try? Counts(from: decoder) }
        }
        var decoder = ConvertDecoder()
        decoder.elementFailures = [ElementFailureRule(.skip)]
        let report = try decoder.decodeReporting(Either.self, from: #"{"a":["x",1]}"#)
        #expect(report.failures.map(\.pointer) == ["/a/0"])
    }

    @Test func `standard library types and dictionaries by other keys are coded equally`() {
        var comparison = CoderComparison()
        func all<Value: Codable & Equatable>(_ value: Value, _ rows: String...) {
            comparison.encode(value)
            comparison.encode(["k": [value]])
            for row in rows + ["null", "[]", "{}", "1", #""x""#, "[1,2]"] { comparison.decode(Value.self, row) }
        }
        all(Duration.seconds(-1.5), "[0,5]", "[-1,18446744073709551615]", "[0]")
        all(SIMD4<Float>(1, 2, 3, 4), "[1,2,3,4]", "[1,2,3]", "[1,2,3,4,5]")
        all(ContiguousArray([1, 2]), "[1,null]")
        all(1...2, "[2,1]")
        all(Float16(1.5), "1.5", "65520", "1e9")
        all([Rank.first: "a"], #"{"1":"a"}"#, #"{"3":"a"}"#, #"{"x":"a"}"#)
        all([Int8(1): 2], "[1,2]", "[1,2,3]", "[300,1]")
        all([true: 1], "[true,1]")
        all([String: Int??](), #"{"a":null,"b":1}"#)
        all([Int: Int?](), #"{"1":null,"02":1}"#, #"{"+3":1}"#)
        all([Date(timeIntervalSinceReferenceDate: 1): 1], "[1,1]", "[null,1]")
        all([Data([1]): 1], #"["AQ==",1]"#)
        all([UInt8(1), 2], "[256]", "[1.0]", "[-0]")
        all([[String: [Rank?]]](), #"[{"a":[1,null,2]}]"#, #"[{"a":[3]}]"#)
    }

    /// Opens the same containers repeatedly and out of order.
    private struct Reopening: Encodable {
        enum Key: String, CodingKey { case a, b, c }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var inner = container.nestedContainer(keyedBy: Key.self, forKey: .a)
            var list = container.nestedUnkeyedContainer(forKey: .b)
            try inner.encode(1, forKey: .a)
            try list.encode(contentsOf: [1, 2])
            var again = container.nestedContainer(keyedBy: Key.self, forKey: .a)
            try again.encode(2, forKey: .b)
            try inner.encode(3, forKey: .c)
            var more = container.nestedUnkeyedContainer(forKey: .b)
            try more.encodeNil()
            var deep = more.nestedUnkeyedContainer()
            try list.encode("x")
            try deep.encode(Double?.none)
            try container.encode(1, forKey: .c)
            try container.encode("2", forKey: .c)
            var same = encoder.container(keyedBy: Key.self)
            try same.encodeIfPresent(Int?.none, forKey: .b)
            try [4].encode(to: more.superEncoder())
        }
    }

    @Test func `reopened containers continue, and the last value of a key is kept`() {
        var comparison = CoderComparison()
        comparison.encode(Reopening())
        comparison.encode([Reopening(), Reopening()])
        comparison.encode(["a/b": Reopening()])
    }

    private final class Nested: Codable {
        let inner: Nested?

        init(_ inner: Nested?) { self.inner = inner }
    }

    @Test(arguments: [JSONValue.maxDepth, JSONValue.maxDepth + 1, 3_000])
    func `the encoder refuses nesting that is too deep to be decoded`(levels: Int) throws {
        var value = Nested(nil)
        for _ in 1..<levels { value = Nested(value) }
        guard levels > JSONValue.maxDepth else {
            let decoder = ConvertDecoder(limits: Limits(maxDepth: levels))
            _ = try decoder.decode(Nested.self, from: try ConvertEncoder().encode(value))
            return
        }
        let error = #expect(throws: EncodingError.self) { try ConvertEncoder().encode(value) }
        let context = try #require(error?.context)
        #expect(context.codingPath.count == JSONValue.maxDepth)
    }

    /// A list whose rest is encoded by the encoder of a member, and then by that of a member's member.
    private struct Chain: Encodable {
        enum Key: String, CodingKey { case a }

        var levels: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            if levels == 2 { _ = container.nestedUnkeyedContainer(forKey: .a) }
            guard levels > 2 else { return }
            var inner = container.nestedContainer(keyedBy: Key.self, forKey: .a)
            let rest = Chain(levels: levels - 2)
            if levels % 4 < 2 {
                try inner.encode(rest, forKey: .a)
            } else {
                try rest.encode(to: inner.superEncoder(forKey: .a))
            }
        }
    }

    @Test(arguments: [JSONValue.maxDepth - 1, JSONValue.maxDepth])
    func `nested containers and encoders of members count as nesting`(levels: Int) throws {
        let limits = Limits(maxDepth: levels)
        let text = try ConvertEncoder().encode(Chain(levels: levels))
        #expect(throws: Never.self) { try JSONValue(parsing: text, limits: limits) }
        #expect(throws: ConversionError.self) { try JSONValue(parsing: text, limits: Limits(maxDepth: levels - 1)) }
        for more in [1, 2, 3, 4] {
            let tooDeep = Chain(levels: JSONValue.maxDepth + more)
            #expect(throws: EncodingError.self) { try ConvertEncoder().encode(tooDeep) }
        }
    }
}

extension Shape.Level {
    fileprivate enum Key: String, CodingKey { case a }
}
