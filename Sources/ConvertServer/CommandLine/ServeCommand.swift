/// `convert-server serve`: reads the settings and runs the server.
struct ServeCommand {
    private let configuration: ServerConfiguration

    init(_ settings: Settings, operands: [String]) throws(Failure) {
        guard operands.isEmpty else { throw .usage("serve takes no operands", command: .serve) }
        var configuration = try ServerConfiguration(try settings.withConfigurationFile())
        configuration.openAPIDocument = PackageResources.openapi_yaml
        configuration.profileSchema = PackageResources.profile_schema_json
        self.configuration = configuration
    }

    /// Serves until a signal ends it.
    func run() throws(Failure) -> ExitCode {
        do throws(ServerError) {
            return ExitCode(rawValue: try runServer(configuration)) ?? .internalFault
        } catch {
            throw Failure(error.exitCode, error.message)
        }
    }
}
