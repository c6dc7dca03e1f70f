import HTTPWire

/// One loop's connections to servers: those that wait for the next request, last in, first out.
final class UpstreamPool {
    /// Connections that wait, of each server.
    static let maxIdle = 32

    private var idle: [ServerAddress: [UpstreamConnection]] = [:]

    /// A connection that waits and may be used for such a request.
    ///
    /// - Parameter now: those that have waited too long are left where they are; they close by themselves.
    func take(_ server: ServerAddress, for method: RequestMethod, at now: MonotonicTime) -> UpstreamConnection? {
        guard let last = idle[server]?.last, let milliseconds = last.idleMilliseconds(at: now),
            RetryRule.allowsReuse(method, idleMilliseconds: milliseconds)
        else { return nil }
        return idle[server]?.popLast()
    }

    /// Keeps a connection whose exchange is complete; one that has waited longest goes where there are too many.
    func keep(_ connection: UpstreamConnection) {
        idle[connection.server, default: []].append(connection)
        guard idle[connection.server, default: []].count > Self.maxIdle else { return }
        idle[connection.server]?.removeFirst().close()
    }

    /// Lets go of a connection that is about to close.
    func forget(_ connection: UpstreamConnection) {
        idle[connection.server]?.removeAll { $0 === connection }
        if idle[connection.server]?.isEmpty ?? false { idle[connection.server] = nil }
    }

    /// Closes all that wait, as when the loop drains.
    func closeAll() {
        for connection in idle.values.joined() { connection.close() }
        idle.removeAll()
    }
}
