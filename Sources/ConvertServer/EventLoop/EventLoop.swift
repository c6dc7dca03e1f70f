// One loop: its listeners, its channels, and one wait for everything. A turn is wait → events → deadlines. These must
// stay in step:
//
// - A channel is in `channels` from its first watch to its close, together with what the poller watches of it. It is
//   removed from the poller before it is closed.
// - Channels of clients that have had much of the loop's time come after all others, and not all of them in each round
//   (`TurnAccounts`, `DeferredEvents`).
// - One event may give work to another channel: a client's to a server's connection, and the reverse. Both are updated
//   before the next event, so what arrives in one event is sent in the same one.

package import Sockets
package import Text

/// An event loop: confined to the thread that runs it.
///
/// It knows sockets, deadlines and turns. Its channels know the meaning of the bytes, and its delegate handles accepted
/// connections.
package final class EventLoop {
    private static let wakeUpToken = PollToken(rawValue: .max)
    static let listenerGeneration = ChannelTable<any Channel>.reservedGeneration

    package let context: LoopContext
    /// The buffer that every channel reads into.
    package var buffer = ReadBuffer()

    let poller: Poller
    /// The delegate of the current run; nil while the loop does not run.
    private(set) var delegate: (any LoopDelegate)?
    var listeners: [Listener] = []
    var channels = ChannelTable<any Channel>()
    /// The storage for channels that are updated because of events of others; empty between two events.
    private var touchedStorage: [PollToken] = []
    private var deadlines = DeadlineQueue()
    var spare = FileDescriptor.spare()
    /// The time when accepting begins again; nil if it has not stopped.
    var acceptsAgain: MonotonicTime?
    var isDraining = false
    /// The time when the listeners close; nil before the drain and after it.
    var listensUntil: MonotonicTime?
    private var isEnding = false
    var turnAccounts = TurnAccounts()
    var deferredEvents = DeferredEvents()
    /// Channels with work left that the poller does not report: a socket whose buffers are two thirds full is not
    /// writable.
    var unfinished: Set<PollToken> = []
    /// Waits in a row that did not report everything that was ready.
    private var overdueTurns = 0
    /// The time when the first of them began.
    private var overdueSince = MonotonicTime(nanoseconds: 0)
    /// Events that a wait reports if it does not report all. The next wait begins with the others.
    private static let leastEventsATurn = 64

    package init(_ context: LoopContext) throws(SystemCallError) {
        poller = try Poller()
        self.context = context
    }

    /// Runs until the loop is drained or must end.
    ///
    /// - Parameter delegate: nil if the loop accepts nothing and gets no messages.
    package func run(for delegate: (any LoopDelegate)? = nil) throws(SystemCallError) {
        self.delegate = delegate
        defer { self.delegate = nil }
        if let number = delegate?.wakeUpNumber { try poller.add(number, token: Self.wakeUpToken, interest: .read) }
        // Messages from before the start apply to the first request.
        try delegate?.woken(at: SystemClock.monotonic())
        // Work from before the run may have opened channels.
        try finishEvent(at: SystemClock.monotonic())
        var events: [PollEvent] = []
        while !isEnding && !(isDraining && listeners.isEmpty && delegate?.isIdle ?? true) {
            events.removeAll(keepingCapacity: true)
            let asked = SystemClock.monotonic()
            let isAll = try poller.wait(milliseconds: unfinished.isEmpty ? patience(at: asked) : 0, into: &events)
            addUnfinished(to: &events)
            context.wallNanoseconds = SystemClock.wall()
            delegate?.turnBegan()
            var now = SystemClock.monotonic()
            for event in events { now = try take(event, at: now) }
            let isComplete = try takeDeferredEvents(at: now)
            try expire(askedAt: asked, isComplete: isAll && isComplete)
            delegate?.eventEnded()
            delegate?.turnEnded()
        }
        closeAll()
        delegate?.eventEnded()
        delegate?.turnEnded()
    }

    /// Makes the loop end after the current event.
    package func end() { isEnding = true }

    /// Updates the results of an event, and reports its end.
    func finishEvent(at now: MonotonicTime) throws(SystemCallError) {
        try updateOthers(at: now)
        delegate?.eventEnded()
    }

    // MARK: Events

    func handle(_ event: PollEvent, at now: MonotonicTime) throws(SystemCallError) {
        if event.token == Self.wakeUpToken {
            try delegate?.woken(at: now)
        } else if event.token.generation == Self.listenerGeneration {
            let index = event.token.index
            if index < listeners.count { try accept(from: listeners[index]) }
        } else if let channel = channels[event.token] {
            try perform(channel.handle(event, &buffer, at: now), of: channel, event.token, at: now)
        }
    }

    /// Updates the channels to which the last event gave work, and those to which they gave work.
    private func updateOthers(at now: MonotonicTime) throws(SystemCallError) {
        guard context.hasOthers else { return }
        var touched: [PollToken] = []
        swap(&touched, &touchedStorage)
        defer { swap(&touched, &touchedStorage) }
        while context.hasOthers {
            for channel in context.takeOpened() { try addOpened(channel, at: now) }
            context.takeTouched(into: &touched)
            for token in touched {
                guard let channel = channels[token] else { continue }
                try perform(channel.update(at: now), of: channel, token, at: now)
            }
            touched.removeAll(keepingCapacity: true)
        }
    }

    // MARK: Channels

    package var count: Int { channels.count }

    package var all: [(token: PollToken, channel: any Channel)] {
        channels.tokens.compactMap { token in channels[token].map { (token, $0) } }
    }

    /// The channel with this token, unless it was closed.
    package func channel(_ token: PollToken) -> (any Channel)? { channels[token] }

    /// Adds a connected channel, for which `begin` must be called next. Nil if the system has no room to watch it.
    ///
    /// - Parameter client: the address whose client is charged for its turns; nil if many clients may be behind it.
    package func insert(_ channel: any Channel, for client: IPAddress? = nil) -> PollToken? {
        let token = channels.insert(channel, account: client.map(TurnAccounts.account))
        channel.token = token
        do throws(SystemCallError) {
            try poller.add(channel.number, token: token, interest: .read)
        } catch {
            _ = channels.remove(token)
            return nil
        }
        channels.setWatched(.read, of: token)
        return token
    }

    /// Gives a new channel its first turn.
    ///
    /// - Parameter readsOn: whether to read at once. Most clients have sent their request by now; if not, this costs one
    ///   read.
    package func begin(
        _ channel: any Channel, _ token: PollToken, readsOn: Bool, at now: MonotonicTime
    ) throws(SystemCallError) {
        guard readsOn else { return try perform(channel.update(at: now), of: channel, token, at: now) }
        let event = PollEvent(token: token, isReadable: true, isWritable: false, isBroken: false)
        try perform(channel.handle(event, &buffer, at: now), of: channel, token, at: now)
    }

    /// Adds a channel that has begun to connect.
    private func addOpened(_ channel: any Channel, at now: MonotonicTime) throws(SystemCallError) {
        let token = channels.insert(channel)
        channel.token = token
        do throws(SystemCallError) {
            try poller.add(channel.number, token: token, interest: .write)
            channels.setWatched(.write, of: token)
        } catch {
            channel.cannotBeWatched(error, at: now)
        }
        try perform(channel.update(at: now), of: channel, token, at: now)
    }

    /// Performs the next step of a channel, and sets its deadline.
    package func perform(
        _ next: NextStep, of channel: any Channel, _ token: PollToken, at now: MonotonicTime
    ) throws(SystemCallError) {
        guard next != .close else { return close(token) }
        try watch(channel.number, token, next)
        deadlines.set(token, to: channel.deadline(at: now))
        if channel.isUnfinished { unfinished.insert(token) }
    }

    /// Gives a channel a turn soon, because work for it has come from outside the loop.
    package func takeTurnSoon(_ token: PollToken) { unfinished.insert(token) }

    /// Updates the poller.
    ///
    /// If a channel reads nothing for a while, the poller is only updated if something arrives in that time. Most
    /// clients that wait for a response send nothing before they have it, and two updates cost as much as a small read.
    private func watch(_ number: Int32, _ token: PollToken, _ next: NextStep) throws(SystemCallError) {
        let known = channels.watched(token)
        let interest: PollInterest
        switch next {
        case .watch(let wanted): interest = known == wanted.union(.read) ? wanted.union(.read) : wanted
        case .watchOnly(let wanted): interest = wanted
        case .unwatch, .close:
            if known != nil { poller.remove(number) }
            return channels.setWatched(nil, of: token)
        }
        guard known != interest else { return }
        if known == nil {
            try poller.add(number, token: token, interest: interest)
        } else {
            try poller.change(number, token: token, interest: interest)
        }
        channels.setWatched(interest, of: token)
    }

    package func close(_ token: PollToken) {
        let isWatched = channels.watched(token) != nil
        guard let channel = channels.remove(token) else { return }
        deadlines.set(token, to: nil)
        deferredEvents.takeLeftOver(of: token)
        if isWatched { poller.remove(channel.number) }
        channel.closed()
    }

    private func closeAll() {
        for (token, channel) in all {
            channel.abandon()
            close(token)
        }
        listeners = []
    }

    // MARK: Time

    /// How long the next wait may last.
    private func patience(at now: MonotonicTime) -> Int32 {
        guard var soonest = deadlines.next ?? acceptsAgain ?? listensUntil else { return -1 }
        if let acceptsAgain { soonest = min(soonest, acceptsAgain) }
        if let listensUntil { soonest = min(soonest, listensUntil) }
        return Int32(min(now.milliseconds(until: soonest), 60_000))
    }

    /// Finds channels that are late, after everything that had arrived when the wait began was reported and read. So no
    /// channel is late because of the loop's own delay, or because the machine stopped between the wait and the next
    /// reading of the clock.
    private func expire(askedAt asked: MonotonicTime, isComplete: Bool) throws(SystemCallError) {
        if isComplete {
            overdueTurns = 0
            return try expire(at: asked)
        }
        if overdueTurns == 0 { overdueSince = asked }
        overdueTurns += 1
        // By then each channel was reported, if it had events.
        guard overdueTurns * Self.leastEventsATurn > channels.count else { return }
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
            if let channel = channels[token] { try perform(channel.expire(at: now), of: channel, token, at: now) }
            try updateOthers(at: now)
        }
        if let moment = acceptsAgain, moment <= now {
            acceptsAgain = nil
            if spare == nil { spare = FileDescriptor.spare() }
            try watchListeners()
        }
        if let moment = listensUntil, moment <= now { try closeListeners() }
    }
}
