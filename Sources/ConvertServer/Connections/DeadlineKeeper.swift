/// Turns activities into deadlines. It reads no clock: each change is told with its moment.
struct DeadlineKeeper: Sendable {
    /// How long each activity may last.
    struct Times: Sendable, Hashable {
        var headSeconds = 10
        var bodySeconds = 30
        var writeSeconds = 30
        var keepAliveSeconds = 75
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
        }
    }

    /// What of a body must come to be progress, so that a drip of single bytes does not hold a connection for ever.
    static let minProgressBytes = 4 * 1024

    private var activity = Activity.none
    private var pace = TransferPace()
    private var lingersUntil: MonotonicTime?
    private(set) var deadline: MonotonicTime?

    /// Notes what the connection does now and returns the deadline that follows.
    mutating func update(_ new: Activity, at now: MonotonicTime, _ times: Times) -> MonotonicTime? {
        if let transfer = Self.transfer(new, times) {
            if !Self.continues(activity, new) { pace = TransferPace(at: now) }
            activity = new
            deadline = pace.reached(transfer.bytes, at: now, silence: transfer.silence)
            return deadline
        }
        guard isProgress(to: new) else { return deadline }
        if case .lingering = activity {} else { lingersUntil = now + times.maxLingerSeconds }
        activity = new
        deadline =
            switch new {
            case .idle: now + times.keepAliveSeconds
            case .head: now + times.headSeconds
            case .body, .upload: now + times.bodySeconds
            case .sending, .download: now + times.writeSeconds
            case .lingering: min(now + times.lingerSeconds, lingersUntil ?? now)
            case .none: nil
            }
        return deadline
    }

    /// What an upstream's connection waits with, and the seconds that it may be silent.
    private static func transfer(_ activity: Activity, _ times: Times) -> (bytes: Int, silence: Int)? {
        switch activity {
        case .upload(_, let received): (received, times.bodySeconds)
        case .download(let taken): (taken, times.writeSeconds)
        default: nil
        }
    }

    /// Whether both are of one transfer.
    private static func continues(_ old: Activity, _ new: Activity) -> Bool {
        switch (old, new) {
        case (.upload(let oldNumber, _), .upload(let newNumber, _)): oldNumber == newNumber
        case (.download, .download): true
        default: false
        }
    }

    /// Whether the time starts anew. A head has one deadline that nothing moves.
    private func isProgress(to new: Activity) -> Bool {
        switch (activity, new) {
        case (.body(let oldNumber, let old), .body(let newNumber, let received)):
            oldNumber != newNumber || received - old >= Self.minProgressBytes
        default: activity != new
        }
    }
}
