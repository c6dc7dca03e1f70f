/// Why there is no measurement: a wrong option, a missing file, or an output that is not what it should be.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
