/// The number of bad records of a payload that were skipped or replaced by null, for each error code.
package struct SkippedRecords: BitwiseCopyable, Sendable {
    /// A count for each of `ConversionError.Code.allCases`, which are fewer than 16.
    private var counts = InlineArray<16, Int>(repeating: 0)

    /// No bad records.
    package init() {}

    /// The number of records with this error code.
    package subscript(code: ConversionError.Code) -> Int {
        get { counts[Self.index(of: code)] }
        set { counts[Self.index(of: code)] = newValue }
    }

    /// The codes that occurred.
    package var codes: [ConversionError.Code] { ConversionError.Code.allCases.filter { self[$0] > 0 } }

    /// The number of all records.
    package var total: Int { counts.indices.reduce(0) { $0 + counts[$1] } }

    /// The sums of two payloads.
    package static func + (first: SkippedRecords, second: SkippedRecords) -> SkippedRecords {
        var sum = first
        for index in sum.counts.indices { sum.counts[index] += second.counts[index] }
        return sum
    }

    private static func index(of code: ConversionError.Code) -> Int {
        guard let index = ConversionError.Code.allCases.firstIndex(of: code) else {
            preconditionFailure("`allCases` has every code")
        }
        return index
    }
}
