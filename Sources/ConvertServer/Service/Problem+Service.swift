package import HTTPSemantics

/// The errors of the service's own paths.
extension Problem {
    package static let preconditionFailed = Problem(
        412, "this response has no strong ETag, so If-Match never matches", code: "precondition-failed")

    package static let draining = unavailable("the server is stopping", code: "draining")

    static let inlineProfilesOff = Problem(
        403, "this server takes no profile from a request", code: "inline-profiles-off",
        hint: "name a profile of GET /v1/profiles, or have the operator set --inline-profiles on")
}
