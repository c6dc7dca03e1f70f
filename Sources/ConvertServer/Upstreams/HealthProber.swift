import Dispatch
import Synchronization

/// Asks every server whose upstream has a health check, one prober for the process.
///
/// Each probe blocks a thread of the pool for as long as the check's timeout at most.
final class HealthProber: Sendable {
    /// How often it looks whose turn it is.
    private static let tickMilliseconds = 100

    private struct Turn: Hashable {
        let upstream: ObjectIdentifier
        let server: ServerAddress
    }

    private let directory: UpstreamDirectory
    private let queue = DispatchQueue(label: "health")
    /// When each server is asked next; those being asked are not in it.
    private let turns = Mutex<[Turn: MonotonicTime]>([:])

    init(_ directory: UpstreamDirectory) {
        self.directory = directory
    }

    func start() { tickLater() }

    private func tickLater() {
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.tickMilliseconds)) { [self] in
            tick(at: SystemClock.monotonic())
            tickLater()
        }
    }

    private func tick(at now: MonotonicTime) {
        for upstream in directory.current {
            guard let check = upstream.configuration.health else { continue }
            for server in upstream.servers {
                let turn = Turn(upstream: ObjectIdentifier(upstream), server: server)
                let isDue = turns.withLock { turns in
                    guard now >= turns[turn] ?? now else { return false }
                    // Not again before its answer, which has a timeout, and the interval after that.
                    turns[turn] = now + check.timeout + check.timeout + check.interval
                    return true
                }
                guard isDue else { continue }
                DispatchQueue.global().async { [self] in
                    upstream.probed(server, isGood: Self.isGood(server, check))
                    turns.withLock { $0[turn] = SystemClock.monotonic() + check.interval }
                }
            }
        }
    }

    private static func isGood(_ server: ServerAddress, _ check: HealthCheck) -> Bool {
        let status = try? HealthProbe.status(
            of: check.path, host: server.server.authority, at: server.address, timeout: check.timeout)
        return status.flatMap { $0 }.map(check.status.contains) ?? false
    }
}
