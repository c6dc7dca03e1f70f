/// How an attempt to get a response from an upstream has failed, with the value of the label `reason`.
package enum AttemptFailure: String, Sendable, Hashable, CaseIterable {
    /// There was no connection, so nothing was sent.
    case connect
    /// The connection was reset or closed before any byte of a response.
    case closedWithoutResponse = "closed"
    /// There was no connection or no response in time.
    case timeout
    /// The response was incomplete or malformed.
    case brokenResponse = "broken"
}
