// MARK: - Accepting

import EventLoop
import HTTPSemantics
import Observability
import Service
import Sockets
import Text

extension Worker {
    func accepted(
        _ socket: consuming StreamSocket, from listener: Listener, _ peer: SocketAddress, readsOn: Bool,
        at now: MonotonicTime
    ) throws(SystemCallError) {
        let client = listener.isPublic ? context.trustedProxies.sharer(peer.ipAddress) : nil
        let kind = listener.isPublic ? ConnectionBudget.Kind.client : .admin
        var decision = budget.take(kind, for: client)
        if decision == .full, giveWay(kind, at: now) { decision = budget.take(kind, for: client) }
        switch decision {
        case .granted: try welcome(socket, from: peer, kind, countedAs: client, readsOn: readsOn, at: now)
        case .full: try refuse(socket, from: peer, .full, .refusedAtLimit, at: now)
        case .clientFull: try refuse(socket, from: peer, .clientFull, .refusedForClient, at: now)
        }
    }

    func refusedForDescriptors() { context.metrics.count(.refusedExhausted) }

    /// Adds a connection that was admitted.
    private func welcome(
        _ socket: consuming StreamSocket, from peer: SocketAddress, _ kind: ConnectionBudget.Kind,
        countedAs client: IPAddress?, readsOn: Bool, at now: MonotonicTime
    ) throws(SystemCallError) {
        let connection = Connection(socket, context, from: peer, isPublic: kind == .client) { [unowned self] in
            budget.giveBack(kind, for: client)
            clientCount -= 1
            context.metrics.count(.closedConnections)
        }
        if context.router.readiness.isDraining { connection.session.closeAfterResponse() }
        guard let token = loop.insert(connection, for: client) else {
            budget.giveBack(kind, for: client)
            return context.metrics.count(.refusedExhausted)
        }
        clientCount += 1
        context.metrics.count(.acceptedConnections)
        try loop.begin(connection, token, readsOn: readsOn, at: now)
    }

    /// Closes the connection of this kind that has been idle longest, for a new one. False if there is none.
    private func giveWay(_ kind: ConnectionBudget.Kind, at now: MonotonicTime) -> Bool {
        repeat {
            while let (token, since) = idleClients[kind, default: IdleClients()].next() {
                guard let connection = loop.channel(token) as? Connection, connection.idleSince == since,
                    !connection.hasUnread
                else { continue }
                loop.close(token)
                context.metrics.count(.displacedConnections)
                return true
            }
        } while idleClients[kind, default: IdleClients()].search(among: loop.count, at: now) {
            clients.compactMap { token, connection in
                connection.session.isPublic == (kind == .client) ? connection.idleSince.map { (token, $0) } : nil
            }
        }
        return false
    }

    /// Sends a client the reason why it is refused, without reading its request.
    private func refuse(
        _ socket: consuming StreamSocket, from peer: SocketAddress, _ problem: Problem, _ reason: LoopMetrics.Count,
        at now: MonotonicTime
    ) throws(SystemCallError) {
        context.metrics.count(reason)
        let isWatched = budget.take(.refused) == .granted
        let connection = Connection(socket, context, from: peer, isPublic: true) { [unowned self] in
            if isWatched { budget.giveBack(.refused) }
        }
        connection.session.refuse(problem, at: now)
        if isWatched, let token = loop.insert(connection) {
            return try loop.begin(connection, token, readsOn: false, at: now)
        }
        _ = connection.update(at: now)
        // The input is read, so that the close does not cause a reset that destroys the response.
        let event = PollEvent(token: Self.noToken, isReadable: true, isWritable: false, isBroken: false)
        _ = connection.handle(event, &loop.buffer, at: now)
        connection.closed()
    }

    /// The token of connections that the loop does not know.
    private static let noToken = PollToken(rawValue: 0)
}
