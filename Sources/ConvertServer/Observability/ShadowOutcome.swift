/// The result of a response that a route's `shadow` has chosen.
package enum ShadowOutcome: Int, Sendable, CaseIterable {
    case same, differs
    /// The other profile cannot convert it.
    case error
    /// It was not compared: it is too long, took too long or ended early, or there was no room for it.
    case skipped

    /// The value of the label `result`.
    package var label: String { "\(self)" }
}
