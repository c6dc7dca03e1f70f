/// `convert-server health`: the liveness probe for images without a shell or curl.
struct HealthCommand {
    private let address: ListenAddress

    init(_ settings: Settings, operands: [String]) throws(Failure) {
        guard operands.isEmpty else { throw .usage("health takes no operands", command: .health) }
        let addresses = try settings.withConfigurationFile().addresses()
        guard let first = addresses.first else { throw Failure(.internalFault, "no address to ask") }
        address = first
    }

    /// Asks the first address; throws what speaks against its health.
    func run() throws(Failure) -> ExitCode {
        do throws(SystemCallError) {
            guard try !HealthProbe(address).isHealthy() else { return .success }
        } catch {
            throw Failure(.unhealthy, "cannot ask \(address): \(error)")
        }
        throw Failure(.unhealthy, "\(address) does not answer 200")
    }
}
