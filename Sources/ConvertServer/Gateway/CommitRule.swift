import Sockets

/// Decides when a converted response is committed. Then its head is sent, and an error can no longer become another
/// response.
///
/// Responses that are not converted are committed at once.
struct CommitRule: Sendable, Hashable {
    /// The most output that is buffered before the commit.
    static let maxHeldBytes = 64 * 1024
    /// Counted from the first byte of output.
    static let maxHeldMilliseconds: Int64 = 100

    private var firstOutput: MonotonicTime?

    /// - Parameter begin: the time from which to count, for a stream. The client must learn soon that it has begun,
    ///   although the first event may take long. Nil for other bodies.
    init(from begin: MonotonicTime? = nil) { firstOutput = begin }

    /// Whether the response must be committed now.
    ///
    /// - Parameters:
    ///   - heldBytes: buffered output.
    ///   - hasRecord: whether the output has a whole NDJSON record.
    ///   - isCrowded: whether all connections together buffer more than they may, and this response is a part of that.
    ///     If there is no output, the buffered bytes are the original, which must be kept if it may pass unchanged.
    mutating func isDue(heldBytes: Int, hasRecord: Bool, isCrowded: Bool, at now: MonotonicTime) -> Bool {
        guard heldBytes > 0 || firstOutput != nil else { return isCrowded }
        let first = firstOutput ?? now
        firstOutput = first
        return hasRecord || isCrowded || heldBytes >= Self.maxHeldBytes || now >= deadline(from: first)
    }

    /// When `isDue` must be called again even if no bytes arrive; nil before the first output of a body that is not a stream.
    var deadline: MonotonicTime? { firstOutput.map(deadline(from:)) }

    private func deadline(from first: MonotonicTime) -> MonotonicTime {
        first.advanced(milliseconds: Self.maxHeldMilliseconds)
    }
}
