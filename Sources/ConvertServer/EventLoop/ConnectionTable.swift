// A token is a slot's number and its generation. So an event for a connection that was closed earlier in the same turn
// finds no connection, even if another one has its slot.

/// The connections of an event loop, by token.
struct ConnectionTable<Element> {
    /// No slot has this generation; it is for tokens of other things than connections.
    static var reservedGeneration: UInt32 { .max }

    private struct Slot {
        var element: Element?
        var generation: UInt32 = 0
        /// What the poller watches; nil while the connection is not watched.
        var watched: PollInterest?
        /// When it had its last turn, if that was a slow one; 0 if not.
        var slowTurn = 0
    }

    private var slots: [Slot] = []
    private var freeSlots: [Int] = []

    var count: Int { slots.count - freeSlots.count }

    /// Every connection's token.
    var tokens: [PollToken] { slots.indices.filter { slots[$0].element != nil }.map(token) }

    subscript(token: PollToken) -> Element? { index(token).flatMap { slots[$0].element } }

    /// What the poller watches of a connection.
    func watched(_ token: PollToken) -> PollInterest? { index(token).flatMap { slots[$0].watched } }

    mutating func setWatched(_ interest: PollInterest?, of token: PollToken) {
        if let index = index(token) { slots[index].watched = interest }
    }

    /// The number of a connection's last turn if that was slow, else 0, also for a token of something else.
    func slowTurn(_ token: PollToken) -> Int { index(token).map { slots[$0].slowTurn } ?? 0 }

    mutating func setSlowTurn(_ turn: Int, of token: PollToken) {
        if let index = index(token) { slots[index].slowTurn = turn }
    }

    mutating func insert(_ element: Element) -> PollToken {
        let index = freeSlots.popLast() ?? slots.count
        if index == slots.count { slots.append(Slot()) }
        slots[index].element = element
        return token(index)
    }

    /// Removes a connection, whose token means nothing from now on.
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
    init(generation: UInt32, index: Int) { rawValue = UInt64(generation) << 32 | UInt64(UInt32(index)) }

    var generation: UInt32 { UInt32(rawValue >> 32) }
    var index: Int { Int(rawValue & UInt64(UInt32.max)) }
}
