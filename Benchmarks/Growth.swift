/// How the time of key rewriting grows with a document: MB/s that stay level mean time that is linear.
///
/// Outputs are compared with what Foundation reads in the documents up to 10 MB; it would take minutes for larger ones.
struct Growth {
    /// What grows, and the documents from small to large.
    private struct Series {
        let title: String
        let documents: [Document]
    }

    private let options: BenchmarkOptions
    private static let seed: UInt64 = 1
    private static let maxVerifiedBytes = 10_100_000

    init(_ options: BenchmarkOptions) { self.options = options }

    func run() throws {
        var results: [ResultDocument.Result] = []
        for make in [Self.sizes, Self.depths, Self.distinctKeys, Self.alikeKeys] {
            let series = make()
            print(series.title)
            for document in series.documents {
                let result = try measured(document)
                let speed = ResultTable.shown(result.megabytesPerSecond)
                print("  \(document.name), \(document.bytes.count) bytes: \(speed) MB/s")
                results.append(result)
            }
        }
        if let path = options.json {
            try ResultDocument(corpus: "growth", rounds: options.rounds, results: results).write(to: path)
        }
    }

    /// One converter for all rounds, unlike elsewhere: of the largest document each would keep a gigabyte of output.
    private func measured(_ document: Document) throws -> ResultDocument.Result {
        if document.bytes.count <= Self.maxVerifiedBytes { try Verification(document).checkKeys() }
        let keys = BenchmarkCase(BenchmarkCase.keys, try EngineWork(.keys, document).convert)
        var measurement = Measurement(document, keys)
        try measurement.prepare(seconds: options.seconds)
        for _ in 0..<options.rounds { try measurement.sample() }
        return ResultDocument.Result(measurement)
    }

    // MARK: Documents

    /// Pages of orders, the largest of them many times in one array, since to make up a gigabyte takes minutes.
    private static func sizes() -> Series {
        var documents = [1_000, 10_000, 100_000, 1_000_000, 10_000_000].map { bytes in
            var generator = PayloadGenerator(seed: seed)
            return Document(name: "orders of \(bytes)", bytes: generator.orderPage(bytes: bytes))
        }
        let page = documents[documents.count - 1].bytes
        for count in [10, 100] {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count * (page.count + 1) + 1)
            for index in 0..<count {
                bytes.append(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
                bytes += page
            }
            bytes.append(UInt8(ascii: "]"))
            documents.append(Document(name: "the last, \(count) times", bytes: bytes))
        }
        return Series(title: "size", documents: documents)
    }

    /// Objects in objects, as many documents a payload as make it of one size.
    private static func depths() -> Series {
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
    private static func distinctKeys() -> Series {
        let documents = [1_000, 4_000, 5_000, 10_000, 100_000, 1_000_000].map { count in
            let members = (0..<count).map { #""member_number_\#($0)":\#($0)"# }.joined(separator: ",")
            return Document(name: "\(count) names", bytes: Array("{\(members)}".utf8))
        }
        return Series(title: "distinct names", documents: documents)
    }

    /// One object whose names are all equal to the hash functions that multiply and add byte after byte (`"an"` and `"c0"` are to
    /// Java's), as in an attack on them.
    private static func alikeKeys() -> Series {
        let documents = [10, 14, 17, 20].map { pairs in
            let members = (0..<(1 << pairs)).map { number in
                let name = (0..<pairs).map { number >> $0 & 1 == 0 ? "an" : "c0" }.joined()
                return "\"\(name)\":\(number)"
            }.joined(separator: ",")
            return Document(name: "\(1 << pairs) names", bytes: Array("{\(members)}".utf8))
        }
        return Series(title: "names that hash alike elsewhere", documents: documents)
    }
}
