import Gateway
import Observability
import Sockets
import Upstreams

/// The source of deployments, for the life of a process: flags and environment stay, and the file and the profiles are
/// read again each time.
struct DeploymentSource: Sendable {
    private let settings: Settings
    /// The name in Via fields, unless the configuration has one.
    private let viaName = Gateway.randomViaName()
    let registry: MetricsRegistry
    /// The state of the backends, across reloads.
    let directory = UpstreamDirectory()

    init(_ settings: Settings) {
        self.settings = settings
        registry = MetricsRegistry(
            startedWall: SystemClock.wall(), startedMonotonic: SystemClock.monotonic().nanoseconds,
            version: Version.current)
    }

    /// Whether there is a configuration file: then profiles are read together with it.
    var hasFile: Bool { settings.text(.config) != nil }

    /// The current state of the configuration's files; nil without a configuration file.
    func files() -> WatchedFiles? {
        guard let path = settings.text(.config) else { return nil }
        // Standard input and pipes are read once, so they are not watched. A file that cannot be read names no
        // directory, and is checked again later.
        return WatchedFiles(
            configuration: path, directory: (try? settings.readingFile(isReload: true))?.text(.profiles))
    }

    /// Reads everything. Throws all errors.
    ///
    /// - Parameter previous: the deployment in use.
    func load(after previous: Deployment? = nil) throws(Failure) -> Deployment {
        // Taken before the files are read, so that later changes are noticed.
        let files = files()
        var deployment = try Deployment(
            settings, after: previous, registry: registry, directory: directory, viaName: viaName)
        deployment.files = files
        return deployment
    }
}
