import FoundationEssentials

/// The measurements as JSON, to be kept and compared by programs.
struct ResultDocument: Encodable {
    let corpus: String
    let rounds: Int
    let results: [Result]

    struct Result: Encodable {
        /// What grows in the documents of growth.
        let series: String?
        let document: String
        let bytes: Int
        let name: String
        let megabytesPerSecond: Double
        /// Seconds a conversion, in the order of the rounds: the samples of one document and round belong together.
        let samples: [Double]

        enum CodingKeys: String, CodingKey {
            case series, document, bytes
            case name = "case"
            case megabytesPerSecond, samples
        }

        init(_ measurement: Measurement, series: String? = nil) {
            self.series = series
            document = measurement.document.name
            bytes = measurement.document.bytes.count
            name = measurement.benchmark.name
            megabytesPerSecond = measurement.megabytesPerSecond(measurement.median)
            samples = measurement.samples
        }
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: path))
    }
}
