import Sockets

/// When an answer that is being converted is committed: its head goes out, and no fault can become another answer any more.
///
/// Answers that are not converted are committed at once.
struct CommitRule: Sendable, Hashable {
    /// Output that is held back at most.
    static let maxHeldBytes = 64 * 1024
    /// From the first byte of output on.
    static let maxHeldMilliseconds: Int64 = 100

    private var firstOutput: MonotonicTime?

    /// Whether the response must be committed now.
    ///
    /// - Parameters:
    ///   - heldBytes: buffered output.
    ///   - hasRecord: whether the output has a whole NDJSON record.
    ///   - isCrowded: whether all connections together buffer more than they may, and this response is a part of that.
    ///     If there is no output, the buffered bytes are the original, which must be kept if it may pass unchanged.
    mutating func isDue(heldBytes: Int, hasRecord: Bool, isCrowded: Bool, at now: MonotonicTime) -> Bool {
        guard heldBytes > 0 else { return isCrowded }
        let first = firstOutput ?? now
        firstOutput = first
        return hasRecord || isCrowded || heldBytes >= Self.maxHeldBytes || now >= deadline(from: first)
    }

    /// When `isDue` has to be asked again though nothing comes; nil before the first output.
    var deadline: MonotonicTime? { firstOutput.map(deadline(from:)) }

    private func deadline(from first: MonotonicTime) -> MonotonicTime {
        first.advanced(milliseconds: Self.maxHeldMilliseconds)
    }
}
