/// The measurements as text, one row each.
struct ResultTable {
    let text: String

    private static let titles = [
        "document", "case", "MB/s", "least", "most", "× foundation", "× direct", "× model", "× keys", "× decode",
        "× plain",
        "× encode", "× plain",
    ]

    init(_ measurements: [Measurement], heading: String) {
        var rows = [Self.titles]
        for measurement in measurements {
            let siblings = measurements.filter { $0.document.name == measurement.document.name }
            rows.append([
                measurement.document.name, measurement.benchmark.name,
                Self.shown(measurement.megabytesPerSecond(measurement.median)),
                Self.shown(measurement.megabytesPerSecond(measurement.slowest)),
                Self.shown(measurement.megabytesPerSecond(measurement.fastest)),
                Self.ratio(measurement, to: BenchmarkCase.foundation, among: siblings),
                Self.ratio(measurement, to: BenchmarkCase.direct, among: siblings),
                Self.ratio(measurement, to: BenchmarkCase.model, among: siblings),
                measurement.benchmark.isEngine ? Self.ratio(measurement, to: BenchmarkCase.keys, among: siblings) : "-",
                Self.ratio(measurement, to: BenchmarkCase.foundationDecoding, among: siblings),
                Self.ratio(measurement, to: BenchmarkCase.foundationPlainDecoding, among: siblings),
                Self.ratio(measurement, to: BenchmarkCase.foundationEncoding, among: siblings),
                Self.ratio(measurement, to: BenchmarkCase.foundationPlainEncoding, among: siblings),
            ])
        }
        text = heading + "\n\n" + Self.aligned(rows)
    }

    private static func ratio(_ measurement: Measurement, to name: String, among siblings: [Measurement]) -> String {
        guard let other = siblings.first(where: { $0.benchmark.name == name }) else { return "-" }
        return shown(measurement.speed(over: other))
    }

    /// Three significant digits, or all digits before the point.
    static func shown(_ number: Double) -> String {
        guard number.isFinite else { return "-" }
        let decimals = number < 10 ? 2 : number < 100 ? 1 : 0
        let scale = [1.0, 10.0, 100.0][decimals]
        let scaled = Int((number * scale).rounded())
        guard decimals > 0 else { return String(scaled) }
        let fraction = String(scaled % Int(scale))
        return "\(scaled / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }

    /// Columns of equal width: the first two are aligned left, the others, which are numbers, right.
    private static func aligned(_ rows: [[String]]) -> String {
        let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return column < 2 ? row[column] + padding : padding + row[column]
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
