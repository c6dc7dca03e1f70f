package import Conversions
import EventLoop
package import Observability
import Service
package import Sockets
package import Telemetry
import Text
package import Upstreams

/// One event loop of the server with what it serves: the connections of clients, and those to upstreams.
///
/// Other threads reach it through its mailbox only.
package final class Worker {
    /// How long a connection that was accepted while draining may take to begin its only request.
    private static let drainingIdleSeconds = 1
    /// The most bytes of log lines that wait for the end of the turn.
    private static let maxLogLineBytes = 64 * 1024

    let loop: EventLoop
    let services: LoopServices
    let budget: ConnectionBudget
    private let mailbox: LoopMailbox
    private let accessLog: LogSink
    var idleClients = IdleClients()
    /// Accepted connections that are open.
    var clientCount = 0
    private var isDraining = false

    package init(
        _ configuration: ServerConfiguration, mailbox: LoopMailbox, budget: ConnectionBudget,
        registry: MetricsRegistry, directory: UpstreamDirectory = UpstreamDirectory(),
        heldBytes: HeldBytes = HeldBytes(), workshop: ProfileWorkshop = ProfileWorkshop(), accessLog: LogSink
    ) throws(SystemCallError) {
        let context = LoopContext()
        loop = try EventLoop(context, poller: configuration.poller)
        self.mailbox = mailbox
        self.budget = budget
        self.accessLog = accessLog
        services = LoopServices(
            configuration, registry, accessLog, context, directory: directory, heldBytes: heldBytes)
        services.workshop = { [mailbox] order, token, number in
            workshop.perform(order) { mailbox.send(.profile($0, token, request: number)) }
        }
        services.heldWork = { [mailbox] work, token in
            work.perform { mailbox.send(.heldObject(work, token)) }
        }
    }

    /// Runs until the loop is drained or must end.
    package func run() throws(SystemCallError) { try loop.run(for: self) }

    /// The connections of clients.
    var clients: [(token: PollToken, connection: Connection)] {
        loop.all.compactMap { token, channel in (channel as? Connection).map { (token, $0) } }
    }

    // MARK: Messages

    private func handle(_ message: LoopMailbox.Message, at now: MonotonicTime) throws(SystemCallError) {
        switch message {
        case .listen(let listeners): try loop.listen(listeners)
        case .deployment(let gateway, let profiles, let trustedProxies):
            services.gateway = gateway
            services.trustedProxies = trustedProxies
            services.router.profiles = profiles
            services.converters.removeAll()
        // The result is handled in a turn of its connection, so that many results at once delay nobody.
        case .profile(let product, let token, let number):
            guard let connection = loop.channel(token) as? Connection else { return }
            connection.session.take(product, forRequest: number, at: now)
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

    /// From now on, each response is the last one of its connection. A load balancer that keeps connections then has
    /// none left that could close under a request when the listeners do.
    private func becomeUnready() {
        services.router.readiness.isDraining = true
        for (_, connection) in clients { connection.session.shutDown() }
    }

    private func drain(at now: MonotonicTime) throws(SystemCallError) {
        guard !isDraining else { return }
        isDraining = true
        services.router.readiness.isDraining = true
        services.times.keepAliveSeconds = min(services.times.keepAliveSeconds, Self.drainingIdleSeconds)
        loop.drain(at: now)
        for (token, connection) in clients {
            try loop.perform(connection.shutDown(&loop.buffer, at: now), of: connection, token, at: now)
        }
    }
}

extension Worker: LoopDelegate {
    var wakeUpNumber: Int32? { mailbox.number }

    var isIdle: Bool { clientCount == 0 }

    func turnBegan() { services.setWallTime(nanoseconds: loop.context.wallNanoseconds) }

    func woken(at now: MonotonicTime) throws(SystemCallError) {
        for message in mailbox.receive() { try handle(message, at: now) }
    }

    func eventEnded() {
        if !services.endedRecords.isEmpty { services.recordEnds(at: SystemClock.monotonic()) }
        // The log's writer can start during the turn.
        if services.logLines.count > Self.maxLogLineBytes { turnEnded() }
    }

    func turnEnded() {
        guard !services.logLines.isEmpty else { return }
        accessLog.append(services.logLines)
        services.logLines.removeAll(keepingCapacity: true)
    }
}
