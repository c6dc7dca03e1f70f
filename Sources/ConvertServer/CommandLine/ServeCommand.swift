import Sockets

/// `convert-server serve`: reads the settings and runs the server.
struct ServeCommand {
    private let source: DeploymentSource
    private let deployment: Deployment

    init(_ settings: Settings) throws(Failure) {
        // Many profiles take a while to read.
        Signals.ignoreReloads()
        source = DeploymentSource(settings)
        deployment = try source.load()
    }

    /// Serves until a signal ends it.
    func run() throws(Failure) -> ExitCode {
        SystemMemory.returnLargeBuffers()
        DescriptorLimit.raise()
        var server = try Server(deployment, from: source)
        try server.run()
        return .success
    }
}
