import FoundationEssentials

/// The measurements as JSON, for programs that store and compare them.
struct ResultDocument: Encodable {
    let corpus: String
    let rounds: Int
    let results: [Result]

    struct Result: Encodable {
        /// The quantity that grows in a growth series; nil for other documents.
        let series: String?
        let document: String
        let bytes: Int
        let name: String
        let megabytesPerSecond: Double
        /// Seconds per conversion, in the order of the rounds. The samples of one document and round belong together.
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
