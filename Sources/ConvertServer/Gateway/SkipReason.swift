/// Why a response of a route with `response` is not converted, as Convert-Status and metrics say it.
///
/// The cases are in the order in which they are checked: of several reasons the first is reported.
enum SkipReason: String, Sendable, Hashable, CaseIterable {
    case eventStream = "event-stream"
    /// The Content-Type of the body is not JSON, or several types contradict each other.
    case type
    /// The route does not name the status, or it is 205, whose body should be empty.
    case status
    /// A part of a representation.
    case range
    case noTransform = "no-transform"
    case charset
    /// A content coding that is not read here, or several.
    case coding
    /// The route withholds something, and lists the type under what may pass.
    case passed
    /// The body could not be converted, and `onError` is `pass`.
    case error
}
