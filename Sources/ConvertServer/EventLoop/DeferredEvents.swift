import Sockets

/// The events of one wait for clients that have had much of the loop's time (`TurnAccounts`).
///
/// They come after all others and share a limited time. Whose account owes least comes first, and of one account the
/// connection whose last turn is longest ago. The next wait, which comes soon, reports the rest again. Until then it is
/// known that something has arrived, so a connection that was only not read yet is not late.
struct DeferredEvents {
    /// What they may take together before others are looked for.
    private static let roundNanoseconds: Int64 = 4_000_000

    private var waiting: [(event: PollEvent, debt: Int64, lastTurn: Int)] = []
    /// Events of connections that have not had their turn since.
    private var leftOver: [PollToken: PollEvent] = [:]

    /// Takes an event of a connection whose account owes `debt`.
    mutating func hold(_ event: PollEvent, debt: Int64, lastTurn: Int) { waiting.append((event, debt, lastTurn)) }

    /// Takes out all events, in their order.
    mutating func takeAll() -> [PollEvent] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting.sorted { ($0.debt, $0.lastTurn) < ($1.debt, $1.lastTurn) }.map(\.event)
    }

    /// Leaves an event for the next wait.
    mutating func leave(_ event: PollEvent) { leftOver[event.token] = event }

    /// Takes what was left of a connection, which has its turn now or closes.
    @discardableResult
    mutating func takeLeftOver(of token: PollToken) -> PollEvent? {
        leftOver.isEmpty ? nil : leftOver.removeValue(forKey: token)
    }

    /// Whether those that had their turns since `start` have had their time.
    static func isRoundOver(since start: MonotonicTime, at now: MonotonicTime) -> Bool {
        now.nanoseconds - start.nanoseconds > roundNanoseconds
    }
}
