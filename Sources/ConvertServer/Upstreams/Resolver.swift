package import Dispatch
import Sockets
import Synchronization

/// Looks up the addresses of servers: new ones before they are used, and servers in use at regular intervals.
///
/// Each name is looked up on a thread of its own, because a name without a result can take a minute. A failed lookup
/// changes nothing: the last addresses stay in use.
package final class Resolver: Sendable {
    package static let intervalMilliseconds = 30_000
    /// How long a start or a reload waits for the first results.
    package static let maxStartMilliseconds = 2000

    private let directory: UpstreamDirectory
    private let intervalMilliseconds: Int
    private let lookUp: @Sendable (UpstreamServer) -> [ServerAddress]
    private let wakeUp = DispatchSemaphore(value: 0)
    private let hasEnded = Atomic(false)

    /// - Parameter lookUp: the addresses of a server; may block.
    package init(
        _ directory: UpstreamDirectory, intervalMilliseconds: Int = Resolver.intervalMilliseconds,
        lookUp: @escaping @Sendable (UpstreamServer) -> [ServerAddress] = ServerAddress.all(of:)
    ) {
        self.directory = directory
        self.intervalMilliseconds = intervalMilliseconds
        self.lookUp = lookUp
    }

    /// Looks up the servers in use, waits a limited time for the results, and starts the thread, which ends with `end`.
    package func start() {
        resolve(directory.current, for: .milliseconds(Self.maxStartMilliseconds))
        DispatchQueue(label: "resolver").async {
            while !self.hasEnded.load(ordering: .acquiring) {
                _ = self.wakeUp.wait(timeout: .now() + .milliseconds(self.intervalMilliseconds))
                if !self.hasEnded.load(ordering: .acquiring) { self.resolve(self.directory.current) }
            }
        }
    }

    package func end() {
        hasEnded.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    /// Looks up each server that has a name, and waits at most `patience` for the results. Later results are also used.
    package func resolve(_ upstreams: [Upstream], for patience: DispatchTimeInterval = .never) {
        let results = DispatchGroup()
        for server in Set(upstreams.flatMap(\.configuration.servers)) where ServerAddress.literal(server) == nil {
            let owners = upstreams.filter { $0.configuration.servers.contains(server) }
            results.enter()
            let finish: @Sendable ([ServerAddress]) -> Void = { addresses in
                for upstream in owners { upstream.resolved(server, to: addresses) }
                results.leave()
            }
            do throws(SystemCallError) {
                try SystemThread.start("lookup") { [lookUp] in finish(lookUp(server)) }
            } catch {
                // The next round tries again.
                finish([])
            }
        }
        _ = results.wait(timeout: .now() + patience)
    }
}
