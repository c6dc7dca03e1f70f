/// How the fast path handles dates under one rule.
struct FastDates: BitwiseCopyable, Sendable {
    /// Whether the fast path may rewrite RFC 3339 dates of the fixed shape in UTC, before any other format is tried.
    var isTaken = false
    /// How many fraction digits are written; nil for all but the zeros at the end.
    var precision: Int?
}
