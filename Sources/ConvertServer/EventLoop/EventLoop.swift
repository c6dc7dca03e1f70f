// One loop: one listener per address, its connections, and one wait for everything. A turn is wait → events → deadlines →
// log. Connections stand in `slots`; a token is the slot's number and its generation, so that an event for a connection
// that was closed earlier in the same turn finds nobody. What must stay in step: a connection is watched exactly while it
// is in its slot, `watched` is what the poller was told, and removing it from the poller comes before closing it.

/// An event loop: confined to the queue that runs it.
final class EventLoop {
    /// Whoever has a descriptor that the loop watches.
    enum Occupant {
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
        var occupant: Occupant?
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
        registry: MetricsRegistry, accessLog: LogSink, directory: UpstreamDirectory = UpstreamDirectory()
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
                try handle(event, at: SystemClock.monotonic())
                try settleTouched()
                // After each event, so that a request's time is its own.
                recordEnds()
            }
            try expire(at: SystemClock.monotonic())
            try settleTouched()
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
        guard let occupant = occupant(event.token) else { return }
        let next =
            switch occupant {
            case .client(let connection): connection.handle(event, &buffer, at: now)
            case .upstream(let connection): connection.handle(event, &buffer, at: now)
            }
        try settle(occupant, event.token, next, at: now)
    }

    /// Goes on with connections that others have given something to do, until none has anything for another.
    private func settleTouched() throws(SystemCallError) {
        while !services.touched.isEmpty || !services.arrivals.isEmpty {
            let now = SystemClock.monotonic()
            let arrivals = services.arrivals
            services.arrivals.removeAll()
            for connection in arrivals { try add(connection, at: now) }
            for token in services.takeTouched() {
                guard let occupant = occupant(token) else { continue }
                let next =
                    switch occupant {
                    case .client(let connection): connection.settle(at: now)
                    case .upstream(let connection): connection.settle(at: now)
                    }
                try settle(occupant, token, next, at: now)
            }
        }
    }

    private func handle(_ message: LoopMailbox.Message, at now: MonotonicTime) throws(SystemCallError) {
        switch message {
        case .listen(let listeners):
            self.listeners = listeners
            try watchListeners()
        case .deployment(let profiles, let gateway):
            services.router.profiles = profiles
            services.gateway = gateway
            services.converters.removeAll()
        case .becomeUnready: becomeUnready()
        case .drain: try drain(at: now)
        case .end: isEnding = true
        }
    }

    /// Does what a connection wants next, and notes its deadline.
    private func settle(
        _ occupant: Occupant, _ token: PollToken, _ next: Connection.Next, at now: MonotonicTime
    ) throws(SystemCallError) {
        guard case .watch(let interest) = next else { return close(token) }
        let index = slotIndex(token)
        if slots[index].watched != interest {
            try poller.change(occupant.number, token: token, interest: interest)
            slots[index].watched = interest
        }
        let deadline =
            switch occupant {
            case .client(let connection): connection.deadline(at: now, services.times)
            case .upstream(let connection): connection.deadline(at: now)
            }
        deadlines.set(token, to: deadline)
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
            guard let occupant = occupant(token) else { continue }
            let next =
                switch occupant {
                case .client(let connection): connection.expire(at: now)
                case .upstream(let connection): connection.expire(at: now)
                }
            try settle(occupant, token, next, at: now)
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
        return Connection(socket, services, servesRoutes: listener.isPublic)
    }

    private func add(_ connection: Connection, at now: MonotonicTime) throws(SystemCallError) {
        let token = freeToken()
        if services.router.readiness.isDraining { connection.session.shutDown() }
        do throws(SystemCallError) {
            try poller.add(connection.number, token: token, interest: .read)
        } catch {
            // The system has no room for it: the connection closes with its object.
            freeSlots.append(slotIndex(token))
            budget.giveBack()
            services.metrics.connectionRefused(.exhausted)
            return
        }
        services.metrics.connectionAccepted()
        occupy(token, by: .client(connection), watching: .read)
        connection.session.token = token
        connectionCount += 1
        // Most clients have sent their request by now; if not, this costs one read.
        let event = PollEvent(token: token, isReadable: true, isWritable: false, isBroken: false)
        try settle(.client(connection), token, connection.handle(event, &buffer, at: now), at: now)
    }

    /// Takes up a connection to a server, which is writable once it is there.
    private func add(_ connection: UpstreamConnection, at now: MonotonicTime) throws(SystemCallError) {
        let token = freeToken()
        occupy(token, by: .upstream(connection), watching: .write)
        connection.token = token
        try poller.add(connection.number, token: token, interest: .write)
        deadlines.set(token, to: connection.deadline(at: now))
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
        for slot in slots { if case .client(let connection)? = slot.occupant { connection.session.shutDown() } }
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
            guard case .client(let connection)? = slots[index].occupant else { continue }
            let next = connection.shutDown(&buffer, at: now)
            try settle(.client(connection), token(index), next, at: now)
        }
        for connection in waiting { try add(connection, at: now) }
    }

    /// Who waits to be accepted has been promised a connection by the system. All are taken before one is served: a client
    /// that is answered may come back, and nobody must stand in the queue when the listener closes.
    private func takeWaiting(from listener: Listener, into connections: inout [Connection]) {
        for _ in 0..<Listener.maxWaiting {
            switch listener.accept() {
            case .connection(let socket):
                if let connection = admit(socket, from: listener) { connections.append(connection) }
            case .lost: continue
            case .none: return
            case .exhausted: return
            }
        }
    }

    private func closeAll() {
        for index in slots.indices where slots[index].occupant != nil { close(token(index)) }
        listeners = []
    }

    // MARK: Slots

    private func token(_ index: Int) -> PollToken {
        PollToken(rawValue: UInt64(slots[index].generation) << 32 | UInt64(index))
    }

    private func slotIndex(_ token: PollToken) -> Int { Int(token.rawValue & UInt64(UInt32.max)) }

    private func occupant(_ token: PollToken) -> Occupant? {
        let index = slotIndex(token)
        guard index < slots.count, UInt64(slots[index].generation) == token.rawValue >> 32 else { return nil }
        return slots[index].occupant
    }

    private func freeToken() -> PollToken {
        let index = freeSlots.popLast() ?? slots.count
        if index == slots.count { slots.append(Slot()) }
        return token(index)
    }

    private func occupy(_ token: PollToken, by occupant: Occupant, watching interest: PollInterest) {
        slots[slotIndex(token)].occupant = occupant
        slots[slotIndex(token)].watched = interest
    }

    private func close(_ token: PollToken) {
        guard let occupant = occupant(token) else { return }
        if case .client(let connection) = occupant { connection.session.endRecord(isAborted: true) }
        poller.remove(occupant.number)
        deadlines.remove(token)
        let index = slotIndex(token)
        slots[index].occupant = nil
        slots[index].watched = []
        // The last generation is that of the listeners.
        slots[index].generation = slots[index].generation == UInt32.max - 1 ? 0 : slots[index].generation + 1
        freeSlots.append(index)
        guard case .client = occupant else { return }
        connectionCount -= 1
        budget.giveBack()
        services.metrics.connectionClosed()
    }
}
