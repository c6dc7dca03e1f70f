import ConvertCore

/// Documents that become larger, deeper or more varied, with the expected output of `keys`.
///
/// The expected texts are generated with the documents or compared with Foundation's reading. They never come from the engine
/// alone.
struct GrowthSeries {
    struct Step {
        let document: Document
        /// The output, or a part of it that is repeated, with commas between the copies and brackets around them.
        let expected: [UInt8]
        var repeats = 1
        /// The plan of the conversion, if it is not `keys`.
        var plan: Plan?
    }

    let title: String
    let steps: [Step]

    private static let seed: UInt64 = 1

    /// Pages of orders. The largest documents repeat one page in an array, since generating a gigabyte takes minutes.
    static func sizes() throws -> GrowthSeries {
        var steps = try [1_000, 10_000, 100_000, 1_000_000, 10_000_000].map { bytes in
            var generator = PayloadGenerator(seed: seed)
            let page = Document(name: "orders of \(bytes)", bytes: generator.orderPage(bytes: bytes))
            return Step(document: page, expected: try Verification(page).keys())
        }
        let largest = steps[steps.count - 1]
        for count in [10, 100] {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count * (largest.document.bytes.count + 1) + 1)
            for index in 0..<count {
                bytes.append(UInt8(ascii: index == 0 ? "[" : ","))
                bytes += largest.document.bytes
            }
            bytes.append(UInt8(ascii: "]"))
            let document = Document(name: "the last, \(count) times", bytes: bytes)
            steps.append(Step(document: document, expected: largest.expected, repeats: count))
        }
        return GrowthSeries(title: "size", steps: steps)
    }

    /// Nested objects, repeated so that the payloads of all depths have about the same size.
    static func depths() -> GrowthSeries {
        let steps = [4, 16, 64, 256].map { depth in
            let count = 1_000_000 / (depth * #"{"inner_value":}"#.utf8.count)
            func text(_ name: String) -> [UInt8] {
                let nest = String(repeating: "{\"\(name)\":", count: depth) + "1" + String(repeating: "}", count: depth)
                return Array("[\(Array(repeating: nest, count: count).joined(separator: ","))]".utf8)
            }
            return Step(
                document: Document(name: "\(depth) deep", bytes: text("inner_value")), expected: text("innerValue"))
        }
        return GrowthSeries(title: "depth", steps: steps)
    }

    /// One object with different names, so that every name is new or at least not predicted by another document.
    static func distinctNames() -> GrowthSeries {
        let steps = [1_000, 4_000, 5_000, 10_000, 100_000, 1_000_000].map { count in
            object(of: count, "\(count) names") { ("member_number_\($0)", "memberNumber\($0)") }
        }
        return GrowthSeries(title: "distinct names", steps: steps)
    }

    /// 20,000 names in one object, longer and longer, or not ASCII. They are more than a converter learns, and not all of them
    /// pass.
    static func longNames() -> GrowthSeries {
        let ascii = [40, 80, 160, 320].map { (title: "\($0) bytes", word: "member", length: $0) }
        let accented = (title: "40 bytes with an é", word: "membér", length: 40)
        let steps = (ascii + [accented]).map { title, word, length in
            object(of: 20_000, title) { number in
                let end = String(String(100_000 + number).dropFirst())
                let middle = String(repeating: "m", count: length - word.utf8.count - end.utf8.count - 2)
                return ("\(word)_\(middle)_\(end)", "\(word)M\(middle.dropFirst())\(end)")
            }
        }
        return GrowthSeries(title: "20000 names of", steps: steps)
    }

    /// One object, as in an attack on hash functions that multiply and add byte after byte: all its names have the same hash. In
    /// Java, for example, `"an"` and `"c0"` have one hash.
    static func alikeNames() -> GrowthSeries {
        let steps = [10, 14, 17, 20].map { pairs in
            object(of: 1 << pairs, "\(1 << pairs) names") { number in
                let alike = (0..<pairs).map { number >> $0 & 1 == 0 ? "an" : "c0" }.joined()
                return ("key_\(alike)", "key\(alike.prefix(1).uppercased())\(alike.dropFirst())")
            }
        }
        return GrowthSeries(title: "names that hash alike elsewhere", steps: steps)
    }

    /// An object of `count` numbered members; `naming` gives each name in the document and in the expected output.
    private static func object(of count: Int, _ name: String, naming: (Int) -> (snake: String, camel: String)) -> Step {
        var bytes: [UInt8] = []
        var expected: [UInt8] = []
        for number in 0..<count {
            let name = naming(number)
            let start = number == 0 ? "{" : ","
            bytes += Array("\(start)\"\(name.snake)\":\(number)".utf8)
            expected += Array("\(start)\"\(name.camel)\":\(number)".utf8)
        }
        bytes.append(UInt8(ascii: "}"))
        expected.append(UInt8(ascii: "}"))
        return Step(document: Document(name: name, bytes: bytes), expected: expected)
    }
}
