import Dispatch
import Synchronization

/// What a process knows of its backends, whatever configuration is in use: the upstreams, the budget of second attempts, and
/// how much of answers is held back.
final class UpstreamDirectory: Sendable {
    private let upstreams = Mutex<[Upstream]>([])
    private let retries = Mutex(RetryBudget())
    private let heldBytes = Atomic<Int>(0)

    /// The upstreams of a configuration, in its order. Those whose configuration has not changed are the same objects; of
    /// others with a known name, servers keep their addresses and their health.
    ///
    /// They are not in use before `use`.
    func prepare(_ configurations: [UpstreamConfiguration]) -> [Upstream] {
        let known = upstreams.withLock { $0 }
        return configurations.map { configuration in
            let former = known.first { $0.configuration.name == configuration.name }
            if let former, former.configuration == configuration { return former }
            return Upstream(configuration, known: former)
        }
    }

    /// Makes these the upstreams that are resolved and probed.
    func use(_ current: [Upstream]) { upstreams.withLock { $0 = current } }

    var current: [Upstream] { upstreams.withLock { $0 } }

    // MARK: Budgets

    func requestBegan(at now: MonotonicTime) { retries.withLock { $0.requestBegan(at: now) } }

    /// Takes a second attempt out of the budget; false when there is none left.
    func takeRetry(at now: MonotonicTime) -> Bool { retries.withLock { $0.takeRetry(at: now) } }

    /// Notes that so many bytes more, or less, are held back; answers how many are, over all loops.
    @discardableResult
    func hold(_ change: Int) -> Int { heldBytes.add(change, ordering: .relaxed).newValue }
}
