/// The times of one case on one document, one sample per round.
struct Measurement {
    let document: Document
    let benchmark: BenchmarkCase
    /// Seconds that one conversion took, in the order of the rounds.
    private(set) var samples: [Double] = []
    /// The conversions of the samples, kept so that the next one has another address.
    private var conversions: [BenchmarkCase.Conversion] = []
    private var repeats = 1
    private var outputBytes = 0

    init(_ document: Document, _ benchmark: BenchmarkCase) {
        self.document = document
        self.benchmark = benchmark
    }

    var median: Double { Self.median(samples) }
    var fastest: Double { samples.min() ?? .nan }
    var slowest: Double { samples.max() ?? .nan }

    /// Megabytes of input per second, if one conversion takes `seconds`.
    func megabytesPerSecond(_ seconds: Double) -> Double { Double(document.bytes.count) / seconds / 1e6 }

    /// How many times as fast as `other` this is: the median over the rounds. The two samples of a round follow each other.
    func speed(over other: Measurement) -> Double {
        Self.median(zip(samples, other.samples).map { $1 / $0 })
    }

    /// Converts without measuring, and finds how many conversions take about `seconds`.
    mutating func prepare(seconds: Double) throws {
        let conversion = try benchmark.begin()
        outputBytes = try conversion()
        let once = max(try time(conversion, repeats: 1), 1e-7)
        let trial = max(1, Int(seconds / 4 / once))
        repeats = max(1, Int(seconds / (try time(conversion, repeats: trial))))
    }

    /// Takes one sample, after a tenth as many conversions that are not measured.
    mutating func sample() throws {
        let conversion = try benchmark.begin()
        conversions.append(conversion)
        _ = try time(conversion, repeats: 1 + repeats / 10)
        samples.append(try time(conversion, repeats: repeats))
    }

    /// Seconds that one of `repeats` conversions takes.
    private func time(_ conversion: BenchmarkCase.Conversion, repeats: Int) throws -> Double {
        var total = 0
        let duration = try ContinuousClock().measure {
            for _ in 0..<repeats { total &+= try conversion() }
        }
        // The size is used, so that no conversion can be optimised away. It also reveals a run that did not do its work.
        guard total == outputBytes &* repeats else {
            throw BenchmarkFailure("\(document.name)/\(benchmark.name) does not give the same output every time")
        }
        return duration / .seconds(1) / Double(repeats)
    }

    private static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
