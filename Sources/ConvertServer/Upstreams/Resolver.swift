import Dispatch

/// Looks the servers' names up again and again, on a thread of its own, since the system's resolver blocks.
final class Resolver: Sendable {
    /// How often.
    static let intervalSeconds = 30
    /// How long the start waits for the first answers.
    static let startSeconds = 5

    private let directory: UpstreamDirectory
    private let queue = DispatchQueue(label: "resolver")

    init(_ directory: UpstreamDirectory) {
        self.directory = directory
    }

    /// Resolves all names once, waiting a bounded time for it, and goes on doing so from time to time.
    func start() {
        let first = DispatchSemaphore(value: 0)
        queue.async { [self] in
            resolve()
            first.signal()
            repeatLater()
        }
        _ = first.wait(timeout: .now() + .seconds(Self.startSeconds))
    }

    /// Resolves soon, as after new upstreams have come into use.
    func resolveSoon() {
        queue.async { [self] in resolve() }
    }

    private func repeatLater() {
        queue.asyncAfter(deadline: .now() + .seconds(Self.intervalSeconds)) { [self] in
            resolve()
            repeatLater()
        }
    }

    private func resolve() {
        for upstream in directory.current {
            for server in upstream.configuration.servers {
                upstream.setAddresses(ServerAddress.all(of: server), of: server)
            }
        }
    }
}
