// MARK: - What is counted of forwarded requests

extension LoopServices {
    func countAnswer(_ status: Int, _ route: GatewayRoute, _ upstream: Upstream, _ server: ServerAddress) {
    }

    func countFailure(
        _ failure: RetryRule.Failure, _ route: GatewayRoute, _ upstream: Upstream, _ server: ServerAddress
    ) {
    }

    func countSkip(_ reason: SkipReason, _ route: GatewayRoute, _ upstream: Upstream, _ server: ServerAddress?) {
    }
}
