import Synchronization

/// How many connections to an upstream are in use, under whatever configurations they were opened.
final class ConnectionPlaces: Sendable {
    private let taken = Atomic<Int>(0)

    /// Takes a place; false when `maxConnections` are taken, or more since that was lowered.
    func take(of maxConnections: Int) -> Bool {
        if taken.add(1, ordering: .relaxed).newValue <= maxConnections { return true }
        giveBack()
        return false
    }

    func giveBack() {
        let left = taken.subtract(1, ordering: .relaxed).newValue
        precondition(left >= 0, "a place is given back once")
    }
}
