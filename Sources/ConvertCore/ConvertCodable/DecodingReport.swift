public import ConvertEngine

/// A decoded value, the elements and records that were left out or replaced, and the rules that matched nothing.
public struct DecodingReport<Value> {
    /// The value, without the elements that were left out.
    public let value: Value
    /// The elements that were left out or replaced by `elementFailures`, in the order in which they were found.
    public let failures: [ElementFailure]
    /// How many records the profile's `records` left out or made null before decoding began.
    public let skippedRecords: Int
    /// The first 100 of these records, in the order of the payload. Empty for payloads above 4 MiB or 131,072 values.
    public let firstSkippedRecords: [SkippedRecord]
    /// The rules of the profile whose selectors matched nothing in this payload.
    public let unmatchedRules: [UnmatchedRule]
    /// The rules of `elementFailures` that no array of this payload used: no array is at their pointer, or an earlier rule matched it.
    public let unmatchedElementRules: [ElementFailureRule]
}

extension DecodingReport: Sendable where Value: Sendable {}

/// A record that the profile's `records` left out or made null.
public struct SkippedRecord: Sendable, Hashable {
    /// JSON Pointer to the record in the payload, before the profile renamed or moved anything.
    public let pointer: String
    /// The code of its first error.
    public let code: ConversionError.Code
}
