import Sockets

/// Turns activities into deadlines. It reads no clock: each change has its time as a parameter.
struct DeadlineKeeper: Sendable {
    /// The bytes of a body that count as progress, so that single bytes do not keep a connection open for ever.
    static let minProgressBytes = 4 * 1024

    private var activity = Activity.none
    private var pace = TransferPace()
    private var lingersUntil: MonotonicTime?
    private(set) var deadline: MonotonicTime?
    /// The time when the activity began or last made progress.
    private(set) var since = MonotonicTime(nanoseconds: 0)

    /// Records the activity of the connection and returns its deadline.
    mutating func update(_ new: Activity, at now: MonotonicTime, _ times: ConnectionTimes) -> MonotonicTime? {
        guard isProgress(to: new) else { return deadline }
        if !Self.continues(activity, new) { pace = TransferPace(at: now) }
        if case .lingering = activity {} else { lingersUntil = now + times.maxLingerSeconds }
        activity = new
        since = now
        deadline =
            switch new {
            // A client that connects and sends nothing gets no more time than one that has begun a header.
            case .idle(number: 0): now + min(times.headSeconds, times.keepAliveSeconds)
            case .idle: now + times.keepAliveSeconds
            case .head: now + times.headSeconds
            case .body(_, let transferred), .upload(_, let transferred):
                pace.reached(
                    transferred, at: now, silence: times.bodySeconds, minBytesPerSecond: times.minBytesPerSecond)
            case .sending(let taken), .download(let taken):
                pace.reached(taken, at: now, silence: times.writeSeconds, minBytesPerSecond: times.minBytesPerSecond)
            case .lingering: min(now + times.lingerSeconds, lingersUntil ?? now)
            case .none: nil
            }
        return deadline
    }

    /// Whether both belong to the same transfer.
    private static func continues(_ old: Activity, _ new: Activity) -> Bool {
        switch (old, new) {
        case (.upload(let oldNumber, _), .upload(let newNumber, _)), (.body(let oldNumber, _), .body(let newNumber, _)):
            oldNumber == newNumber
        case (.download, .download), (.sending, .sending): true
        default: false
        }
    }

    /// Whether the timeout starts again. The deadline of a header never moves.
    private func isProgress(to new: Activity) -> Bool {
        switch (activity, new) {
        case (.body(let oldNumber, let old), .body(let newNumber, let transferred)):
            oldNumber != newNumber || transferred - old >= Self.minProgressBytes
        default: activity != new
        }
    }
}
