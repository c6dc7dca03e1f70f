import Synchronization
import Text

/// The number of connections to an upstream in use, under all configurations, and the number for each client.
///
/// The last connections are reserved for clients that have few. A client that already has as many as are reserved gets
/// none of them. So no client has all, and a single client can have most of them.
final class ConnectionSlots: Sendable {
    private struct State {
        var taken = 0
        /// The number of connections of each client that has any.
        var clients: [IPAddress: Int] = [:]
    }

    private let state = Mutex(State())

    /// Takes one connection. False if `maxConnections` or more are in use, or if the rest is reserved for others.
    ///
    /// - Parameter client: the client that uses it; nil for a proxy of many clients.
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

    /// Gives back a connection that was taken for this client.
    func giveBack(_ client: IPAddress? = nil) {
        state.withLock { state in
            precondition(state.taken > 0, "a connection is given back once")
            state.taken -= 1
            guard let client, let count = state.clients[client] else { return }
            state.clients[client] = count > 1 ? count - 1 : nil
        }
    }
}
