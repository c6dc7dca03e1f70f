// One loop: one listener for each address, its connections, and one wait for everything. A turn is wait → events →
// deadlines → log. These must stay in step:
//
// - A connection is in `connections` from its first watch to its close, together with what the poller watches of it. It
//   is removed from the poller before it is closed.
// - Connections of clients that have had much of the loop's time come after all others, and not all of them in each
//   round (`TurnAccounts`, `DeferredEvents`).
// - One event may give work to another connection: a client's to a server's connection, and the reverse. Both are
//   settled before the next event, so what arrives in one event is sent in the same one.

import Sockets
import Telemetry

/// An event loop: confined to the queue that runs it.
final class EventLoop {
    /// The kinds of peers.
    enum Peer {
        case client(Connection)
        case server(UpstreamConnection)
    }

    private static let mailboxToken = PollToken(rawValue: .max)
    static let listenerGeneration = ConnectionTable<Peer>.reservedGeneration

    let poller: Poller
    private let mailbox: LoopMailbox
    let budget: ConnectionBudget
    private let accessLog: LogSink
    let services: LoopServices
    var listeners: [Listener] = []
    var connections = ConnectionTable<Peer>()
    /// Connections that are settled because of events of others; empty between two rounds.
    private var touched: [PollToken] = []
    private var clientCount = 0
    private var deadlines = DeadlineQueue()
    var buffer = ReadBuffer()
    var spare = FileDescriptor.spare()
    /// The time when accepting begins again; nil if it has not stopped.
    var acceptsAgain: MonotonicTime?
    var isDraining = false
    /// The time when the listeners close; nil before the drain and after it.
    var listensUntil: MonotonicTime?
    private var isEnding = false
    var turnAccounts = TurnAccounts()
    var deferredEvents = DeferredEvents()
    var turnCount = 0
    var idleClients = IdleClients()
    /// Connections with work left that the poller does not report: a socket whose buffers are two thirds full is not
    /// writable.
    var unfinished: Set<PollToken> = []
    /// Waits in a row that did not report everything that was ready.
    private var overdueTurns = 0
    /// The time when the first of them began.
    private var overdueSince = MonotonicTime(nanoseconds: 0)
    /// Events that a wait reports if it does not report all. The next wait begins with the others.
    private static let leastEventsATurn = 64
    /// The most bytes of log lines that wait for the end of the turn.
    private static let maxLogLineBytes = 64 * 1024

    init(
        _ configuration: ServerConfiguration, mailbox: LoopMailbox, budget: ConnectionBudget,
        registry: MetricsRegistry, directory: UpstreamDirectory = UpstreamDirectory(),
        heldBytes: HeldBytes = HeldBytes(),
        workshop: ProfileWorkshop = ProfileWorkshop(), accessLog: LogSink
    ) throws(SystemCallError) {
        poller = try Poller(configuration.poller)
        self.mailbox = mailbox
        self.budget = budget
        self.accessLog = accessLog
        services = LoopServices(
            configuration, registry, accessLog, directory: directory, heldBytes: heldBytes,
            clock: SystemClock.monotonic
        )
        try poller.add(mailbox.number, token: Self.mailboxToken, interest: .read)
        services.workshop = { [mailbox] order, token, number in
            workshop.perform(order) { mailbox.send(.profile($0, token, request: number)) }
        }
        services.heldWork = { [mailbox] work, token in
            work.perform { mailbox.send(.heldObject(work, token)) }
        }
    }

    /// Runs until the loop is drained or must end.
    func run() throws(SystemCallError) {
        // Messages from before the start apply to the first request.
        for message in mailbox.receive() { try handle(message, at: SystemClock.monotonic()) }
        var events: [PollEvent] = []
        while !isEnding && !isDrained {
            events.removeAll(keepingCapacity: true)
            let asked = SystemClock.monotonic()
            let isAll = try poller.wait(milliseconds: unfinished.isEmpty ? patience(at: asked) : 0, into: &events)
            addUnfinished(to: &events)
            services.setWallTime(nanoseconds: SystemClock.wall())
            var now = SystemClock.monotonic()
            for event in events { now = try take(event, at: now) }
            let isComplete = try takeDeferredEvents(at: now)
            try expire(askedAt: asked, isComplete: isAll && isComplete)
            recordEnds()
            passLogOn()
        }
        closeAll()
        recordEnds()
        passLogOn()
    }

    private var isDrained: Bool { isDraining && listeners.isEmpty && clientCount == 0 }

    /// Settles the results of an event and records its requests. This happens after each event, so that each request
    /// has its own time.
    func finishEvent(at now: MonotonicTime) throws(SystemCallError) {
        try settleOthers(at: now)
        recordEnds()
    }

    private func recordEnds() {
        if !services.endedRecords.isEmpty { services.recordEnds(at: SystemClock.monotonic()) }
        // The log's writer can start during the turn.
        if services.logLines.count > Self.maxLogLineBytes { passLogOn() }
    }

    private func passLogOn() {
        guard !services.logLines.isEmpty else { return }
        accessLog.append(services.logLines)
        services.logLines.removeAll(keepingCapacity: true)
    }

    // MARK: Events

    func handle(_ event: PollEvent, at now: MonotonicTime) throws(SystemCallError) {
        if event.token == Self.mailboxToken {
            for message in mailbox.receive() { try handle(message, at: now) }
            return
        }
        if event.token.generation == Self.listenerGeneration {
            let index = event.token.index
            if index < listeners.count { try accept(from: listeners[index]) }
            return
        }
        switch connections[event.token] {
        case .client(let connection):
            try settle(connection, event.token, connection.handle(event, &buffer, at: now), at: now)
        case .server(let connection):
            try settle(connection, event.token, connection.handle(event, &buffer, at: now), at: now)
        case nil: break
        }
    }

    private func handle(_ message: LoopMailbox.Message, at now: MonotonicTime) throws(SystemCallError) {
        switch message {
        case .listen(let listeners):
            self.listeners = listeners
            try watchListeners()
        case .deployment(let gateway, let profiles, let trustedProxies):
            services.gateway = gateway
            services.trustedProxies = trustedProxies
            services.router.profiles = profiles
            services.converters.removeAll()
        // The result is handled in a turn of its connection, so that many results at once delay nobody.
        case .profile(let product, let token, let number):
            guard case .client(let connection) = connections[token] else { return }
            connection.session.take(product, forRequest: number, at: now)
            unfinished.insert(token)
        case .heldObject(let work, let token):
            guard case .client(let connection) = connections[token] else { return }
            connection.session.take(work)
            unfinished.insert(token)
        case .becomeUnready: becomeUnready()
        case .drain: try drain(at: now)
        case .end: isEnding = true
        }
    }

    /// Settles the connections to which the last event gave work, and those to which they gave work.
    private func settleOthers(at now: MonotonicTime) throws(SystemCallError) {
        while services.hasOthers {
            for connection in services.takeOpened() { try add(connection, at: now) }
            services.takeTouched(into: &touched)
            for token in touched {
                switch connections[token] {
                case .client(let connection): try settle(connection, token, connection.settle(at: now), at: now)
                case .server(let connection): try settle(connection, token, connection.settle(at: now), at: now)
                case nil: break
                }
            }
            touched.removeAll(keepingCapacity: true)
        }
    }

    // MARK: Connections

    /// Adds a client's connection. False if the system has no room to watch it.
    func add(_ connection: Connection, readsOn: Bool, at now: MonotonicTime) throws(SystemCallError) -> Bool {
        let account = connection.countedAs.map { TurnAccounts.account(of: $0) }
        let token = connections.insert(.client(connection), account: account)
        connection.session.token = token
        do throws(SystemCallError) {
            try poller.add(connection.number, token: token, interest: .read)
        } catch {
            // The connection closes with its object.
            _ = connections.remove(token)
            return false
        }
        connections.setWatched(.read, of: token)
        clientCount += 1
        services.metrics.connectionAccepted()
        guard readsOn else {
            try settle(connection, token, connection.settle(at: now), at: now)
            return true
        }
        // Most clients have sent their request by now; if not, this costs one read.
        let event = PollEvent(token: token, isReadable: true, isWritable: false, isBroken: false)
        try settle(connection, token, connection.handle(event, &buffer, at: now), at: now)
        return true
    }

    /// Adds a refused connection, until its client has the response.
    func addRefused(_ connection: Connection, at now: MonotonicTime) throws(SystemCallError) {
        let token = connections.insert(.client(connection))
        do throws(SystemCallError) {
            try poller.add(connection.number, token: token, interest: .read)
        } catch {
            return close(token)
        }
        connections.setWatched(.read, of: token)
        try settle(connection, token, connection.settle(at: now), at: now)
    }

    private func add(_ connection: UpstreamConnection, at now: MonotonicTime) throws(SystemCallError) {
        let token = connections.insert(.server(connection))
        connection.token = token
        do throws(SystemCallError) {
            try poller.add(connection.number, token: token, interest: .write)
            connections.setWatched(.write, of: token)
        } catch {
            connection.cannotBeWatched(error, at: now)
        }
        try settle(connection, token, connection.settle(at: now), at: now)
    }

    /// Performs the next step of a client's connection, and sets its deadline.
    func settle(
        _ connection: Connection, _ token: PollToken, _ next: Connection.Next, at now: MonotonicTime
    ) throws(SystemCallError) {
        guard next != .close else { return close(token) }
        try watch(connection.number, token, next)
        deadlines.set(token, to: connection.deadline(at: now, services.times))
        if connection.isUnfinished { unfinished.insert(token) }
    }

    private func settle(
        _ connection: UpstreamConnection, _ token: PollToken, _ next: Connection.Next, at now: MonotonicTime
    ) throws(SystemCallError) {
        guard next != .close else { return close(token) }
        try watch(connection.number, token, next)
        deadlines.set(token, to: connection.nextDeadline(at: now))
    }

    /// Updates the poller.
    ///
    /// If a connection reads nothing for a while, the poller is only updated if something arrives in that time. Most
    /// clients that wait for a response send nothing before they have it, and two updates cost as much as a small read.
    private func watch(_ number: Int32, _ token: PollToken, _ next: Connection.Next) throws(SystemCallError) {
        let known = connections.watched(token)
        let interest: PollInterest
        switch next {
        case .watch(let wanted): interest = known == wanted.union(.read) ? wanted.union(.read) : wanted
        case .watchOnly(let wanted): interest = wanted
        case .unwatch, .close:
            if known != nil { poller.remove(number) }
            return connections.setWatched(nil, of: token)
        }
        guard known != interest else { return }
        if known == nil {
            try poller.add(number, token: token, interest: interest)
        } else {
            try poller.change(number, token: token, interest: interest)
        }
        connections.setWatched(interest, of: token)
    }

    func close(_ token: PollToken) {
        let isWatched = connections.watched(token) != nil
        guard let peer = connections.remove(token) else { return }
        deadlines.remove(token)
        deferredEvents.takeLeftOver(of: token)
        switch peer {
        case .client(let connection):
            connection.session.ended()
            if isWatched { poller.remove(connection.number) }
            budget.giveBack(connection.place, for: connection.countedAs)
            guard connection.isAdmitted else { return }
            clientCount -= 1
            services.metrics.connectionClosed()
        case .server(let connection): if isWatched { poller.remove(connection.number) }
        }
    }

    private func closeAll() {
        for token in connections.tokens {
            switch connections[token] {
            case .client(let connection): connection.abandon()
            case .server(let connection): connection.abandon()
            case nil: break
            }
            close(token)
        }
        listeners = []
    }

    // MARK: Time

    /// How long the next wait may last.
    private func patience(at now: MonotonicTime) -> Int32 {
        let soonest = [deadlines.next, acceptsAgain, listensUntil].compactMap(\.self).min()
        guard let soonest else { return -1 }
        return Int32(min(now.milliseconds(until: soonest), 60_000))
    }

    /// Finds connections that are late, once everything was reported and read that had arrived when the wait began. So
    /// no connection is late because of the loop's own delay. Neither is one late if a machine stopped between the wait
    /// and the next reading of the clock.
    private func expire(askedAt asked: MonotonicTime, isComplete: Bool) throws(SystemCallError) {
        if isComplete {
            overdueTurns = 0
            return try expire(at: asked)
        }
        if overdueTurns == 0 { overdueSince = asked }
        overdueTurns += 1
        // By then each connection was reported, if it had events.
        guard overdueTurns * Self.leastEventsATurn > connections.count else { return }
        overdueTurns = 0
        try expire(at: overdueSince)
    }

    private func expire(at now: MonotonicTime) throws(SystemCallError) {
        while let token = deadlines.popExpired(at: now) {
            if let event = deferredEvents.takeLeftOver(of: token) {
                // Bytes that arrived in time were not read yet. If they change nothing, the deadline comes again.
                _ = try takeTurn(event, turns(of: token), at: SystemClock.monotonic())
                continue
            }
            switch connections[token] {
            case .client(let connection): try settle(connection, token, connection.expire(at: now), at: now)
            case .server(let connection): try settle(connection, token, connection.expire(at: now), at: now)
            case nil: break
            }
            try settleOthers(at: now)
        }
        if let moment = acceptsAgain, moment <= now {
            acceptsAgain = nil
            if spare == nil { spare = FileDescriptor.spare() }
            try watchListeners()
        }
        if let moment = listensUntil, moment <= now { try closeListeners() }
    }
}
