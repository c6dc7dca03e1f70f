import FoundationEssentials

/// Verifies and measures every cell that the options ask for, and reports.
struct BenchmarkRun {
    let options: BenchmarkOptions
    let corpus: Corpus

    init(_ options: BenchmarkOptions) throws {
        self.options = options
        corpus = try Corpus(directory: options.corpus)
    }

    func run() throws {
        var measurements: [Measurement] = []
        for document in corpus.documents {
            measurements += try measure(document)
        }
        guard !measurements.isEmpty else { throw BenchmarkFailure("nothing matches \(options.filter)") }
        print(ResultTable(measurements, heading: heading).text)
        if let path = options.json {
            let results = measurements.map { ResultDocument.Result($0) }
            try ResultDocument(corpus: corpus.origin, rounds: options.rounds, results: results).write(to: path)
        }
    }

    private var heading: String {
        """
        \(corpus.origin): MB of input a second, median of \(options.rounds) interleaved rounds, one thread
        × foundation, × direct, × model, × keys, × decode (foundation/decode), × plain (foundation/decode/plain), × encode (foundation/encode), × plain (foundation/encode/plain): how many times as fast as that case of the same document, median over the rounds
        """
    }

    /// The cells of one document. Their rounds are interleaved, so that a slow machine slows all of them.
    private func measure(_ document: Document) throws -> [Measurement] {
        let cases = try BenchmarkCase.all(for: document).filter { benchmark in
            options.filter.isEmpty || "\(document.name)/\(benchmark.name)".contains(options.filter)
        }
        guard !cases.isEmpty else { return [] }
        try Verification(document).run()
        var measurements = cases.map { Measurement(document, $0) }
        for index in measurements.indices { try measurements[index].prepare(seconds: options.seconds) }
        for _ in 0..<options.rounds {
            for index in measurements.indices { try measurements[index].sample() }
        }
        return measurements
    }
}
