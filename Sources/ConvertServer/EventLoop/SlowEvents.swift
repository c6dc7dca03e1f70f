/// The events of one wait for connections whose last turn was slow.
///
/// They come after all others, the one that has waited longest first, and share a limited time. Otherwise many
/// connections with much work would delay the others by one turn each. The next wait, which comes soon, reports the
/// rest again. Until then it is known that something has arrived, so a connection that was only not read yet is not
/// late.
struct SlowEvents {
    /// A turn that takes longer is a slow one: some ten usual requests.
    static let slowNanoseconds: Int64 = 250_000
    /// What slow ones may take together before others are looked for.
    private static let roundNanoseconds: Int64 = 2_000_000

    private var waiting: [(event: PollEvent, turn: Int)] = []
    private var slowTurns = 0
    /// Events of connections that have not had their turn since.
    private var leftOver: [PollToken: PollEvent] = [:]

    /// The number of a slow turn, larger than that of any before; 0 for a turn that was none.
    mutating func number(ofTurnFrom start: MonotonicTime, to end: MonotonicTime) -> Int {
        guard end.nanoseconds - start.nanoseconds > Self.slowNanoseconds else { return 0 }
        slowTurns += 1
        return slowTurns
    }

    /// Takes an event if the connection's last turn, by its number, was a slow one.
    mutating func hold(_ event: PollEvent, lastTurn: Int) -> Bool {
        guard lastTurn > 0 else { return false }
        waiting.append((event, lastTurn))
        return true
    }

    /// Takes out all events, in the order of the connections' last turns.
    mutating func takeAll() -> [PollEvent] {
        defer { waiting.removeAll(keepingCapacity: true) }
        return waiting.sorted { $0.turn < $1.turn }.map(\.event)
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
