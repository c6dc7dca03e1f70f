/// `convert-server serve`: reads the settings and runs the server.
struct ServeCommand {
    private let settings: ServeSettings

    init(_ settings: Settings, operands: [String]) throws(Failure) {
        guard operands.isEmpty else { throw .usage("serve takes no operands", command: .serve) }
        self.settings = try ServeSettings(try settings.withConfigurationFile())
    }

    func run() throws(Failure) -> ExitCode {
        throw Failure(.internalFault, "the server is not part of this build")
    }
}

extension CommandOption {
    static let profiles = CommandOption("profiles", .one("DIR"), "the directory of the named profiles, *.json")

    static let serveOptions: [CommandOption] =
        [.config, .listen, .profiles] + ServeSettings.numbers.map(\.option)
}
