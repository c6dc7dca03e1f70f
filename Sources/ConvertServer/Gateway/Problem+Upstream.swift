/// What clients are told when it is the backend, or the way to it, that fails.
extension Problem {
    static let unresolvedUpstream = Problem(502, "no name of a server can be resolved", code: "upstream-unresolved")
    static let noHealthyServer = unavailable("no server is healthy", code: "no-server")
    static let fullUpstream = unavailable("as many connections are in use as there may be", code: "upstream-full")

    /// An attempt that has failed for good; `detail` says how, without addresses.
    init(_ failure: RetryRule.Failure, _ detail: String) {
        switch failure {
        case .connect: self.init(502, detail, code: "upstream-unreachable")
        case .closedUnanswered: self.init(502, detail, code: "upstream-closed")
        case .timeout: self.init(504, detail, code: "upstream-timeout")
        case .brokenAnswer: self.init(502, detail, code: "upstream-broken")
        }
    }

    private static func unavailable(_ detail: String, code: String) -> Problem {
        var problem = Problem(503, detail, code: code)
        problem.fields = [Field(name: "Retry-After", value: "1")]
        return problem
    }
}
