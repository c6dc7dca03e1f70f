/// The outcome of one payload of a stream.
package enum StreamOutcome: Int, Sendable, CaseIterable {
    case converted
    /// It is not JSON, and passed unchanged.
    case notJSON
    /// It passed unchanged, because the route says so.
    case passed

    /// The value of the label `result`.
    var label: String { self == .notJSON ? "not-json" : "\(self)" }
}
