/// The reason why a response of a route with `response` is not converted, as in Convert-Status and metrics.
///
/// The cases are in the order of the checks. If there are several reasons, the first one is reported.
package enum SkipReason: String, Sendable, Hashable, CaseIterable {
    case eventStream = "event-stream"
    /// The Content-Type of the body is not JSON, or several types contradict each other.
    case type
    /// The route does not name the status, or it is 205, whose body should be empty.
    case status
    /// A part of a representation.
    case range
    case noTransform = "no-transform"
    case charset
    /// A content coding that the gateway cannot decode, or several codings.
    case coding
    /// The route withholds data, and lists the type in `pass`.
    case passed
    /// The body could not be converted, and `onError` is `pass`.
    case error
}
