/// One compiled date rule: recognises the input forms, writes the output form.
///
/// A rule is immutable and shared between threads; it keeps no state from one value to the next.
struct DateRule: Sendable {
    /// What a rule made of one value.
    enum Outcome: Sendable, Equatable {
        /// The new content was appended; it belongs between quotes.
        case string
        /// The new content was appended; it is a JSON integer.
        case integer
        /// Scanning: the value is no unambiguous date-time and stays as it is. Nothing was appended.
        case notADate
        /// A named field whose value is no date, or one outside the years 0001–9999. Nothing was appended.
        case bad(String)
    }

    var writesString: Bool { true }
    var contentMayNeedEscaping: Bool { false }
    var maxContentBytes: Int { 128 }

    /// Rewrites the content of a JSON string (unescaped) and appends the new content, unescaped and without quotes.
    func rewrite(string content: Span<UInt8>, into output: inout ByteBuffer) -> Outcome { .notADate }

    /// Rewrites a JSON number given as its source text.
    func rewrite(number text: Span<UInt8>, into output: inout ByteBuffer) -> Outcome { .notADate }
}
