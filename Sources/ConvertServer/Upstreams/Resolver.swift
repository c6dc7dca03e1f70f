import Dispatch
import Synchronization

/// Asks the system for the addresses of servers: of new ones before they are used, of those in use every so often again.
///
/// Names are looked up side by side, because a name without an answer can take a minute. A lookup that fails changes nothing:
/// the last answer stays in use.
final class Resolver: Sendable {
    static let intervalSeconds = 30
    /// How long a start or a reload waits for the first answers.
    static let maxStartMilliseconds = 2000

    private let directory: UpstreamDirectory
    private let lookUp: @Sendable (UpstreamServer) -> [ServerAddress]
    private let lookups = DispatchQueue(label: "lookups", attributes: .concurrent)
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

    /// Asks for what is in use, waits for the answers, though not for long, and starts the thread, which ends with `end`.
    func start() {
        resolve(directory.current, for: .milliseconds(Self.maxStartMilliseconds))
        DispatchQueue(label: "resolver").async {
            while !self.hasEnded.load(ordering: .acquiring) {
                _ = self.wakeUp.wait(timeout: .now() + .seconds(Self.intervalSeconds))
                if !self.hasEnded.load(ordering: .acquiring) { self.resolve(self.directory.current) }
            }
        }
    }

    func end() {
        hasEnded.store(true, ordering: .releasing)
        wakeUp.signal()
    }

    /// Asks once for each server that has a name, and waits for the answers for so long; later ones count, too.
    func resolve(_ upstreams: [Upstream], for patience: DispatchTimeInterval = .never) {
        let answers = DispatchGroup()
        for server in Set(upstreams.flatMap(\.configuration.servers)) where ServerAddress.literal(server) == nil {
            let owners = upstreams.filter { $0.configuration.servers.contains(server) }
            lookups.async(group: answers) { [lookUp] in
                let addresses = lookUp(server)
                for upstream in owners { upstream.resolved(server, to: addresses) }
            }
        }
        _ = answers.wait(timeout: .now() + patience)
    }
}
