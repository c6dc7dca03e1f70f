import Sockets
import Text

/// The times of the health checks of all servers, without clock and sockets.
struct ProbeSchedule {
    /// A server with one check of one upstream. Another check starts again.
    struct Target: Hashable {
        let upstream: ExactText
        let check: HealthCheck
        let server: ServerAddress
    }

    private var moments: [Target: MonotonicTime] = [:]

    /// Sets the servers to check from now on. New ones are due at once, the others at their time.
    mutating func update(_ targets: [Target], at now: MonotonicTime) {
        let known = moments
        moments = Dictionary(targets.map { ($0, known[$0] ?? now) }) { first, _ in first }
    }

    /// Takes the targets that are due. Their next check is one interval later.
    mutating func takeDue(at now: MonotonicTime) -> [Target] {
        let due = moments.filter { $0.value <= now }.map(\.key)
        // The interval starts now, and not at the due time, so that a late check does not cause two in a row.
        for target in due { moments[target] = now + target.check.interval }
        return due
    }

    /// The time of the next check; nil if there are no servers.
    var next: MonotonicTime? { moments.values.min() }
}
