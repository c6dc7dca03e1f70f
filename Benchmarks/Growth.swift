/// The growth of a conversion's time with its document and its profile. A constant number of MB/s means linear time.
struct Growth {
    private let options: BenchmarkOptions

    init(_ options: BenchmarkOptions) { self.options = options }

    func run() throws {
        var results: [ResultDocument.Result] = []
        for make in [
            GrowthSeries.sizes, GrowthSeries.depths, GrowthSeries.distinctNames, GrowthSeries.longNames,
            GrowthSeries.alikeNames, GrowthSeries.namedIndices, GrowthSeries.movesUndone, GrowthSeries.movesGuarded,
            GrowthSeries.renamesUndone, GrowthSeries.requirements, GrowthSeries.defaults, GrowthSeries.spellings,
            GrowthSeries.embeddedTexts,
        ] {
            let series = try make()
            print(series.title)
            for step in series.steps {
                let measurement = try measured(step)
                let speed = ResultTable.shown(measurement.megabytesPerSecond(measurement.median))
                print("  \(step.document.name), \(step.document.bytes.count) bytes: \(speed) MB/s")
                results.append(ResultDocument.Result(measurement, series: series.title))
            }
        }
        if let path = options.json {
            try ResultDocument(corpus: "growth", rounds: options.rounds, results: results).write(to: path)
        }
    }

    /// One converter for all rounds, unlike elsewhere: with the largest document, each would keep a gigabyte of output.
    private func measured(_ step: GrowthSeries.Step) throws -> Measurement {
        let work = try step.plan.map { EngineWork($0, step.document) } ?? EngineWork(.keys, step.document)
        var measurement = Measurement(
            step.document, BenchmarkCase(step.plan == nil ? BenchmarkCase.keys : "rules", work.convert))
        _ = try work.convert()
        try check(work, step)
        try measurement.prepare(seconds: options.seconds)
        for _ in 0..<options.rounds { try measurement.sample() }
        try check(work, step)
        return measurement
    }

    private func check(_ work: EngineWork, _ step: GrowthSeries.Step) throws(BenchmarkFailure) {
        guard work.lastOutput(is: step.expected, count: step.repeats) else {
            throw BenchmarkFailure("\(step.document.name) gives a wrong output")
        }
    }
}
