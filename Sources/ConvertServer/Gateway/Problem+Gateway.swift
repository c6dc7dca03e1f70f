import Conversions
package import HTTPSemantics
package import Observability

/// The errors for clients if the upstream fails, or the connection to it.
extension Problem {
    static let noServer = unavailable("no server of the upstream is healthy", code: "no-server")
    static let upstreamFull = unavailable("the upstream has reached its limit of connections", code: "upstream-full")

    package static let unresolved = Problem(
        502, "no server name of the upstream can be resolved", code: "upstream-unresolved")

    /// An attempt that failed and is not retried.
    ///
    /// - Parameter detail: what happened, without addresses.
    package init(_ failure: AttemptFailure, _ detail: String) {
        switch failure {
        case .connect:
            self.init(502, "the upstream cannot be reached: \(detail)", code: "upstream-unreachable")
        case .closedWithoutResponse: self.init(502, detail, code: "upstream-closed")
        case .timeout: self.init(504, detail, code: "upstream-timeout")
        case .brokenResponse: self.init(502, detail, code: "upstream-broken")
        }
    }

    /// The problem of a response body that could not be converted. The upstream caused it, so it is 502, unless this
    /// server had no room.
    func blamingUpstream() -> Problem {
        if self == .buffersFull { return self }
        var problem = self
        problem.status = 502
        problem.detail = "the upstream's response cannot be converted: \(detail)"
        problem.fields = []
        return problem
    }

    /// The same without any part of the body, because keys and lengths may be withheld data.
    func hidingUpstream() -> Problem {
        if self == .buffersFull { return self }
        return Problem(502, "the upstream's response cannot be converted", code: code)
    }
}
