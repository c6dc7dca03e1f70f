import Synchronization

/// The counts that loops share: how many connections the process may still take.
///
/// Those at `admin` are counted apart. So a server that is full of clients still tells that it lives, and whoever asks it too often
/// takes no client's place.
final class ConnectionBudget: Sendable {
    /// Connections at `admin`; fewer where there may not be as many of clients.
    static let maxAdminConnections = 100

    private let left: Atomic<Int>
    private let adminLeft: Atomic<Int>

    init(maxConnections: Int) {
        left = Atomic(maxConnections)
        adminLeft = Atomic(min(maxConnections, Self.maxAdminConnections))
    }

    /// Takes one connection from the budget; false when it is used up.
    ///
    /// - Parameter isPublic: whether it comes in where clients are served, rather than at `admin`.
    func take(isPublic: Bool) -> Bool {
        let taken = isPublic ? left.subtract(1, ordering: .relaxed) : adminLeft.subtract(1, ordering: .relaxed)
        if taken.newValue >= 0 { return true }
        giveBack(isPublic: isPublic)
        return false
    }

    /// Gives back a connection that was taken with the same `isPublic`.
    func giveBack(isPublic: Bool) {
        _ = isPublic ? left.add(1, ordering: .relaxed) : adminLeft.add(1, ordering: .relaxed)
    }
}
