package import Conversions
import EventLoop
import Gateway
package import Observability
import Service
package import Sockets
package import Telemetry
package import Upstreams

/// One event loop of the server with its connections: those of clients, and those to upstreams.
///
/// Other threads reach it through its mailbox only.
package final class Worker {
    /// How long a connection that was accepted while draining may take to begin its only request.
    private static let drainingIdleSeconds = 1

    let loop: EventLoop
    let context: HTTPContext
    let budget: ConnectionBudget
    private let mailbox: LoopMailbox
    /// By the kind of the connections.
    var idleClients: [ConnectionBudget.Kind: IdleClients] = [:]
    /// Accepted connections that are open.
    var clientCount = 0
    private var isDraining = false

    package init(
        _ configuration: ServerConfiguration, mailbox: LoopMailbox, budget: ConnectionBudget,
        registry: MetricsRegistry, directory: UpstreamDirectory = UpstreamDirectory(),
        heldBytes: MemoryBudget = MemoryBudget(), compileQueue: CompileQueue = CompileQueue(), accessLog: LogSink
    ) throws(SystemCallError) {
        loop = try EventLoop(LoopContext())
        self.mailbox = mailbox
        self.budget = budget
        context = HTTPContext(
            configuration, registry, accessLog, loop.context, directory: directory, heldBytes: heldBytes)
        context.compileQueue = { [mailbox] order, token, number in
            compileQueue.perform(order) { mailbox.send(.profile($0, token, request: number)) }
        }
        context.heldWork = { [mailbox] work, token in
            work.perform { mailbox.send(.heldObject(work, token)) }
        }
    }

    /// Runs until the loop is drained or must end.
    package func run() throws(SystemCallError) { try loop.run(for: self) }

    var clients: [(token: PollToken, connection: Connection)] {
        loop.all.compactMap { token, channel in (channel as? Connection).map { (token, $0) } }
    }

    // MARK: Messages

    private func handle(_ message: LoopMailbox.Message, at now: MonotonicTime) throws(SystemCallError) {
        switch message {
        case .listen(let listeners): try loop.listen(listeners)
        case .deployment(let gateway, let profiles, let trustedProxies):
            context.use(gateway)
            context.trustedProxies = trustedProxies
            context.router.profiles.set = profiles
            context.router.shadows = gateway?.routes.compactMap(\.response?.shadow) ?? []
            context.converters.removeAll()
        // The result is handled in a turn of its connection, so that many results at once delay nobody.
        case .profile(let product, let token, let number):
            guard let connection = loop.channel(token) as? Connection else { return }
            connection.session.take(product, forRequest: number)
            loop.takeTurnSoon(token)
        case .heldObject(let work, let token):
            guard let connection = loop.channel(token) as? Connection else { return }
            connection.session.take(work)
            loop.takeTurnSoon(token)
        case .becomeUnready: becomeUnready()
        case .drain: try drain(at: now)
        case .end: loop.end()
        }
    }

    /// From now on, each response is the last one of its connection. So when the listeners close, a load balancer has no
    /// kept connection that could close during a request.
    private func becomeUnready() {
        context.router.readiness.isDraining = true
        for (_, connection) in clients { connection.session.closeAfterResponse() }
    }

    private func drain(at now: MonotonicTime) throws(SystemCallError) {
        guard !isDraining else { return }
        isDraining = true
        context.router.readiness.isDraining = true
        context.times.keepAliveSeconds = min(context.times.keepAliveSeconds, Self.drainingIdleSeconds)
        loop.drain(at: now)
        for (token, connection) in clients {
            try loop.perform(connection.shutDown(&loop.buffer, at: now), of: connection, token, at: now)
        }
    }
}

extension Worker: LoopDelegate {
    var wakeUpNumber: Int32? { mailbox.number }

    var isIdle: Bool { clientCount == 0 }

    func turnBegan() {
        context.accessLog.setWallTime(nanoseconds: loop.context.wallNanoseconds)
        context.fields.setWallTime(nanoseconds: loop.context.wallNanoseconds)
    }

    func woken(at now: MonotonicTime) throws(SystemCallError) {
        for message in mailbox.receive() { try handle(message, at: now) }
    }

    package func eventEnded() { context.accessLog.recordEnds() }

    package func turnEnded() { context.accessLog.flush() }
}
