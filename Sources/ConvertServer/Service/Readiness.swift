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
        let errors = Self.summary(of: isPublic ? profiles.publicErrors : profiles.errors)
        if isDraining || profiles.isUnusable {
            let problem =
                isDraining
                ? Problem.draining
                : Problem.unavailable("no profile could be loaded: \(errors)", code: "no-profiles")
            return WholeResponse(problem, requestID: requestID)
        }
        let body = JSONWriter.object { writer in
            writer.member("status", "ok")
            if !errors.isEmpty {
                writer.member("detail", profiles.reloadErrors.isEmpty ? errors : "not reloaded: " + errors)
            }
        }
        return WholeResponse(contentType: "application/json", body: body)
    }

    /// As many errors as fit into one short line, and the number of others.
    private static func summary(of errors: [String]) -> String {
        var shown: [String] = []
        var count = 0
        for error in errors {
            count += error.unicodeScalars.count
            guard shown.isEmpty || count <= maxDetailScalars else { break }
            shown.append(String(error.unicodeScalars.prefix(maxDetailScalars)))
        }
        let rest = errors.count - shown.count
        return shown.joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
    }
}
