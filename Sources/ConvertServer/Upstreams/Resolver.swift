import Dispatch
import Synchronization

/// Asks the system for the addresses of the servers in use, on a thread of its own: at once, and every so often again.
///
/// A lookup that fails changes nothing: the last answer stays in use.
final class Resolver: Sendable {
    static let intervalSeconds = 30
    /// How long a start or a reload waits for the first answers.
    static let maxStartMilliseconds = 2000

    private let directory: UpstreamDirectory
    private let lookUp: @Sendable (UpstreamServer) -> [ServerAddress]
    private let wakeUp = DispatchSemaphore(value: 0)
    private let hasEnded = Atomic(false)

    /// - Parameter lookUp: the addresses of a server; may block.
    init(
        _ directory: UpstreamDirectory,
        lookUp: @escaping @Sendable (UpstreamServer) -> [ServerAddress] = ServerAddress.all(of:)
    ) {
        self.directory = directory
        self.lookUp = lookUp
    }

    /// Starts the thread, which ends with `end`, and waits for the first answers, though not for long.
    func start() {
        let isResolved = DispatchSemaphore(value: 0)
        DispatchQueue(label: "resolver").async {
            self.resolveAll()
            isResolved.signal()
            while !self.hasEnded.load(ordering: .acquiring) {
                _ = self.wakeUp.wait(timeout: .now() + .seconds(Self.intervalSeconds))
                if !self.hasEnded.load(ordering: .acquiring) { self.resolveAll() }
            }
        }
        _ = isResolved.wait(timeout: .now() + .milliseconds(Self.maxStartMilliseconds))
    }

    /// Resolves now what is in use now.
    func resolveSoon() { wakeUp.signal() }

    func end() {
        hasEnded.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    /// One round: each server that has a name, once.
    func resolveAll() {
        var answers: [UpstreamServer: [ServerAddress]] = [:]
        for upstream in directory.current {
            for server in upstream.configuration.servers where ServerAddress.literal(server) == nil {
                let addresses = answers[server] ?? lookUp(server)
                answers[server] = addresses
                upstream.resolved(server, to: addresses)
            }
        }
    }
}
