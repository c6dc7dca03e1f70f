import Conversions
import ConvertProfiles
import Gateway
import HTTPSemantics
import HTTPServer
import Observability
import Service
import Sockets
import Upstreams

/// Settings, configuration file and profiles, read at one time as one set.
///
/// If anything has an error, there is no deployment, and a failed reload leaves the last good one in use. Only a server
/// without routes starts although some of its profiles have errors. It reports them at `/readyz`.
struct Deployment: Sendable {
    let configuration: ServerConfiguration
    /// Where the directory of profiles is named.
    private let directorySetting: Settings.Setting?
    /// Nil without a directory of profiles.
    private var store: ProfileStore?
    /// Nil without routes.
    let gateway: Gateway?

    /// The files of this deployment, or of a later failed reload; nil without a configuration file.
    var files: WatchedFiles?

    /// The state of the profiles that is reported after a failed reload, instead of the store's.
    private var outdated: ProfileSet?

    var profiles: ProfileSet { outdated ?? store?.set ?? .empty }

    /// The lines about all errors of the profiles and of their directory.
    var profileErrors: [ReportLine] { Failure(profiles, in: directorySetting).report }

    /// All deployments of the process have the same page.
    private static let playground = PlaygroundPage(gzipped: EmbeddedPage.gzipped, policy: EmbeddedPage.policy)

    /// Reads everything again.
    ///
    /// - Parameters:
    ///   - settings: flags and environment, without the file.
    ///   - previous: the deployment in use.
    ///   - viaName: for a configuration without one.
    init(
        _ settings: Settings, after previous: Deployment? = nil, registry: MetricsRegistry,
        directory: UpstreamDirectory = UpstreamDirectory(), viaName: String
    ) throws(Failure) {
        let settings = try settings.readingFile(isReload: previous != nil)
        var configuration = ServerConfiguration()
        if settings.file?.faults.isEmpty ?? true { configuration = try ServerConfiguration(settings) }
        // Even if the file has an error, so that missing profiles are reported in the same run.
        configuration.profilesDirectory = settings.text(.profiles)
        configuration.openAPIDocument = PackageResources.openapi_yaml
        configuration.profileSchema = PackageResources.profile_schema_json
        configuration.playground = Self.playground
        // Files that were edited before come into use now.
        if previous != nil { configuration.gateway.changedSeconds = SystemClock.wall() / 1_000_000_000 + 1 }
        self.configuration = configuration
        directorySetting = settings[.profiles]
        store = Self.load(configuration, previous, registry)
        let errors = Self.errors(of: settings, store?.set ?? .empty, configuration, isReload: previous != nil)
        guard errors.isEmpty else { throw Failure(.badConfiguration, report: errors) }
        do throws(ProfileFault) {
            let gateway = configuration.gateway
            self.gateway =
                gateway.isGateway
                ? try Gateway(
                    gateway, store?.set ?? .empty, viaName: viaName, registry: registry, directory: directory) : nil
        } catch {
            throw Failure([error], inConfiguration: settings.file?.path ?? "")
        }
    }

    /// The lines about all errors in the file and in the profiles.
    private static func errors(
        of settings: Settings, _ profiles: ProfileSet, _ configuration: ServerConfiguration, isReload: Bool
    ) -> [ReportLine] {
        var lines: [ReportLine] = []
        let file = settings.file
        if let file {
            var faults = file.faults
            for reference in file.references {
                do throws(ProfileFault) {
                    _ = try profiles.use(reference)
                } catch {
                    faults.append(error)
                }
            }
            faults += file.routes.flatMap { $0.contradictions(profiles) }
            lines = Failure(faults, inConfiguration: file.path).report
        }
        guard isReload || file?.references.isEmpty == false || configuration.gateway.isGateway else { return lines }
        return lines + Failure(profiles, in: settings[.profiles]).report
    }

    private static func load(
        _ configuration: ServerConfiguration, _ previous: Deployment?, _ registry: MetricsRegistry
    ) -> ProfileStore? {
        guard let directory = configuration.profilesDirectory else { return nil }
        let isSame = previous?.configuration.profilesDirectory == directory
        let known = isSame ? previous?.store : nil
        var store =
            known
            ?? ProfileStore(
                directory: directory, limits: configuration.payloadLimits,
                maxProfileBytes: configuration.maxProfileBytes, reservedNames: Route.reservedProfileNames,
                registry: registry)
        _ = store.refresh(forced: true)
        return store
    }

    /// Reads the directory of profiles and loads changed files, or all files if `forced`. The last good version of a
    /// file with an error stays in use. Returns whether `profiles` has changed.
    ///
    /// Do not use it for a deployment with a file, whose profiles change together with it.
    mutating func refreshProfiles(forced: Bool) -> Bool { store?.refresh(forced: forced) ?? false }

    /// Records why a reload has failed. Everything stays in use, and is marked as outdated.
    ///
    /// - Parameter files: the files that could not be used. They are not read again before they change.
    mutating func noteFailedReload(_ failure: Failure, _ files: WatchedFiles?) {
        self.files = files
        var newest = store
        _ = newest?.refresh(forced: true)
        let set = store?.set ?? .empty
        outdated = set.outdated(by: newest?.set ?? .empty, errors: failure.reasons)
    }

    /// The contents: `2 routes, 1 upstream, 3 profiles`; without routes and upstreams only the profiles.
    var summary: String {
        configuration.gateway.isGateway ? wholeSummary : Self.counted(profiles.usableCount, "profile")
    }

    /// The same with the routes and upstreams in any case.
    var wholeSummary: String {
        let gateway = configuration.gateway
        return [
            Self.counted(gateway.routes.count, "route"), Self.counted(gateway.upstreams.count, "upstream"),
            Self.counted(profiles.usableCount, "profile"),
        ].joined(separator: ", ")
    }

    private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Warnings about valid settings that are probably not intended, one sentence each.
    var warnings: [String] {
        let values = configuration.gateway
        var warnings = configuration.memory.warnings(buffered: values.maxBufferedBytes)
        guard let gateway else {
            return warnings + (values.upstreams.isEmpty ? [] : ["there are upstreams, but no routes to them"])
        }
        if values.admin.isEmpty {
            warnings.append(
                "there are routes and no `admin` address: health, metrics and the service's own paths are not served")
        }
        let used = Set(values.routes.map(\.upstream))
        for (index, upstream) in values.upstreams.enumerated() where !used.contains(index) {
            warnings.append("no route uses the upstream `\(upstream.name)`")
        }
        for route in values.routes where route.match.bytes.contains(where: { "*{".utf8.contains($0) }) {
            warnings.append(
                "the route `\(route.name)` has no pattern: `*` and `{…}` in `match` are characters of the path")
        }
        return warnings + directionWarnings + gateway.labelWarnings + gateway.bypassWarnings + gateway.queryWarnings
    }

    /// One sentence for each route that converts requests and responses to the same keys.
    private var directionWarnings: [String] {
        configuration.gateway.routes.compactMap { route -> String? in
            guard let request = route.request?.plan, let response = route.response?.plan,
                request.direction == response.direction
            else { return nil }
            let isForward = request.direction == .forward
            let (first, second) = (profiles[request.name]?.keyCase, profiles[response.name]?.keyCase)
            guard request.name == response.name || isForward && first != nil && first == second else { return nil }
            let missing = isForward ? "`request` needs `\"direction\": \"inverse\"`" : "`response` needs `forward`"
            return "the route `\(route.name)` gives requests and responses the same keys; if the backend has other "
                + "keys, \(missing)"
        }
    }
}

extension Failure {
    /// All errors of a directory's profiles, one line each.
    fileprivate init(_ profiles: ProfileSet, in setting: Settings.Setting?) {
        let directory = setting?.texts.last.map { "\($0)/" } ?? ""
        var report = profiles.directoryError.flatMap { setting?.failure($0).report } ?? []
        for entry in profiles.entries {
            guard let error = entry.error else { continue }
            let file = "\(directory)\(entry.name).json"
            report +=
                entry.faults.isEmpty
                ? [ReportLine("convert-server: \(directory)\(error)")]
                : entry.faults.map { Self.line(for: $0, in: file) }
        }
        self.init(.badConfiguration, report: report)
    }
}
