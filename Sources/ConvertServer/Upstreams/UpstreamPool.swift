import HTTPWire

/// One loop's connections to servers that wait for their next request.
final class UpstreamPool {
    private var idle = IdleConnections<UpstreamConnection>()

    /// A connection that waits and that a request of this method may go over; the one that has waited least.
    func take(_ server: ServerAddress, for method: RequestMethod, at now: MonotonicTime) -> UpstreamConnection? {
        idle.take(server, for: method, at: now)
    }

    /// Keeps a connection whose exchange is complete; returns whether it is one too many and should close unless it is
    /// taken soon.
    func keep(_ connection: UpstreamConnection, at now: MonotonicTime) -> Bool {
        idle.put(connection, connection.server, at: now)
    }

    /// Forgets a connection that closes.
    func forget(_ connection: UpstreamConnection) { idle.remove(connection, connection.server) }
}
