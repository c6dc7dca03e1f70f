import Sockets

/// Turns activities into deadlines. It reads no clock: each change comes with its moment.
struct DeadlineKeeper: Sendable {
    /// How long each activity may last.
    struct Times: Sendable, Hashable {
        var headSeconds = 10
        var bodySeconds = 30
        var writeSeconds = 30
        var keepAliveSeconds = 75
        /// Of what a client sends or takes, over a minute.
        var minBytesPerSecond = 256
        /// Without a byte of what is thrown away.
        var lingerSeconds = 2
        /// However much comes.
        var maxLingerSeconds = 30

        init() {}

        init(_ configuration: ServerConfiguration) {
            headSeconds = configuration.headSeconds
            bodySeconds = configuration.bodySeconds
            writeSeconds = configuration.writeSeconds
            keepAliveSeconds = configuration.keepAliveSeconds
            minBytesPerSecond = configuration.minBytesPerSecond
        }
    }

    /// What of a body must come to be progress, so that a drip of single bytes does not hold a connection for ever.
    static let minProgressBytes = 4 * 1024

    private var activity = Activity.none
    private var pace = TransferPace()
    private var lingersUntil: MonotonicTime?
    private(set) var deadline: MonotonicTime?
    /// When the activity began, or last made progress.
    private(set) var since = MonotonicTime(nanoseconds: 0)

    /// Notes what the connection does now and returns the deadline that follows.
    mutating func update(_ new: Activity, at now: MonotonicTime, _ times: Times) -> MonotonicTime? {
        guard isProgress(to: new) else { return deadline }
        if !Self.continues(activity, new) { pace = TransferPace(at: now) }
        if case .lingering = activity {} else { lingersUntil = now + times.maxLingerSeconds }
        activity = new
        since = now
        deadline =
            switch new {
            // Who has connected and says nothing is worth no more than who has begun.
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

    /// Whether both are of one transfer.
    private static func continues(_ old: Activity, _ new: Activity) -> Bool {
        switch (old, new) {
        case (.upload(let oldNumber, _), .upload(let newNumber, _)), (.body(let oldNumber, _), .body(let newNumber, _)):
            oldNumber == newNumber
        case (.download, .download), (.sending, .sending): true
        default: false
        }
    }

    /// Whether the time starts again. A header has one deadline that nothing moves.
    private func isProgress(to new: Activity) -> Bool {
        switch (activity, new) {
        case (.body(let oldNumber, let old), .body(let newNumber, let transferred)):
            oldNumber != newNumber || transferred - old >= Self.minProgressBytes
        default: activity != new
        }
    }
}
