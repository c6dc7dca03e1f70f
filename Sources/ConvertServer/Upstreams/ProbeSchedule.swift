import Sockets
import Text

/// When which server is to be asked for its health; without clock and sockets.
struct ProbeSchedule {
    /// A server under one check of one upstream; another check starts from the beginning.
    struct Target: Hashable {
        let upstream: ExactText
        let check: HealthCheck
        let server: ServerAddress
    }

    private var moments: [Target: MonotonicTime] = [:]

    /// Sets the servers that are asked from now on: new ones at once, the others when it is their turn.
    mutating func update(_ targets: [Target], at now: MonotonicTime) {
        let known = moments
        moments = Dictionary(targets.map { ($0, known[$0] ?? now) }) { first, _ in first }
    }

    /// Takes the targets whose turn has come; their next is an interval later.
    mutating func takeDue(at now: MonotonicTime) -> [Target] {
        let due = moments.filter { $0.value <= now }.map(\.key)
        // From now on, not from the turn that was due: a late server is not asked twice in a row.
        for target in due { moments[target] = now + target.check.interval }
        return due
    }

    /// The next turn; nil if there are no servers.
    var next: MonotonicTime? { moments.values.min() }
}
