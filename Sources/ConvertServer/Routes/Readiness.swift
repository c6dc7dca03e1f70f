/// Whether the server wants requests, as far as a loop has been told.
struct Readiness: Sendable, Hashable {
    var isDraining = false

    /// The answer of `/readyz`: 200, or 503 with the reason.
    func answer(_ profiles: ProfileSet, requestID: String) -> Answer {
        let faults = profiles.faults
        if isDraining || profiles.isUnusable {
            let reason = isDraining ? "the server is going down" : "no profile could be loaded: "
            let problem = Problem.unavailable(
                isDraining ? reason : reason + faults.joined(separator: "; "),
                code: isDraining ? "draining" : "no-profiles")
            return Answer(problem, requestID: requestID)
        }
        var writer = JSONWriter()
        writer.openObject()
        writer.member("status", "ok")
        if !faults.isEmpty { writer.member("detail", faults.joined(separator: "; ")) }
        writer.closeObject()
        return Answer(contentType: "application/json", body: writer.bytes)
    }
}
