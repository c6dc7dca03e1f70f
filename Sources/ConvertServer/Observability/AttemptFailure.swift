/// How an attempt to get a response from an upstream has failed.
package enum AttemptFailure: Sendable, Hashable, CaseIterable {
    /// There was no connection, so nothing was sent.
    case connect
    /// The connection was reset or closed before any byte of a response.
    case closedWithoutResponse
    /// There was no connection or no response in time.
    case timeout
    /// The response was incomplete or malformed.
    case brokenResponse

    /// The value of the label `reason`.
    package var label: String {
        switch self {
        case .connect: "connect"
        case .closedWithoutResponse: "closed"
        case .timeout: "timeout"
        case .brokenResponse: "broken"
        }
    }
}
