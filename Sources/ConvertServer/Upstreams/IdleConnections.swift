import HTTPWire

/// Connections that wait for their next request: by server, last in, first out.
struct IdleConnections<Connection: AnyObject> {
    /// Per server; of more, those that have idled longest go.
    static var maxPerServer: Int { 32 }

    private struct Entry {
        let connection: Connection
        let since: MonotonicTime
    }

    private var entries: [ServerAddress: [Entry]] = [:]

    var count: Int { entries.values.reduce(0) { $0 + $1.count } }

    /// Takes the connection that has idled for the shortest time, if a request of this method may go over it.
    mutating func take(_ server: ServerAddress, for method: RequestMethod, at now: MonotonicTime) -> Connection? {
        guard let last = entries[server]?.last else { return nil }
        let idle = (now.nanoseconds - last.since.nanoseconds) / 1_000_000
        guard RetryRule.allowsReuse(method, idleMilliseconds: idle) else { return nil }
        remove(last.connection, server)
        return last.connection
    }

    /// Keeps a connection; returns the one that has to close for it, if there is one.
    mutating func put(_ connection: Connection, _ server: ServerAddress, at now: MonotonicTime) -> Connection? {
        entries[server, default: []].append(Entry(connection: connection, since: now))
        guard let all = entries[server], all.count > Self.maxPerServer else { return nil }
        return entries[server]?.removeFirst().connection
    }

    /// Forgets a connection that has closed.
    mutating func remove(_ connection: Connection, _ server: ServerAddress) {
        entries[server]?.removeAll { $0.connection === connection }
        if entries[server]?.isEmpty == true { entries[server] = nil }
    }
}
