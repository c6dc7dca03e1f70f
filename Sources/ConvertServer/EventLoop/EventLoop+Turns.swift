// The order of turns. An event is handled at once, unless its client has used much of the loop's time. Then it waits
// until all others had their turns (`TurnAccounts`, `DeferredEvents`).

import Sockets

extension EventLoop {
    /// The time above which a turn is slow: about ten usual requests.
    private static let slowNanoseconds: Int64 = 250_000

    /// Adds events for channels that have work to do, but would get no event.
    func addUnfinished(to events: inout [PollEvent]) {
        guard !unfinished.isEmpty else { return }
        for event in events { unfinished.remove(event.token) }
        for token in unfinished {
            events.append(PollEvent(token: token, isReadable: false, isWritable: true, isBroken: false))
        }
        unfinished.removeAll(keepingCapacity: true)
    }

    /// Gives a channel its turn or defers it. Returns the end of the turn, which is the beginning of the next one.
    func take(_ event: PollEvent, at now: MonotonicTime) throws(SystemCallError) -> MonotonicTime {
        let turns = turns(of: event.token)
        if let turns {
            let debt = turnAccounts.debt(of: turns.account, at: now)
            guard debt <= TurnAccounts.maxPromptDebt else {
                deferredEvents.hold(event, debt: debt, lastTurn: turns.last)
                return now
            }
        }
        return try takeTurn(event, turns, at: now)
    }

    /// The data about a channel's turns; nil for a token of another object.
    func turns(of token: PollToken) -> ChannelTable<any Channel>.Turns? {
        guard var turns = channels.turns(token) else { return nil }
        if let payer = channels[token]?.payer, let account = channels.turns(payer)?.account { turns.account = account }
        return turns
    }

    /// Gives a channel its turn. Returns the end of the turn.
    func takeTurn(
        _ event: PollEvent, _ turns: ChannelTable<any Channel>.Turns?, at now: MonotonicTime
    ) throws(SystemCallError) -> MonotonicTime {
        deferredEvents.takeLeftOver(of: event.token)
        // A channel whose last turn was short is not measured. This saves two system calls for small requests.
        let isMeasured = turns?.wasSlow ?? false
        let spentBefore = isMeasured ? SystemClock.processor() : 0
        try handle(event, at: now)
        try finishEvent(at: now)
        if isMeasured { channels[event.token]?.spend(nanoseconds: SystemClock.processor() - spentBefore) }
        let end = SystemClock.monotonic()
        if let turns {
            turnAccounts.charge(turns.account, from: now, to: end)
            let isSlow = end.nanoseconds - now.nanoseconds > Self.slowNanoseconds
            channels.noteTurn(wasSlow: isSlow, of: event.token)
        }
        return end
    }

    /// Gives at least one deferred channel its turn. False if some are left.
    func takeDeferredEvents(at start: MonotonicTime) throws(SystemCallError) -> Bool {
        guard !deferredEvents.isEmpty else { return true }
        var now = start
        var isComplete = true
        for event in deferredEvents.takeAll() {
            if isComplete, !DeferredEvents.isRoundOver(since: start, at: now) {
                now = try takeTurn(event, turns(of: event.token), at: now)
            } else {
                isComplete = false
                deferredEvents.leave(event)
                unfinished.insert(event.token)
            }
        }
        return isComplete
    }
}
