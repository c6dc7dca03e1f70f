import ConvertProfiles
package import HTTPSemantics

/// The errors about profiles and about the cost of a payload.
extension Problem {
    static let noProfile = Problem(
        404, "the server has no profile with this name", code: "unknown-profile",
        hint: "GET /v1/profiles lists the names")

    /// A profile whose file has an error and never had a good version.
    static func faultyProfile(_ entry: ProfileSet.Entry) -> Problem {
        let first = entry.faults.first.map { "\(entry.name).json:\($0.line):\($0.column): \($0.message)" }
        let reason = first ?? entry.publicError ?? ""
        return Problem(503, "the profile cannot be used: \(reason)", code: "faulty-profile", faults: entry.faults)
    }

    /// There is no room to buffer the payload beside others.
    package static let buffersFull = unavailable(
        "the payload must be buffered, and the server has no room for it",
        code: "buffers-full")

    /// The payload needs more memory than one request may have, even if nothing else is buffered.
    static let memoryLimit = Problem(
        413, "the payload must be buffered, and needs more memory than one request may have",
        code: "limit")

    static let compileQueueFull = unavailable(
        "too many long profiles are waiting to be compiled", code: "buffers-full")

    package static let responseTooLong = Problem(
        413, "the response would be longer than a response may be", code: "response-too-long",
        hint: "send the payload in parts, or have the operator raise --max-response-bytes")

    package static let tooCostly = Problem(
        413, "the payload takes more processor time than a payload may", code: "too-costly",
        hint: "send the payload in parts, or have the operator raise --max-request-cpu-seconds")
}
