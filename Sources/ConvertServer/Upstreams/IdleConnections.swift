package import HTTPWire
package import Sockets

/// Connections that wait for their next request, by server. The one that came last is used first.
package struct IdleConnections<Item: AnyObject> {
    /// The limit for each server. Connections beyond it wait only briefly.
    static var maxPerServer: Int { 32 }
    /// How long a connection rests if unexpected bytes may still arrive. This is shorter than the wait of surplus
    /// connections, so that resting ones are used again and not replaced.
    static var restMilliseconds: Int64 { 50 }

    private struct Entry {
        let connection: Item
        let since: MonotonicTime
        /// The time from which it may be taken; not before `since`.
        let ready: MonotonicTime
    }

    /// A server without idle connections keeps its entry until one of its connections closes.
    private var entries: [ServerAddress: [Entry]] = [:]

    /// Takes the connection with the shortest idle time that does not rest, if it may carry a request of this method.
    package mutating func take(_ server: ServerAddress, for method: RequestMethod, at now: MonotonicTime) -> Item? {
        guard let index = entries.index(forKey: server),
            let last = entries.values[index].lastIndex(where: { $0.ready <= now })
        else { return nil }
        let entry = entries.values[index][last]
        let idle = (now.nanoseconds - entry.since.nanoseconds) / 1_000_000
        guard RetryRule.allowsReuse(method, idleMilliseconds: idle) else { return nil }
        entries.values[index].remove(at: last)
        return entry.connection
    }

    /// Keeps a connection. Returns whether it is surplus and should close unless it is taken soon.
    ///
    /// - Parameter rests: whether it cannot be taken before `restMilliseconds` have passed.
    package mutating func put(
        _ connection: Item, _ server: ServerAddress, rests: Bool = false, at now: MonotonicTime
    ) -> Bool {
        let ready = rests ? now.advanced(milliseconds: Self.restMilliseconds) : now
        let entry = Entry(connection: connection, since: now, ready: ready)
        guard let index = entries.index(forKey: server) else {
            entries[server] = [entry]
            return false
        }
        entries.values[index].append(entry)
        return entries.values[index].count > Self.maxPerServer
    }

    package mutating func remove(_ connection: Item, _ server: ServerAddress) {
        guard let index = entries.index(forKey: server) else { return }
        entries.values[index].removeAll { $0.connection === connection }
        if entries.values[index].isEmpty { entries.remove(at: index) }
    }
}
