import Synchronization

/// The other count that loops share: bytes that the process keeps of messages that are on their way.
final class HeldBytes: Sendable {
    private let bytes = Atomic<Int>(0)

    var count: Int { bytes.load(ordering: .relaxed) }

    /// Notes that so many bytes more, or fewer, are kept.
    func add(_ change: Int) { bytes.add(change, ordering: .relaxed) }
}
