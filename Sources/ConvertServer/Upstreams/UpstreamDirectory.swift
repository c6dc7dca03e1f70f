package import Observability
package import Sockets
import Synchronization
import Text

/// The state of the backends in one process, across configurations: the upstreams and the budget of retries.
package final class UpstreamDirectory: Sendable {
    private let upstreams = Mutex<[Upstream]>([])
    private let retries = Mutex(RetryBudget())

    package init() {}

    /// The upstreams in use, in the order of the configuration.
    package var current: [Upstream] { upstreams.withLock { $0 } }

    /// The upstreams of a configuration, in its order. They are not resolved or probed before `use`.
    ///
    /// An unchanged upstream stays the same object. For a changed one, connections in use still count, and servers that
    /// stay keep their addresses and their health.
    package func prepare(_ configurations: [UpstreamConfiguration]) -> [Upstream] {
        let known = current
        return configurations.map { configuration in
            let former = known.first { $0.configuration.name == configuration.name }
            if let former, former.configuration == configuration { return former }
            return Upstream(configuration, after: former)
        }
    }

    /// From now on these upstreams are resolved and probed.
    package func use(_ prepared: [Upstream]) { upstreams.withLock { $0 = prepared } }

    /// Every server in use, and whether it gets requests.
    package var health: [ServerReading] {
        current.flatMap { upstream in
            upstream.health.map { server, health in
                ServerReading(
                    upstream: upstream.configuration.name.text, server: server.server.description,
                    address: server.address.ipAddress?.description ?? "", isHealthy: health.isInUse)
            }
        }
    }

    // MARK: Budgets

    /// Counts a request. Its retry does not count again.
    package func requestBegan(at now: MonotonicTime) { retries.withLock { $0.requestBegan(at: now) } }

    /// Takes one retry from the budget. False if none is left.
    package func takeRetry(at now: MonotonicTime) -> Bool { retries.withLock { $0.takeRetry(at: now) } }
}
