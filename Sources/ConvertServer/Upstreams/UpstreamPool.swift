import HTTPWire
import Sockets

/// One loop's connections to servers that wait for their next request.
final class UpstreamPool {
    private var idle = IdleConnections<UpstreamConnection>()

    /// A connection that waits and that a request of this method may go over; the one that has waited least.
    ///
    /// The loop may not have been told yet of what has come on one: its socket is looked at.
    func take(_ server: ServerAddress, for method: RequestMethod, at now: MonotonicTime) -> UpstreamConnection? {
        while let connection = idle.take(server, for: method, at: now) {
            if connection.staysQuiet() { return connection }
        }
        return nil
    }

    /// Keeps a connection whose exchange is complete; returns whether it is one too many and should close unless it is
    /// taken soon.
    ///
    /// - Parameter rests: whether it is not to be taken at once.
    func keep(_ connection: UpstreamConnection, rests: Bool, at now: MonotonicTime) -> Bool {
        idle.put(connection, connection.server, rests: rests, at: now)
    }

    /// Forgets a connection that closes.
    func forget(_ connection: UpstreamConnection) { idle.remove(connection, connection.server) }
}
