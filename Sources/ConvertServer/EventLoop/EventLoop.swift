// One loop: one listener per address, its connections, and one wait for everything. A turn is wait → events → deadlines →
// log. Connections stand in `slots`; a token is the slot's number and its generation, so that an event for a connection
// that was closed earlier in the same turn finds nobody. What must stay in step: a connection is watched exactly while it
// is in its slot, `watched` is what the poller was told, and removing it from the poller comes before closing it.

/// An event loop: confined to the queue that runs it.
final class EventLoop {
    /// Who is at the other end of a watched socket.
    private enum Party {
        case client(Connection)
        case upstream(UpstreamConnection)

        var number: Int32 {
            switch self {
            case .client(let connection): connection.number
            case .upstream(let connection): connection.number
            }
        }
    }

    private struct Slot {
        var party: Party?
        var generation: UInt32 = 0
        var watched: PollInterest = []
    }

    /// Connections that one event of a listener brings in.
    private static let maxAccepts = 64
    /// How long accepting rests when descriptors are used up.
    private static let exhaustedMilliseconds: Int64 = 100
    /// How long a connection that was accepted while draining may take to begin its only request.
    private static let drainingIdleSeconds = 1
    private static let mailboxToken = PollToken(rawValue: .max)
    private static let listenerGeneration = UInt64(UInt32.max)

    private let poller: Poller
    private let mailbox: LoopMailbox
    private let budget: ConnectionBudget
    private let accessLog: LogSink
    private let services: LoopServices
    private var listeners: [Listener] = []
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var connectionCount = 0
    private var deadlines = DeadlineQueue()
    private var buffer = ReadBuffer()
    private var spare = FileDescriptor.spare()
    /// When accepting begins again; nil while it goes on.
    private var acceptsAgain: MonotonicTime?
    private var isDraining = false
    private var isEnding = false

    init(
        _ configuration: ServerConfiguration, mailbox: LoopMailbox, budget: ConnectionBudget,
        registry: MetricsRegistry, accessLog: LogSink,
        directory: UpstreamDirectory = UpstreamDirectory()
    ) throws(SystemCallError) {
        poller = try Poller(configuration.poller)
        self.mailbox = mailbox
        self.budget = budget
        self.accessLog = accessLog
        services = LoopServices(
            configuration, registry, accessLog, directory: directory, clock: SystemClock.monotonic)
        try poller.add(mailbox.number, token: Self.mailboxToken, interest: .read)
    }

    /// Runs until the loop is drained or told to end.
    func run() throws(SystemCallError) {
        // What was told before the start counts before the first request.
        for message in mailbox.receive() { try handle(message, at: SystemClock.monotonic()) }
        var events: [PollEvent] = []
        while !isEnding && !(isDraining && connectionCount == 0) {
            events.removeAll(keepingCapacity: true)
            try poller.wait(milliseconds: patience(), into: &events)
            services.setWallTime(nanoseconds: SystemClock.wall())
            for event in events {
                let now = SystemClock.monotonic()
                try handle(event, at: now)
                try settleTouched(at: now)
                // After each event, so that a request's time is its own.
                recordEnds()
            }
            let now = SystemClock.monotonic()
            try expire(at: now)
            try settleTouched(at: now)
            recordEnds()
            passLogOn()
        }
        closeAll()
        recordEnds()
        passLogOn()
    }

    private func recordEnds() {
        if !services.endedRecords.isEmpty { services.recordEnds(at: SystemClock.monotonic()) }
    }

    private func passLogOn() {
        guard !services.logLines.isEmpty else { return }
        accessLog.append(services.logLines)
        services.logLines.removeAll(keepingCapacity: true)
    }

    // MARK: Events

    private func handle(_ event: PollEvent, at now: MonotonicTime) throws(SystemCallError) {
        if event.token == Self.mailboxToken {
            for message in mailbox.receive() { try handle(message, at: now) }
            return
        }
        let index = Int(event.token.rawValue & UInt64(UInt32.max))
        if event.token.rawValue >> 32 == Self.listenerGeneration {
            if index < listeners.count { try accept(from: listeners[index], at: now) }
            return
        }
        switch party(event.token) {
        case .client(let connection)?:
            try settle(event.token, connection.handle(event, &buffer, at: now), at: now)
        case .upstream(let connection)?:
            try settle(event.token, connection.handle(event, &buffer, at: now), at: now)
        case nil: break
        }
    }

    /// Looks at the connections that an event of another has touched, until none is left.
    private func settleTouched(at now: MonotonicTime) throws(SystemCallError) {
        while true {
            let opened = services.takeOpened()
            let touched = services.takeTouched()
            if opened.isEmpty && touched.isEmpty { return }
            for connection in opened { try add(connection, at: now) }
            for token in touched {
                switch party(token) {
                case .client(let connection)?: try settle(token, connection.settle(at: now), at: now)
                case .upstream(let connection)?: try settle(token, connection.settle(at: now), at: now)
                case nil: break
                }
            }
        }
    }

    private func handle(_ message: LoopMailbox.Message, at now: MonotonicTime) throws(SystemCallError) {
        switch message {
        case .listen(let listeners):
            self.listeners = listeners
            try watchListeners()
        case .profiles(let profiles):
            services.router.profiles = profiles
            services.converters.removeAll()
        case .gateway(let gateway):
            services.gateway = gateway
            services.converters.removeAll()
        case .becomeUnready: becomeUnready()
        case .drain: try drain(at: now)
        case .end: isEnding = true
        }
    }

    /// Does what a connection wants next, and notes its deadline.
    private func settle(
        _ token: PollToken, _ next: Connection.Next, at now: MonotonicTime
    ) throws(SystemCallError) {
        guard let party = party(token) else { return }
        guard case .watch(let interest) = next else { return close(token) }
        let index = slotIndex(token)
        if slots[index].watched != interest {
            try poller.change(party.number, token: token, interest: interest)
            slots[index].watched = interest
        }
        switch party {
        case .client(let connection): deadlines.set(token, to: connection.deadline(at: now, services.times))
        case .upstream(let connection): deadlines.set(token, to: connection.deadline(at: now))
        }
    }

    // MARK: Time

    /// How long the next wait may last.
    private func patience() -> Int32 {
        let soonest = [deadlines.next, acceptsAgain].compactMap(\.self).min()
        guard let soonest else { return -1 }
        return Int32(min(SystemClock.monotonic().milliseconds(until: soonest), 60_000))
    }

    private func expire(at now: MonotonicTime) throws(SystemCallError) {
        while let token = deadlines.popExpired(at: now) {
            switch party(token) {
            case .client(let connection)?: try settle(token, connection.expire(at: now), at: now)
            case .upstream(let connection)?: try settle(token, connection.expire(at: now), at: now)
            case nil: break
            }
        }
        if let moment = acceptsAgain, moment <= now {
            acceptsAgain = nil
            if spare == nil { spare = FileDescriptor.spare() }
            try watchListeners()
        }
    }

    // MARK: Accepting

    private func accept(from listener: Listener, at now: MonotonicTime) throws(SystemCallError) {
        for _ in 0..<Self.maxAccepts {
            switch listener.accept() {
            case .connection(let socket): if let connection = admit(socket, from: listener) { try add(connection, at: now) }
            case .none: return
            case .lost: continue
            case .exhausted:
                services.metrics.connectionRefused(.exhausted)
                refuseOne(from: listener)
                return pauseAccepting(at: now)
            }
        }
    }

    /// Makes a connection of a socket, or tells its client that the server is full.
    private func admit(_ socket: consuming StreamSocket, from listener: Listener) -> Connection? {
        guard budget.take() else {
            refuse(socket)
            return nil
        }
        return Connection(socket, services, isPublic: listener.isPublic)
    }

    private func add(_ connection: Connection, at now: MonotonicTime) throws(SystemCallError) {
        let index = takeSlot()
        let token = token(index)
        connection.session.token = token
        if services.router.readiness.isDraining { connection.session.shutDown() }
        do throws(SystemCallError) {
            try poller.add(connection.number, token: token, interest: .read)
        } catch {
            // The system has no room for it: the connection closes with its object.
            freeSlots.append(index)
            budget.giveBack()
            services.metrics.connectionRefused(.exhausted)
            return
        }
        services.metrics.connectionAccepted()
        slots[index].party = .client(connection)
        slots[index].watched = .read
        connectionCount += 1
        // Most clients have sent their request by now; if not, this costs one read.
        let event = PollEvent(token: token, isReadable: true, isWritable: false, isBroken: false)
        try settle(token, connection.handle(event, &buffer, at: now), at: now)
        try settleTouched(at: now)
    }

    /// Watches a connection to an upstream that has begun to connect.
    private func add(_ connection: UpstreamConnection, at now: MonotonicTime) throws(SystemCallError) {
        let index = takeSlot()
        let token = token(index)
        do throws(SystemCallError) {
            try poller.add(connection.number, token: token, interest: .write)
        } catch {
            freeSlots.append(index)
            connection.openingFailed(at: now)
            return
        }
        connection.token = token
        slots[index].party = .upstream(connection)
        slots[index].watched = .write
        try settle(token, connection.settle(at: now), at: now)
    }

    private func takeSlot() -> Int {
        let index = freeSlots.popLast() ?? slots.count
        if index == slots.count { slots.append(Slot()) }
        return index
    }

    /// Tells a client that the server is full.
    private func refuse(_ socket: consuming StreamSocket) {
        services.metrics.connectionRefused(.limit)
        let body = Answer(Problem(503, "the server has too many connections", code: "full"), requestID: nil).body
        let head = """
            HTTP/1.1 503 Service Unavailable\r
            Date: \(String(decoding: services.date, as: UTF8.self))\r
            Content-Type: \(Problem.contentType)\r
            X-Content-Type-Options: nosniff\r
            Content-Length: \(body.count)\r
            Retry-After: 1\r
            Connection: close\r
            \r

            """
        _ = socket.write(Array(head.utf8).span, body.span, [UInt8]().span)
        socket.endSending()
        // What has arrived is taken, so that the close does not reset the answer.
        _ = socket.read(into: &buffer)
    }

    /// Gives up the spare descriptor to take one connection off the queue and close it.
    private func refuseOne(from listener: Listener) {
        spare = nil
        _ = listener.accept()
        spare = FileDescriptor.spare()
    }

    private func pauseAccepting(at now: MonotonicTime) {
        for listener in listeners { poller.remove(listener.number) }
        acceptsAgain = now.advanced(milliseconds: Self.exhaustedMilliseconds)
    }

    private func watchListeners() throws(SystemCallError) {
        for (index, listener) in listeners.enumerated() {
            let token = PollToken(rawValue: Self.listenerGeneration << 32 | UInt64(index))
            try poller.add(listener.number, token: token, interest: .read)
        }
    }

    // MARK: Ending

    /// Every answer is its connection's last from now on: whoever keeps connections, as load balancers do, has none left
    /// that could close under a request when the listeners do.
    private func becomeUnready() {
        services.router.readiness.isDraining = true
        for slot in slots { if case .client(let connection)? = slot.party { connection.session.shutDown() } }
    }

    private func drain(at now: MonotonicTime) throws(SystemCallError) {
        guard !isDraining else { return }
        isDraining = true
        services.router.readiness.isDraining = true
        services.times.keepAliveSeconds = min(services.times.keepAliveSeconds, Self.drainingIdleSeconds)
        let isWatching = acceptsAgain == nil
        acceptsAgain = nil
        var waiting: [Connection] = []
        while let listener = listeners.popLast() {
            if isWatching { poller.remove(listener.number) }
            takeWaiting(from: listener, into: &waiting)
        }
        for index in slots.indices {
            guard case .client(let connection)? = slots[index].party else { continue }
            try settle(token(index), connection.shutDown(&buffer, at: now), at: now)
        }
        services.upstreams.closeAll()
        for connection in waiting { try add(connection, at: now) }
    }

    /// Who waits to be accepted has been promised a connection by the system. All are taken before one is served: a client
    /// that is answered may come back, and nobody must stand in the queue when the listener closes.
    private func takeWaiting(from listener: Listener, into connections: inout [Connection]) {
        for _ in 0..<Listener.maxWaiting {
            switch listener.accept() {
            case .connection(let socket): if let connection = admit(socket, from: listener) { connections.append(connection) }
            case .lost: continue
            case .none: return
            case .exhausted: return
            }
        }
    }

    private func closeAll() {
        for index in slots.indices where slots[index].party != nil { close(token(index)) }
        listeners = []
    }

    // MARK: Slots

    private func token(_ index: Int) -> PollToken {
        PollToken(rawValue: UInt64(slots[index].generation) << 32 | UInt64(index))
    }

    private func slotIndex(_ token: PollToken) -> Int { Int(token.rawValue & UInt64(UInt32.max)) }

    private func party(_ token: PollToken) -> Party? {
        let index = slotIndex(token)
        guard index < slots.count, UInt64(slots[index].generation) == token.rawValue >> 32 else { return nil }
        return slots[index].party
    }

    private func close(_ token: PollToken) {
        guard let party = party(token) else { return }
        poller.remove(party.number)
        deadlines.remove(token)
        let index = slotIndex(token)
        slots[index].party = nil
        slots[index].watched = []
        // The last generation is that of the listeners.
        slots[index].generation = slots[index].generation == UInt32.max - 1 ? 0 : slots[index].generation + 1
        freeSlots.append(index)
        guard case .client(let connection) = party else { return }
        connection.session.endRecord(isAborted: true)
        connectionCount -= 1
        budget.giveBack()
        services.metrics.connectionClosed()
    }
}
