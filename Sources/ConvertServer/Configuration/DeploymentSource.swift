import Sockets

/// The source of deployments, for the life of a process: flags and environment stay, and the file and the profiles are
/// read again each time.
struct DeploymentSource: Sendable {
    private let settings: Settings
    /// Our name in Via fields unless the configuration gives one.
    private let viaName = Gateway.randomViaName()
    let registry: MetricsRegistry
    /// What is known of the backends, across reloads.
    let directory = UpstreamDirectory()

    init(_ settings: Settings) {
        self.settings = settings
        registry = MetricsRegistry(
            startedWall: SystemClock.wall(), startedMonotonic: SystemClock.monotonic().nanoseconds)
    }

    /// Whether there is a configuration file: then profiles are read together with it.
    var hasFile: Bool { settings.text(.config) != nil }

    /// The files that a configuration is read from, as they are now; nil without a configuration file.
    func files() -> WatchedFiles? {
        guard let path = settings.text(.config) else { return nil }
        // Standard input and pipes are read once, and not for this. A file that cannot be read names no directory, and is looked at again
        // once it can.
        return WatchedFiles(
            configuration: path, directory: (try? settings.readingFile(isReload: true))?.text(.profiles))
    }

    /// Reads everything; throws all that is wrong.
    ///
    /// - Parameter previous: what is in use; profiles that have not changed since keep their plans.
    func load(after previous: Deployment? = nil) throws(Failure) -> Deployment {
        // Before they are read, so that what changes meanwhile is noticed.
        let files = files()
        var deployment = try Deployment(
            settings, after: previous, registry: registry, directory: directory, viaName: viaName)
        deployment.files = files
        return deployment
    }
}
