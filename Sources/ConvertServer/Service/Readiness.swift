package import Conversions
import HTTPSemantics
import Text

/// Whether the server accepts requests, in the view of one loop.
package struct Readiness: Sendable, Hashable {
    /// The most characters of errors in the detail, which must stay below the 1,024 of the interface's description.
    private static let maxDetailScalars = 800

    package var isDraining = false

    /// The response of `/readyz`: 200, or 503 with the reason. Public addresses get no paths.
    package func response(_ profiles: ProfileSet, requestID: String, isPublic: Bool) -> WholeResponse {
        let faults = Self.summary(of: isPublic ? profiles.publicFaults : profiles.faults)
        if isDraining || profiles.isUnusable {
            let problem =
                isDraining
                ? Problem.draining
                : Problem.unavailable("no profile could be loaded: \(faults)", code: "no-profiles")
            return WholeResponse(problem, requestID: requestID)
        }
        let body = JSONWriter.object { writer in
            writer.member("status", "ok")
            if !faults.isEmpty {
                writer.member("detail", profiles.reloadFaults.isEmpty ? faults : "not reloaded: " + faults)
            }
        }
        return WholeResponse(contentType: "application/json", body: body)
    }

    /// As many errors as fit into one short line, and the number of others.
    private static func summary(of faults: [String]) -> String {
        var shown: [String] = []
        var count = 0
        for fault in faults {
            count += fault.unicodeScalars.count
            guard shown.isEmpty || count <= maxDetailScalars else { break }
            shown.append(String(fault.unicodeScalars.prefix(maxDetailScalars)))
        }
        let rest = faults.count - shown.count
        return shown.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
    }
}
