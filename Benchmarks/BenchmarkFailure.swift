/// The reason why there is no measurement: a wrong option, a missing file, or a wrong output.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
