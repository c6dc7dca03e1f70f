import FoundationEssentials

/// The options of the command line.
struct BenchmarkOptions {
    /// Directory of the documents; nil means the environment's, the default directory, or generated documents.
    var corpus: String?
    /// Measures only the cells whose `document/case` contains this text.
    var filter = ""
    /// The number of measurements of each cell.
    var rounds = 9
    /// The least duration of one measurement of one cell, in seconds.
    var seconds = 0.05
    /// File that the results are written to as JSON.
    var json: String?
    /// Directory to which the documents are written, instead of measuring.
    var write: String?
    /// Whether to take requests from a program that compares programs, instead of measuring.
    var isPeer = false
    /// Whether to measure how time grows with size, depth and the number of names.
    var showsGrowth = false
    var showsHelp = false

    static let help = """
        usage: Benchmarks [--corpus DIR] [--filter TEXT] [--rounds N] [--seconds S] [--json FILE]
               Benchmarks [--corpus DIR] --write DIR
               Benchmarks --growth [--rounds N] [--seconds S] [--json FILE]
               Benchmarks --peer

          --corpus DIR   documents to convert (default: $CONVERT_CORPUS, else ../shared/corpus, else generated ones)
          --filter TEXT  only cells whose document/case has TEXT in it, such as twitter or /keys
          --rounds N     times each cell is measured (9)
          --seconds S    least length of one measurement (0.05)
          --json FILE    write the results as JSON as well
          --write DIR    copy the documents to DIR and measure nothing
          --growth       key rewriting of ever larger, deeper and more various documents, with some 2.2 GB of memory
          --peer         take part in a comparison: serve requests on stdin, as Benchmarks/peers/README.md says
        """

    init(_ arguments: [String]) throws(BenchmarkFailure) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--help": showsHelp = true
            case "--growth": showsGrowth = true
            case "--peer": isPeer = true
            case "--corpus": corpus = try Self.value(of: option, &rest)
            case "--filter": filter = try Self.value(of: option, &rest)
            case "--json": json = try Self.value(of: option, &rest)
            case "--write": write = try Self.value(of: option, &rest)
            case "--rounds": rounds = try Self.number(of: option, &rest)
            case "--seconds": seconds = try Self.number(of: option, &rest)
            default: throw BenchmarkFailure("unknown option \(option)\n\(Self.help)")
            }
        }
    }

    private static func value(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(BenchmarkFailure) -> String {
        guard let value = rest.popFirst() else { throw BenchmarkFailure("\(option) needs a value") }
        return value
    }

    private static func number<Number: LosslessStringConvertible & Comparable & ExpressibleByIntegerLiteral>(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(BenchmarkFailure) -> Number {
        let text = try value(of: option, &rest)
        guard let number = Number(text), number > 0 else {
            throw BenchmarkFailure("\(option) needs a number above 0, not \(text)")
        }
        return number
    }
}
