import HTTPWire
import Sockets

/// Connections that wait for their next request: by server, last in, first out.
struct IdleConnections<Connection: AnyObject> {
    /// Per server; of more, those that came last wait for a moment only.
    static var maxPerServer: Int { ConnectionPlan.maxIdlePerServer }
    /// How long one rests that may still bring what belongs to no answer. Less than what is one too many may wait, so that those that
    /// rest are used again and not replaced.
    static var restMilliseconds: Int64 { 50 }

    private struct Entry {
        let connection: Connection
        let since: MonotonicTime
        /// When it may be taken; not before `since`.
        let ready: MonotonicTime
    }

    /// A server whose connections were all taken keeps its place until one of them closes.
    private var entries: [ServerAddress: [Entry]] = [:]

    var count: Int { entries.values.reduce(0) { $0 + $1.count } }

    /// Takes the connection that has been idle for the shortest time and does not rest, if it may carry a request of this
    /// method.
    mutating func take(_ server: ServerAddress, for method: RequestMethod, at now: MonotonicTime) -> Connection? {
        guard let place = entries.index(forKey: server),
            let last = entries.values[place].lastIndex(where: { $0.ready <= now })
        else { return nil }
        let entry = entries.values[place][last]
        let idle = (now.nanoseconds - entry.since.nanoseconds) / 1_000_000
        guard RetryRule.allowsReuse(method, idleMilliseconds: idle) else { return nil }
        entries.values[place].remove(at: last)
        return entry.connection
    }

    /// Keeps a connection; returns whether it is one too many and should close unless it is taken soon.
    ///
    /// - Parameter rests: whether it is not to be taken before `restMilliseconds` have passed.
    mutating func put(
        _ connection: Connection, _ server: ServerAddress, rests: Bool = false, at now: MonotonicTime
    ) -> Bool {
        let ready = rests ? now.advanced(milliseconds: Self.restMilliseconds) : now
        let entry = Entry(connection: connection, since: now, ready: ready)
        guard let place = entries.index(forKey: server) else {
            entries[server] = [entry]
            return false
        }
        entries.values[place].append(entry)
        return entries.values[place].count > Self.maxPerServer
    }

    /// Forgets a connection that has closed.
    mutating func remove(_ connection: Connection, _ server: ServerAddress) {
        guard let place = entries.index(forKey: server) else { return }
        entries.values[place].removeAll { $0.connection === connection }
        if entries.values[place].isEmpty { entries.remove(at: place) }
    }
}
