/// How the time of key rewriting grows with a document: MB/s that stay level mean time that is linear.
///
/// Foundation is not asked here, since it takes minutes for the largest of these documents.
struct Growth {
    /// What grows, and the documents from small to large.
    private struct Series {
        let title: String
        let documents: [Document]
    }

    private let rounds: Int
    private let seconds: Double
    private static let seed: UInt64 = 1

    init(_ options: BenchmarkOptions) {
        rounds = options.rounds
        seconds = options.seconds
    }

    func run() throws {
        for series in [Self.sizes, Self.depths, Self.distinctKeys, Self.alikeKeys] {
            print(series.title)
            for document in series.documents { print(try row(for: document)) }
        }
    }

    private func row(for document: Document) throws -> String {
        let keys = BenchmarkCase(BenchmarkCase.keys, try EngineWork(.keys, document).convert)
        var measurement = Measurement(document, keys)
        try measurement.prepare(seconds: seconds)
        for _ in 0..<rounds { try measurement.sample() }
        let speed = ResultTable.shown(measurement.megabytesPerSecond(measurement.median))
        return "  \(document.name), \(document.bytes.count) bytes: \(speed) MB/s"
    }

    // MARK: Documents

    private static var sizes: Series {
        let documents = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000].map { bytes in
            var generator = PayloadGenerator(seed: seed)
            return Document(name: "orders of \(bytes)", bytes: generator.orderPage(bytes: bytes))
        }
        return Series(title: "size", documents: documents)
    }

    /// Objects in objects, as many documents a payload as make it of one size.
    private static var depths: Series {
        let documents = [4, 16, 64, 256].map { depth in
            let opened = String(repeating: #"{"inner_value":"#, count: depth)
            let nest = opened + "1" + String(repeating: "}", count: depth)
            let count = 1_000_000 / nest.utf8.count
            let text = "[" + Array(repeating: nest, count: count).joined(separator: ",") + "]"
            return Document(name: "\(depth) deep", bytes: Array(text.utf8))
        }
        return Series(title: "depth", documents: documents)
    }

    /// One object whose names are all different, so that every name is new or at least not predicted by another document.
    private static var distinctKeys: Series {
        let documents = [1_000, 4_000, 5_000, 10_000, 100_000, 1_000_000].map { count in
            let members = (0..<count).map { #""member_number_\#($0)":\#($0)"# }.joined(separator: ",")
            return Document(name: "\(count) names", bytes: Array("{\(members)}".utf8))
        }
        return Series(title: "distinct names", documents: documents)
    }

    /// One object whose names are all equal to the hash functions that multiply and add byte after byte (`"Aa"` and `"BB"` are to
    /// Java's), as in an attack on them.
    private static var alikeKeys: Series {
        let documents = [10, 14, 17, 20].map { pairs in
            let members = (0..<(1 << pairs)).map { number in
                let name = (0..<pairs).map { number >> $0 & 1 == 0 ? "Aa" : "BB" }.joined()
                return "\"\(name)\":\(number)"
            }.joined(separator: ",")
            return Document(name: "\(1 << pairs) names", bytes: Array("{\(members)}".utf8))
        }
        return Series(title: "names that hash alike elsewhere", documents: documents)
    }
}
