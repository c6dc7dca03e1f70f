import Synchronization
package import Text

/// The counts that loops share: how many connections the process may still accept.
///
/// Those at `admin` are counted separately. So a server that is full of clients still responds to probes, and frequent
/// probes take no client's connection. The connections of one client are counted as well, so that it cannot take all of
/// them.
package final class ConnectionBudget: Sendable {
    package enum Kind: Int, Sendable {
        case client, admin
        /// A refused client, until it has its response.
        case refused
    }

    /// The result of taking a connection.
    package enum Decision: Sendable, Equatable {
        case granted
        /// All connections are in use.
        case full
        /// The client has reached its limit.
        case clientFull
    }

    /// How many connections may still be taken, by kind.
    private let left: InlineArray<3, Atomic<Int>>
    private let maxPerClient: Int
    /// The number of connections of each client that has any.
    private let clients = Mutex<[IPAddress: Int]>([:])

    package init(_ plan: ConnectionPlan) {
        let counts = [plan.maxConnections, plan.maxAdminConnections, plan.maxRefusedConnections]
        left = InlineArray { Atomic(counts[$0]) }
        maxPerClient = plan.maxPerClient
    }

    /// Takes one connection from the budget.
    ///
    /// - Parameter client: the address that a client is counted under; nil for a peer that speaks for many clients.
    package func take(_ kind: Kind, for client: IPAddress? = nil) -> Decision {
        guard takeShare(of: client) else { return .clientFull }
        if change(kind, by: -1) >= 0 { return .granted }
        giveBack(kind, for: client)
        return .full
    }

    /// Gives back a connection that was taken with the same parameters.
    package func giveBack(_ kind: Kind, for client: IPAddress? = nil) {
        change(kind, by: 1)
        guard maxPerClient > 0, let client else { return }
        clients.withLock { counts in
            let count = counts[client, default: 1] - 1
            counts[client] = count > 0 ? count : nil
        }
    }

    private func takeShare(of client: IPAddress?) -> Bool {
        guard maxPerClient > 0, let client else { return true }
        return clients.withLock { counts in
            let count = counts[client, default: 0]
            guard count < maxPerClient else { return false }
            counts[client] = count + 1
            return true
        }
    }

    @discardableResult
    private func change(_ kind: Kind, by difference: Int) -> Int {
        left[kind.rawValue].add(difference, ordering: .relaxed).newValue
    }
}
