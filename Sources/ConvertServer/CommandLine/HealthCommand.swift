/// `convert-server health`: the liveness probe for images without a shell or curl.
struct HealthCommand {
    /// Where `serve` listens when nothing says otherwise.
    static let defaultAddress = "127.0.0.1:8080"

    private let address: String
    private let probe: HealthProbe

    init(_ settings: Settings, operands: [String]) throws(Failure) {
        guard operands.isEmpty else { throw .usage("health takes no operands", command: .health) }
        let settings = try settings.withConfigurationFile()
        address = settings[.listen]?.texts.first ?? Self.defaultAddress
        guard let probe = HealthProbe(address) else {
            let message = "'\(address)' is neither ADDR:PORT nor unix:PATH"
            throw settings[.listen]?.fault(message) ?? Failure(.internalFault, message)
        }
        self.probe = probe
    }

    func run() throws(Failure) -> ExitCode {
        do throws(SystemCallError) {
            guard try !probe.isHealthy() else { return .success }
        } catch {
            throw Failure(.unhealthy, "cannot ask \(address): \(error)")
        }
        throw Failure(.unhealthy, "\(address) does not answer 200")
    }
}
