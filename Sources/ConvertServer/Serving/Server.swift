import Conversions
import Dispatch
import Gateway
import HTTPServer
import Observability
import Sockets
import Telemetry
import Upstreams

/// The loops of one process, and the calling thread, which controls them.
///
/// Signals and loops send messages to its inbox. It sends messages to the mailboxes of the loops.
struct Server {
    /// The interval of checks for changed files of configuration and profiles.
    private static let watchMilliseconds = 1000
    /// The interval without files to check.
    private static let idleMilliseconds = 60_000
    /// How long the end of the process waits for the log's reader.
    private static let flushMilliseconds = 1000

    /// The configuration at the start. Parts that a reload may change are in `deployment`.
    private let configuration: ServerConfiguration
    private let source: DeploymentSource
    private var deployment: Deployment
    private let inbox = ControlInbox()
    private let signals: Signals
    /// The listeners of each loop, until the loops get them.
    private var listeners: [[Listener]]
    private let addresses: [ListenAddress]
    private let resolver: Resolver
    private let prober: HealthProber
    private let accessLog = LogSink()
    private var mailboxes: [LoopMailbox] = []
    private var readyLoops = 0
    private var runningLoops = 0
    private let reloads = DispatchQueue(label: "reloads")
    private var isReloading = false
    /// Whether a reload was requested during another one, which may have read outdated files.
    private var reloadsAgain = false
    private var error: String?
    private var shutdown: Shutdown

    init(_ deployment: Deployment, from source: DeploymentSource) throws(Failure) {
        self.deployment = deployment
        self.source = source
        configuration = deployment.configuration
        // Before anything listens, so that no signal can find the server half initialized.
        signals = Signals(inbox)
        shutdown = Shutdown(
            delaySeconds: configuration.drainDelaySeconds, drainSeconds: configuration.drainSeconds)
        listeners = try Self.listen(configuration)
        addresses = listeners[0].map(\.address)
        resolver = Resolver(source.directory)
        do throws(SystemCallError) {
            prober = try HealthProber(source.directory)
        } catch {
            throw Failure(.internalError, "cannot start the health prober: \(error)")
        }
    }

    /// Serves until a signal ends it. Prints a line of JSON for every address when it listens there.
    mutating func run() throws(Failure) {
        try makeMailboxes()
        for warning in deployment.warnings { ServerLog.say(warning) }
        source.directory.use(deployment.gateway?.upstreams ?? [])
        resolver.start()
        do throws(SystemCallError) {
            try prober.start()
        } catch {
            throw Failure(.internalError, "cannot start the health prober: \(error)")
        }
        defer {
            resolver.end()
            prober.end()
        }
        // Before the loops start, so that no request finds the server without its profiles and routes.
        if configuration.profilesDirectory != nil || deployment.gateway != nil { publish() }
        startLoops()
        while runningLoops > 0 { control() }
        accessLog.flush(milliseconds: Self.flushMilliseconds)
        ServerLog.flush()
        if let error { throw Failure(.internalError, error) }
    }

    // MARK: Start

    private static func listen(_ configuration: ServerConfiguration) throws(Failure) -> [[Listener]] {
        let loops = configuration.loopCount
        var listeners: [[Listener]] = Array(repeating: [], count: loops)
        let addresses = configuration.listen.map { ($0, true) } + configuration.gateway.admin.map { ($0, false) }
        for (address, isPublic) in addresses {
            do throws(SystemCallError) {
                let first = try Listener(address, isPublic: isPublic)
                for index in 0..<loops {
                    switch first.address {
                    // The address of the first one, because the system may have chosen the port.
                    case .tcp where index > 0:
                        listeners[index].append(try Listener(first.address, isShared: true, isPublic: isPublic))
                    // A Unix socket has one listener, which the loops share.
                    case .tcp, .unix: listeners[index].append(first)
                    }
                }
            } catch {
                throw Failure(.badConfiguration, "cannot listen on \(address): \(error)")
            }
        }
        return listeners
    }

    private mutating func makeMailboxes() throws(Failure) {
        do throws(SystemCallError) {
            for _ in listeners { mailboxes.append(try LoopMailbox()) }
        } catch {
            throw Failure(.internalError, "cannot start the event loops: \(error)")
        }
    }

    private mutating func startLoops() {
        let plan = ConnectionPlan(configuration, loops: mailboxes.count, descriptors: DescriptorLimit.current)
        if let warning = plan.warning { ServerLog.say(warning) }
        let budget = ConnectionBudget(plan)
        let compileQueue = CompileQueue()
        let heldBytes = MemoryBudget()
        for (index, mailbox) in mailboxes.enumerated() {
            runningLoops += 1
            // Copies for the loop, without a reference to this struct.
            let work: @Sendable () -> Void = { [configuration, inbox, accessLog, source] in
                do throws(SystemCallError) {
                    let worker = try Worker(
                        configuration, mailbox: mailbox, budget: budget, registry: source.registry,
                        directory: source.directory, heldBytes: heldBytes, compileQueue: compileQueue,
                        accessLog: accessLog)
                    inbox.send(.loopReady)
                    try worker.run()
                    inbox.send(.loopEnded(error: nil))
                } catch {
                    inbox.send(.loopEnded(error: "an event loop has failed: \(error)"))
                }
            }
            do throws(SystemCallError) {
                try SystemThread.start("loop \(index)", work)
            } catch {
                inbox.send(.loopEnded(error: "an event loop cannot be started: \(error)"))
            }
        }
    }

    /// Gives the loops their listeners, once all are ready. Otherwise waiting clients would take the descriptors that
    /// the next loop needs.
    private mutating func loopReady() {
        readyLoops += 1
        guard readyLoops == mailboxes.count, !shutdown.hasBegun else { return }
        announce()
        for (mailbox, listeners) in zip(mailboxes, listeners) { mailbox.send(.listen(listeners)) }
        listeners = []
        notify(.ready)
    }

    private func notify(_ notice: ServiceManager.Notice) {
        do throws(SystemCallError) {
            try ServiceManager.notify(notice)
        } catch {
            ServerLog.say("cannot send \(notice.rawValue) to NOTIFY_SOCKET: \(error)")
        }
    }

    /// Prints the addresses, for people and for programs that wait until the server is ready. The system accepts
    /// connections already. Nobody waits for the log's reader, because this thread also handles signals.
    private func announce() {
        let now = SystemClock.wall()
        accessLog.append(
            addresses.flatMap { ServerLog.line("listening on \($0)", .info, address: $0, wallNanoseconds: now) })
    }

    // MARK: Control

    /// Waits for one event or for the next scheduled work.
    private mutating func control() {
        let isWatching = (configuration.profilesDirectory != nil || source.hasFile) && !isReloading
        var patience = isWatching ? Self.watchMilliseconds : Self.idleMilliseconds
        if let moment = shutdown.nextTick {
            patience = min(patience, Int(SystemClock.monotonic().milliseconds(until: moment)))
        }
        switch inbox.next(milliseconds: patience) {
        case .terminate: perform(shutdown.signalled(at: SystemClock.monotonic()))
        case .reload: reload(forced: true)
        case .reloaded(let reload): use(reload)
        case .loopReady: loopReady()
        case .loopEnded(let error): loopEnded(error)
        case nil: if isWatching { reload(forced: false) }
        }
        perform(shutdown.tick(at: SystemClock.monotonic()))
    }

    private mutating func perform(_ actions: [Shutdown.Action]) {
        for action in actions {
            switch action {
            case .becomeUnready:
                let delay = configuration.drainDelaySeconds
                let listening = delay > 0 ? "listening for \(delay) s more, then " : ""
                ServerLog.say(
                    "stopping: \(listening)requests in flight have up to \(configuration.drainSeconds) s", .info)
                send(.becomeUnready)
                notify(.stopping)
            case .drain: send(.drain)
            case .end:
                ServerLog.say("ending: requests that are not finished are cut off")
                send(.end)
            case .abandon:
                ServerLog.say("\(runningLoops) event loops did not end in time", .error)
                runningLoops = 0
            }
        }
    }

    /// If one loop fails, all loops end, because a partial server is not useful.
    private mutating func loopEnded(_ error: String?) {
        runningLoops -= 1
        guard let error else { return }
        self.error = self.error ?? error
        send(.end)
    }

    /// Begins to read the configuration file and the profiles, or without a file only the profiles, one reload at a
    /// time. Unless it is forced, nothing is read if no file has changed.
    private mutating func reload(forced: Bool) {
        guard !isReloading else {
            reloadsAgain = true
            return
        }
        isReloading = true
        reloads.async { [deployment, source, resolver, inbox] in
            inbox.send(
                .reloaded(
                    source.hasFile
                        ? Reload(deployment, from: source, resolver, forced: forced)
                        : Reload(refreshing: deployment, forced: forced)))
        }
    }

    private mutating func use(_ reload: Reload) {
        isReloading = false
        let known = deployment
        deployment = reload.deployment
        switch reload.outcome {
        case .replaced:
            let knownNotices = known.configuration.changesForRestart(since: configuration)
            for notice in deployment.configuration.changesForRestart(since: configuration)
            where !knownNotices.contains(notice) { ServerLog.say(notice) }
            let knownWarnings = Set(known.warnings)
            for warning in deployment.warnings where !knownWarnings.contains(warning) { ServerLog.say(warning) }
            source.directory.use(deployment.gateway?.upstreams ?? [])
            prober.lookAgain()
            publish(known: known.profiles)
            ServerLog.say("reloaded: \(deployment.summary)", .info)
        case .refused(let failure):
            for line in failure.lines { ServerLog.say("not reloaded: \(line)", .error) }
            source.registry.loaded(
                profiles: deployment.profiles.usableCount, isComplete: false, wallNanoseconds: SystemClock.wall())
            send(
                .deployment(
                    deployment.gateway, deployment.profiles, deployment.configuration.gateway.trustedProxies))
        case .refreshed:
            publish(known: known.profiles)
            let errorCount = deployment.profiles.errors.count
            ServerLog.say(
                "reloaded: \(deployment.summary)\(errorCount > 0 ? "; \(errorCount) with errors" : "")",
                errorCount > 0 ? .warning : .info)
        case .unchanged: break
        }
        guard reloadsAgain else { return }
        reloadsAgain = false
        self.reload(forced: true)
    }

    /// - Parameter known: the profiles before, whose errors and warnings are in the log.
    private func publish(known: ProfileSet = .empty) {
        let set = deployment.profiles
        source.registry.loaded(
            profiles: set.usableCount, isComplete: set.errors.isEmpty, wallNanoseconds: SystemClock.wall())
        for error in set.errors where !known.errors.contains(error) {
            ServerLog.say("profile not loaded: \(error)", .error)
        }
        let knownWarnings = Set(known.warnings)
        for warning in set.warnings where !knownWarnings.contains(warning) { ServerLog.say(warning) }
        send(.deployment(deployment.gateway, set, deployment.configuration.gateway.trustedProxies))
    }

    private func send(_ message: LoopMailbox.Message) {
        for mailbox in mailboxes { mailbox.send(message) }
    }
}
