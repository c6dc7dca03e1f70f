import Synchronization

/// The byte counts that loops share: all buffered bytes of unfinished messages, and the part that waits for a peer.
package final class HeldBytes: Sendable {
    private let bytes = Atomic<Int>(0)
    private let waitingBytes = Atomic<Int>(0)

    package var count: Int { bytes.load(ordering: .relaxed) }

    /// The part of `count` that waits until a client or an upstream accepts it.
    var waitingCount: Int { waitingBytes.load(ordering: .relaxed) }

    /// Adds to the buffered bytes; the change may be negative.
    package func add(_ change: Int) { bytes.add(change, ordering: .relaxed) }

    /// Adds to the bytes that wait for a peer; the change may be negative.
    func addWaiting(_ change: Int) { waitingBytes.add(change, ordering: .relaxed) }

    package init() {}
}
