import Synchronization

/// The one count that loops share: how many connections the process may still take.
final class ConnectionBudget: Sendable {
    private let left: Atomic<Int>

    init(maxConnections: Int) {
        left = Atomic(maxConnections)
    }

    /// Takes one connection from the budget; false when it is used up.
    func take() -> Bool {
        if left.subtract(1, ordering: .relaxed).newValue >= 0 { return true }
        giveBack()
        return false
    }

    func giveBack() { left.add(1, ordering: .relaxed) }
}
