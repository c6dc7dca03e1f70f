import ConvertCore
import Sockets

/// Finds the `CONVERT_…` variables that no option reads: a misspelt one would otherwise do nothing, silently.
enum UnknownVariables {
    private static let prefix = "CONVERT_"
    /// What the project's own benchmarks and tests read.
    private static let ofDevelopment: Set<String> = ["CONVERT_CORPUS"]

    /// A warning for each. Names that an orchestrator makes for services are not ours: `CONVERT_SERVICE_HOST`,
    /// `CONVERT_PORT_8080_TCP`.
    static func warnings(_ environment: ProcessEnvironment) -> [String] {
        let known = Set(Command.allCases.flatMap(\.options).map(\.variable)).sorted()
        let unknown = environment.names.filter { name in
            name.hasPrefix(prefix) && !known.contains(name) && !ofDevelopment.contains(name) && !isOfService(name)
        }
        return unknown.sorted().map { name in
            // Without the prefix, which would make any two names alike.
            let typed = String(name.dropFirst(prefix.count))
            let candidates = known.map { String($0.dropFirst(prefix.count)) }
            let meant = NearestName.nearest(to: typed, among: candidates).map { "; did you mean \(prefix)\($0)?" } ?? ""
            return "convert-server: warning: no option reads the variable \(name)\(meant)"
        }
    }

    private static func isOfService(_ name: String) -> Bool {
        name.contains("_SERVICE_HOST") || name.contains("_SERVICE_PORT") || name.hasSuffix("_PORT")
            || name.contains("_PORT_")
    }
}
