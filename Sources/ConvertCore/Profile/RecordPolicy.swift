/// What happens to a record that cannot be converted.
public enum RecordPolicy: String, Sendable, Hashable, CaseIterable {
    /// The payload is refused.
    case fail
    /// The record is left out and counted.
    case skip
    /// `null` stands in its place.
    case null
}
