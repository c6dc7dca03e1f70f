package import EventLoop
package import HTTPWire
package import Sockets

/// One loop's idle connections to upstreams.
package final class UpstreamPool {
    /// The most idle connections of each loop to one server.
    package static let maxIdlePerServer = IdleConnections<UpstreamConnection>.maxPerServer

    /// The shared state of all channels of the loop.
    package let context: LoopContext
    private var idle = IdleConnections<UpstreamConnection>()

    package init(_ context: LoopContext) { self.context = context }

    /// An idle connection for a request of this method: the one with the shortest idle time.
    ///
    /// The socket is checked, because the loop may not have seen its last events yet.
    package func take(_ server: ServerAddress, for method: RequestMethod, at now: MonotonicTime) -> UpstreamConnection?
    {
        while let connection = idle.take(server, for: method, at: now) {
            if connection.staysQuiet() { return connection }
        }
        return nil
    }

    /// Keeps a connection whose exchange is complete. Returns whether it is surplus and should close unless it is taken
    /// soon.
    ///
    /// - Parameter rests: whether it cannot be taken at once.
    package func keep(_ connection: UpstreamConnection, rests: Bool, at now: MonotonicTime) -> Bool {
        idle.put(connection, connection.server, rests: rests, at: now)
    }

    package func forget(_ connection: UpstreamConnection) { idle.remove(connection, connection.server) }
}
