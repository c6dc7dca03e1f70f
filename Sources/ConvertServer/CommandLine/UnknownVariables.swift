import ConvertText
import Sockets

/// Finds the `CONVERT_…` variables that no option reads, because a misspelt one would be ignored silently, and a wrong value of the
/// one that forbids vector instructions.
enum UnknownVariables {
    private static let prefix = "CONVERT_"
    /// The variables of the project's own benchmarks, tests and Compose file, and the one that forbids vector instructions.
    private static let ofDevelopment: Set<String> = ["CONVERT_CORPUS", "CONVERT_IMAGE", vectors]
    private static let vectors = "CONVERT_SIMD"

    /// A warning for each. Orchestrators create similar names for services, such as `CONVERT_SERVICE_HOST` and
    /// `CONVERT_PORT_8080_TCP`. These cause no warning.
    static func warnings(_ environment: ProcessEnvironment) -> [String] {
        let options = Command.allCases.flatMap(\.options)
        let unknown = environment.names.filter { name in
            name.hasPrefix(prefix) && !options.contains { $0.variable == name } && !ofDevelopment.contains(name)
                && !isOfService(name, environment[name] ?? "")
        }
        var warnings: [String] = []
        if let limit = environment[vectors], !["", "sse2", "avx2"].contains(limit) {
            warnings.append("\(vectors): '\(limit)' is not a valid value; valid values: sse2, avx2")
        }
        for name in unknown.sorted() {
            // Without the prefix, which would make all names similar.
            let typed = name.dropFirst(prefix.count).lowercased().split(separator: "_").joined(separator: "-")
            let nearest = NearestName.nearest(to: typed, among: options.map(\.name))
            let meant = options.first { $0.name == nearest }.map { "; did you mean \($0.variable)?" } ?? ""
            warnings.append("no option reads the variable \(name)\(meant)")
        }
        return warnings.map { "convert-server: warning: \($0)" }
    }

    private static func isOfService(_ name: String, _ value: String) -> Bool {
        let isAddress = ["tcp://", "udp://", "sctp://"].contains { value.hasPrefix($0) }
        return name.contains("_SERVICE_HOST") || name.contains("_SERVICE_PORT") || name.hasSuffix("_PORT") && isAddress
            || name.contains("_PORT_") && ["_TCP", "_UDP", "_SCTP"].contains { name.contains($0) }
    }
}
