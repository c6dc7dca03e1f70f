import HTTPWire
import Sockets

/// One loop's idle connections to servers.
final class UpstreamPool {
    private var idle = IdleConnections<UpstreamConnection>()

    /// An idle connection for a request of this method: the one with the shortest idle time.
    ///
    /// The socket is checked, because the loop may not have seen its last events yet.
    func take(_ server: ServerAddress, for method: RequestMethod, at now: MonotonicTime) -> UpstreamConnection? {
        while let connection = idle.take(server, for: method, at: now) {
            if connection.staysQuiet() { return connection }
        }
        return nil
    }

    /// Keeps a connection whose exchange is complete. Returns whether it is surplus and should close unless it is taken
    /// soon.
    ///
    /// - Parameter rests: whether it cannot be taken at once.
    func keep(_ connection: UpstreamConnection, rests: Bool, at now: MonotonicTime) -> Bool {
        idle.put(connection, connection.server, rests: rests, at: now)
    }

    /// Removes a connection that closes.
    func forget(_ connection: UpstreamConnection) { idle.remove(connection, connection.server) }
}
