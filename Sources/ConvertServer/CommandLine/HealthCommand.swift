/// `convert-server health`: the liveness probe for images without a shell or curl.
struct HealthCommand {
    init(_ settings: Settings, operands: [String]) throws(Failure) {
        guard operands.isEmpty else { throw .usage("health takes no operands", command: .health) }
    }

    func run() throws(Failure) -> ExitCode {
        .unhealthy
    }
}
