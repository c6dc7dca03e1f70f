/// `convert-server serve`: reads the settings and runs the server.
struct ServeCommand {
    private let source: DeploymentSource
    private let deployment: Deployment

    init(_ settings: Settings, operands: [String]) throws(Failure) {
        guard operands.isEmpty else { throw .usage("serve takes no operands", command: .serve) }
        source = DeploymentSource(settings)
        deployment = try source.load()
        // Nothing is served rather than something else than what the file says.
        guard deployment.gateway?.routes.contains(where: \.needsMoreThanPassing) != true else {
            throw Failure(
                .badConfiguration,
                "routes with `request`, `response` or `upgrade` are read and checked by this version, but not served yet"
            )
        }
    }

    /// Serves until a signal ends it.
    func run() throws(Failure) -> ExitCode {
        do throws(ServerError) {
            return ExitCode(rawValue: try runServer(deployment, from: source)) ?? .internalFault
        } catch {
            throw Failure(error.exitCode, error.message)
        }
    }
}

extension GatewayRoute {
    /// Whether bodies do not just go on as they come.
    fileprivate var needsMoreThanPassing: Bool {
        request != nil || response != nil || !configuration.upgrades.isEmpty
    }
}
