/// When an answer that is being converted is committed: its head goes out, and no fault can become another answer any more.
///
/// Answers that are not converted are committed at once.
struct CommitRule: Sendable, Hashable {
    /// Output that is held back at most.
    static let maxHeldBytes = 64 * 1024
    /// From the first byte of output on.
    static let maxHeldMilliseconds: Int64 = 100

    private var firstOutput: MonotonicTime?

    /// Whether the answer is to be committed now.
    ///
    /// - Parameters:
    ///   - heldBytes: output that waits.
    ///   - hasRecord: whether a whole NDJSON record is among it.
    ///   - isCrowded: whether all connections together hold back more than they may, and something of this answer is among it;
    ///     without output that is what came, which has to be held where it may go on as it came.
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
