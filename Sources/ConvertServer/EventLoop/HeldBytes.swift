import Synchronization

/// The other counts that loops share: bytes that the process keeps of messages that are on their way, and those of them that wait for
/// a peer to take them.
final class HeldBytes: Sendable {
    private let bytes = Atomic<Int>(0)
    private let waitingBytes = Atomic<Int>(0)

    var count: Int { bytes.load(ordering: .relaxed) }

    /// What of `count` waits until a client or an upstream takes it.
    var waitingCount: Int { waitingBytes.load(ordering: .relaxed) }

    /// Notes that so many bytes more, or fewer, are kept.
    func add(_ change: Int) { bytes.add(change, ordering: .relaxed) }

    /// Notes that so many more, or fewer, of the kept bytes wait for a peer.
    func addWaiting(_ change: Int) { waitingBytes.add(change, ordering: .relaxed) }
}
