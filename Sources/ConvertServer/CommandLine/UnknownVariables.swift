import ConvertEngine
import ConvertText
import Sockets

/// Finds the `CONVERT_…` variables that no option reads, because a misspelt one would be ignored silently.
enum UnknownVariables {
    private static let prefix = "CONVERT_"
    /// The variables of the project's own benchmarks, tests and Compose file.
    private static let ofDevelopment: Set<String> = ["CONVERT_CORPUS", "CONVERT_IMAGE"]

    /// A warning for each. Orchestrators create similar names for services, such as `CONVERT_SERVICE_HOST` and
    /// `CONVERT_PORT_8080_TCP`. These cause no warning.
    static func warnings(_ environment: ProcessEnvironment) -> [String] {
        let known = Set(Command.allCases.flatMap(\.options).map(\.variable)).sorted()
        let unknown = environment.names.filter { name in
            name.hasPrefix(prefix) && !known.contains(name) && !ofDevelopment.contains(name) && !isOfService(name)
        }
        return unknown.sorted().map { name in
            // Without the prefix, which would make all names similar.
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
