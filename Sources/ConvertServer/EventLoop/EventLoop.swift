// One loop: one listener per address, its connections, and one wait for everything. A turn is wait → events → deadlines →
// log. Connections stand in `slots`; a token is the slot's number and its generation, so that an event for a connection
// that was closed earlier in the same turn finds nobody. What must stay in step: a connection is watched exactly while it
// is in its slot, `watched` is what the poller was told, and removing it from the poller comes before closing it.

/// An event loop: confined to the queue that runs it.
final class EventLoop {
    private struct Slot {
        var connection: Connection?
        var generation: UInt32 = 0
        var watched: PollInterest = []
    }

    /// Connections that one event of a listener brings in.
    private static let maxAccepts = 64
    /// How long accepting rests when descriptors are used up.
    private static let exhaustedMilliseconds: Int64 = 100
    /// How long a connection that was accepted while draining may take to begin its only request.
    private static let drainingIdleSeconds = 1
    /// How long the listeners stay after their doors have closed: for handshakes that had begun, whose clients are this far away.
    private static let closingMilliseconds: Int64 = 50
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
    /// When the listeners close; nil before the drain and after it.
    private var listensUntil: MonotonicTime?
    private var isEnding = false

    init(
        _ configuration: ServerConfiguration, mailbox: LoopMailbox, budget: ConnectionBudget,
        registry: MetricsRegistry, accessLog: LogSink
    ) throws(SystemCallError) {
        poller = try Poller(configuration.poller)
        self.mailbox = mailbox
        self.budget = budget
        self.accessLog = accessLog
        services = LoopServices(configuration, registry, accessLog, clock: SystemClock.monotonic)
        try poller.add(mailbox.number, token: Self.mailboxToken, interest: .read)
    }

    /// Runs until the loop is drained or told to end.
    func run() throws(SystemCallError) {
        // What was told before the start counts before the first request.
        for message in mailbox.receive() { try handle(message, at: SystemClock.monotonic()) }
        var events: [PollEvent] = []
        while !isEnding && !isDrained {
            events.removeAll(keepingCapacity: true)
            try poller.wait(milliseconds: patience(), into: &events)
            services.setWallTime(nanoseconds: SystemClock.wall())
            for event in events {
                try handle(event, at: SystemClock.monotonic())
                // After each event, so that a request's time is its own.
                recordEnds()
            }
            try expire(at: SystemClock.monotonic())
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
        guard let connection = connection(event.token) else { return }
        let next = connection.handle(event, &buffer, at: now)
        try settle(connection, event.token, next, at: now)
    }

    private func handle(_ message: LoopMailbox.Message, at now: MonotonicTime) throws(SystemCallError) {
        switch message {
        case .listen(let listeners):
            self.listeners = listeners
            try watchListeners()
        case .profiles(let profiles):
            services.router.profiles = profiles
            services.converters.removeAll()
        case .becomeUnready: becomeUnready()
        case .drain: try drain(at: now)
        case .end: isEnding = true
        }
    }

    /// Does what a connection wants next, and notes its deadline.
    private func settle(
        _ connection: Connection, _ token: PollToken, _ next: Connection.Next, at now: MonotonicTime
    ) throws(SystemCallError) {
        guard case .watch(let interest) = next else { return close(token) }
        let index = slotIndex(token)
        if slots[index].watched != interest {
            try poller.change(connection.number, token: token, interest: interest)
            slots[index].watched = interest
        }
        deadlines.set(token, to: connection.deadline(at: now, services.times))
    }

    // MARK: Time

    /// How long the next wait may last.
    private func patience() -> Int32 {
        let soonest = [deadlines.next, acceptsAgain, listensUntil].compactMap(\.self).min()
        guard let soonest else { return -1 }
        return Int32(min(SystemClock.monotonic().milliseconds(until: soonest), 60_000))
    }

    private func expire(at now: MonotonicTime) throws(SystemCallError) {
        while let token = deadlines.popExpired(at: now) {
            guard let connection = connection(token) else { continue }
            try settle(connection, token, connection.expire(at: now), at: now)
        }
        if let moment = acceptsAgain, moment <= now {
            acceptsAgain = nil
            if spare == nil { spare = FileDescriptor.spare() }
            try watchListeners()
        }
        if let moment = listensUntil, moment <= now { try closeListeners(at: now) }
    }

    // MARK: Accepting

    private func accept(from listener: Listener, at now: MonotonicTime) throws(SystemCallError) {
        for _ in 0..<Self.maxAccepts {
            switch listener.accept() {
            case .connection(let socket): if let connection = admit(socket) { try add(connection, at: now) }
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
    private func admit(_ socket: consuming StreamSocket) -> Connection? {
        guard budget.take() else {
            refuse(socket)
            return nil
        }
        return Connection(socket, services)
    }

    private func add(_ connection: Connection, at now: MonotonicTime) throws(SystemCallError) {
        let index = freeSlots.popLast() ?? slots.count
        if index == slots.count { slots.append(Slot()) }
        let token = token(index)
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
        slots[index].connection = connection
        slots[index].watched = .read
        connectionCount += 1
        // Most clients have sent their request by now; if not, this costs one read.
        let event = PollEvent(token: token, isReadable: true, isWritable: false, isBroken: false)
        try settle(connection, token, connection.handle(event, &buffer, at: now), at: now)
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
        for slot in slots { slot.connection?.session.shutDown() }
    }

    private var isDrained: Bool { isDraining && listeners.isEmpty && connectionCount == 0 }

    private func drain(at now: MonotonicTime) throws(SystemCallError) {
        guard !isDraining else { return }
        isDraining = true
        services.router.readiness.isDraining = true
        services.times.keepAliveSeconds = min(services.times.keepAliveSeconds, Self.drainingIdleSeconds)
        for listener in listeners { listener.closeDoor() }
        listensUntil = now.advanced(milliseconds: Self.closingMilliseconds)
        for index in slots.indices {
            guard let connection = slots[index].connection else { continue }
            let next = connection.shutDown(&buffer, at: now)
            try settle(connection, token(index), next, at: now)
        }
    }

    /// Lets go of the listeners. Who still waits to be accepted has been promised a connection by the system, and gets it.
    private func closeListeners(at now: MonotonicTime) throws(SystemCallError) {
        listensUntil = nil
        let isWatching = acceptsAgain == nil
        acceptsAgain = nil
        while let listener = listeners.popLast() {
            if isWatching { poller.remove(listener.number) }
            try takeWaiting(from: listener, at: now)
        }
    }

    private func takeWaiting(from listener: Listener, at now: MonotonicTime) throws(SystemCallError) {
        for _ in 0..<Listener.maxWaiting {
            switch listener.accept() {
            case .connection(let socket): if let connection = admit(socket) { try add(connection, at: now) }
            case .lost: continue
            case .none: return
            case .exhausted: return
            }
        }
    }

    private func closeAll() {
        for index in slots.indices where slots[index].connection != nil { close(token(index)) }
        listeners = []
    }

    // MARK: Slots

    private func token(_ index: Int) -> PollToken {
        PollToken(rawValue: UInt64(slots[index].generation) << 32 | UInt64(index))
    }

    private func slotIndex(_ token: PollToken) -> Int { Int(token.rawValue & UInt64(UInt32.max)) }

    private func connection(_ token: PollToken) -> Connection? {
        let index = slotIndex(token)
        guard index < slots.count, UInt64(slots[index].generation) == token.rawValue >> 32 else { return nil }
        return slots[index].connection
    }

    private func close(_ token: PollToken) {
        guard let connection = connection(token) else { return }
        connection.session.endRecord(isAborted: true)
        poller.remove(connection.number)
        deadlines.remove(token)
        let index = slotIndex(token)
        slots[index].connection = nil
        slots[index].watched = []
        // The last generation is that of the listeners.
        slots[index].generation = slots[index].generation == UInt32.max - 1 ? 0 : slots[index].generation + 1
        freeSlots.append(index)
        connectionCount -= 1
        budget.giveBack()
        services.metrics.connectionClosed()
    }
}
