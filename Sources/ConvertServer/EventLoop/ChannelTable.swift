// A token is a slot's number and its generation. So an event for a channel that was closed earlier in the same turn
// finds no channel, even if another one has its slot.

import Sockets

/// The channels of an event loop, by token.
struct ChannelTable<Element> {
    /// No slot has this generation. It is for tokens of objects other than channels.
    static var reservedGeneration: UInt32 { .max }

    private struct Slot {
        var element: Element?
        var generation: UInt32 = 0
        /// The events that the poller watches; nil while the channel is not watched.
        var watched: PollInterest?
        var turns = Turns()
    }

    /// The data about a channel's turns.
    struct Turns {
        /// The account that is charged for them (`TurnAccounts`).
        var account = 0
        /// The number of the last one.
        var last = 0
        /// Whether the last turn took long.
        var wasSlow = false
    }

    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    /// The turns of all channels so far.
    private var turnCount = 0

    var count: Int { slots.count - freeSlots.count }

    /// Every channel's token.
    var tokens: [PollToken] { slots.indices.filter { slots[$0].element != nil }.map(token) }

    subscript(token: PollToken) -> Element? { index(token).flatMap { slots[$0].element } }

    /// The events of a channel that the poller watches.
    func watched(_ token: PollToken) -> PollInterest? { index(token).flatMap { slots[$0].watched } }

    mutating func setWatched(_ interest: PollInterest?, of token: PollToken) {
        if let index = index(token) { slots[index].watched = interest }
    }

    /// The data about a channel's turns; nil for a token of another object.
    func turns(_ token: PollToken) -> Turns? { index(token).map { slots[$0].turns } }

    /// Counts a turn, of this channel if the token is not that of another object.
    mutating func noteTurn(wasSlow: Bool, of token: PollToken) {
        turnCount += 1
        guard let index = index(token) else { return }
        slots[index].turns.last = turnCount
        slots[index].turns.wasSlow = wasSlow
    }

    /// Adds a channel. Its turns are charged to `account`, or to an account of its own.
    mutating func insert(_ element: Element, account: Int? = nil) -> PollToken {
        let index = freeSlots.popLast() ?? slots.count
        if index == slots.count { slots.append(Slot()) }
        let token = token(index)
        slots[index].element = element
        slots[index].turns.account = account ?? TurnAccounts.account(of: token)
        return token
    }

    /// Removes a channel. Its token is invalid from now on.
    mutating func remove(_ token: PollToken) -> Element? {
        guard let index = index(token), let element = slots[index].element else { return nil }
        let next = slots[index].generation + 1
        slots[index] = Slot(generation: next == Self.reservedGeneration ? 0 : next)
        freeSlots.append(index)
        return element
    }

    private func token(_ index: Int) -> PollToken { PollToken(generation: slots[index].generation, index: index) }

    private func index(_ token: PollToken) -> Int? {
        let index = token.index
        return index < slots.count && slots[index].generation == token.generation ? index : nil
    }
}

extension PollToken {
    init(generation: UInt32, index: Int) {
        self.init(rawValue: UInt64(generation) << 32 | UInt64(UInt32(index)))
    }

    var generation: UInt32 { UInt32(rawValue >> 32) }
    var index: Int { Int(rawValue & UInt64(UInt32.max)) }
}
