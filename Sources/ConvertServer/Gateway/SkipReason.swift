/// Why an answer of a route with `response` is not converted, as Convert-Status and metrics say it.
///
/// The cases stand in the order in which they are looked for: of several reasons the first is given.
enum SkipReason: String, Sendable, Hashable, CaseIterable {
    case eventStream = "event-stream"
    /// The body is no JSON by its Content-Type.
    case type
    /// The route does not name the status.
    case status
    /// A part of a representation.
    case range
    case noTransform = "no-transform"
    case charset
    /// A content coding that is not read here, or several.
    case coding
    /// The body could not be converted, and the route says that it then goes on as it came.
    case error

    /// Whether this keeps a JSON answer within `status` from being converted, so that `onSkip` governs it.
    var isGovernedByOnSkip: Bool {
        switch self {
        case .range, .noTransform, .charset, .coding: true
        case .eventStream, .type, .status, .error: false
        }
    }
}
