import Synchronization
import Text

/// How many connections to an upstream are in use, under all configurations, and how many each client has.
///
/// The last connections are reserved for clients that have few: a client that has as many as are reserved gets none of
/// them. So no client has all, and one that is alone has nearly all.
final class ConnectionPlaces: Sendable {
    private struct State {
        var taken = 0
        /// Clients that have a place, and how many.
        var clients: [IPAddress: Int] = [:]
    }

    private let state = Mutex(State())

    /// Takes a place; false when `maxConnections` are taken, or more since that was lowered, or those left are spared for others.
    ///
    /// - Parameter client: the client that has it; nil for a proxy of many clients.
    func take(of maxConnections: Int, sparing sparedCount: Int = 0, for client: IPAddress? = nil) -> Bool {
        state.withLock { state in
            guard state.taken < maxConnections else { return false }
            if let client {
                let count = state.clients[client, default: 0]
                guard count < sparedCount || maxConnections - state.taken > sparedCount else { return false }
                state.clients[client] = count + 1
            }
            state.taken += 1
            return true
        }
    }

    /// Gives back a place that was taken for this client.
    func giveBack(_ client: IPAddress? = nil) {
        state.withLock { state in
            precondition(state.taken > 0, "a place is given back once")
            state.taken -= 1
            guard let client, let count = state.clients[client] else { return }
            state.clients[client] = count > 1 ? count - 1 : nil
        }
    }
}
