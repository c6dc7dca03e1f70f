import Dispatch

/// Looks the servers' names up again and again, on a thread of its own, since the system's resolver blocks.
final class Resolver: Sendable {
    /// How often.
    static let intervalSeconds = 30
    /// How long others wait for the first answers.
    static let patienceSeconds = 5

    private let directory: UpstreamDirectory
    private let queue = DispatchQueue(label: "resolver")

    init(_ directory: UpstreamDirectory) {
        self.directory = directory
    }

    /// Resolves all names once, and goes on doing so from time to time.
    func start() {
        resolveNow()
        queue.async { [self] in repeatLater() }
    }

    /// Resolves all names and waits for it, though not for long: as before new upstreams come into use.
    func resolveNow() {
        let done = DispatchSemaphore(value: 0)
        queue.async { [self] in
            resolve()
            done.signal()
        }
        _ = done.wait(timeout: .now() + .seconds(Self.patienceSeconds))
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
