import Sockets

/// The events of one wait for clients that have had much of the loop's time (`TurnAccounts`).
///
/// They come after all others and share a limited time. The account with the least debt comes first. Within one
/// account, the channel with the oldest last turn comes first. The next wait, which comes soon, reports the rest
/// again. Until then the events are remembered, so that a channel with unread input does not count as late.
struct DeferredEvents {
    /// The time that they may take together before the loop waits for other events.
    private static let roundNanoseconds: Int64 = 4_000_000

    private var waiting: [(event: PollEvent, debt: Int64, lastTurn: Int)] = []
    /// Events of channels that have not had their turn since.
    private var leftOver: [PollToken: PollEvent] = [:]

    var isEmpty: Bool { waiting.isEmpty }

    /// Takes an event of a channel whose account owes `debt`.
    mutating func hold(_ event: PollEvent, debt: Int64, lastTurn: Int) { waiting.append((event, debt, lastTurn)) }

    /// Removes and returns all events, in their order.
    mutating func takeAll() -> [PollEvent] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting.sorted { ($0.debt, $0.lastTurn) < ($1.debt, $1.lastTurn) }.map(\.event)
    }

    /// Leaves an event for the next wait.
    mutating func leave(_ event: PollEvent) { leftOver[event.token] = event }

    /// Removes the remaining event of a channel, which has its turn now or closes.
    @discardableResult
    mutating func takeLeftOver(of token: PollToken) -> PollEvent? {
        leftOver.isEmpty ? nil : leftOver.removeValue(forKey: token)
    }

    /// Whether the turns since `start` have used up the time of the deferred events.
    static func isRoundOver(since start: MonotonicTime, at now: MonotonicTime) -> Bool {
        now.nanoseconds - start.nanoseconds > roundNanoseconds
    }
}
