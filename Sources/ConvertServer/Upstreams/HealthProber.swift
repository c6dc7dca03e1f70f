import EventLoop
import HTTPSemantics
package import Sockets
import Synchronization
import Telemetry

/// Runs the health checks of all servers with `health` in the configuration: one prober for the process, on an event
/// loop of its own.
package final class HealthProber: Sendable {
    fileprivate let directory: UpstreamDirectory
    fileprivate let wakeUp: WakeUp
    fileprivate let hasEnded = Atomic(false)

    package init(_ directory: UpstreamDirectory) throws(SystemCallError) {
        self.directory = directory
        wakeUp = try WakeUp()
    }

    /// Starts the thread, which ends with `end`.
    package func start() throws(SystemCallError) {
        try SystemThread.start("health") {
            do throws(SystemCallError) {
                let loop = try EventLoop(LoopContext())
                let rounds = HealthRounds(self, loop)
                if let token = loop.insert(rounds) {
                    try loop.begin(rounds, token, readsOn: false, at: SystemClock.monotonic())
                    try loop.run()
                } else {
                    ServerLog.say("health checks cannot start: the system has no room to watch for them", .error)
                }
            } catch {
                ServerLog.say("health checks have stopped: \(error)", .error)
            }
        }
    }

    /// Makes the prober use the current set of servers at once.
    package func lookAgain() { wakeUp.wake() }

    package func end() {
        hasEnded.store(true, ordering: .releasing)
        wakeUp.wake()
    }
}

/// The prober's work, confined to its loop: a channel that wakes it up, and whose deadline is the next check.
private final class HealthRounds: Channel {
    /// The longest time before new addresses are noticed.
    private static let maxWaitMilliseconds: Int64 = 1000
    private static let idleWaitMilliseconds: Int64 = 60_000

    private let prober: HealthProber
    private unowned let loop: EventLoop
    private let pool: UpstreamPool
    private var schedule = ProbeSchedule()
    /// The last check of each server, which may have ended.
    private var checks: [ProbeSchedule.Target: HealthCheckExchange] = [:]

    var token: PollToken?
    var number: Int32 { prober.wakeUp.number }

    init(_ prober: HealthProber, _ loop: EventLoop) {
        self.prober = prober
        self.loop = loop
        pool = UpstreamPool(loop.context)
    }

    func handle(_ event: PollEvent, _ buffer: inout ReadBuffer, at now: MonotonicTime) -> NextStep {
        prober.wakeUp.clear()
        return update(at: now)
    }

    /// Starts the checks that are due.
    func update(at now: MonotonicTime) -> NextStep {
        if prober.hasEnded.load(ordering: .acquiring) { loop.end() }
        checks = checks.filter { !$0.value.isOver }
        let upstreams = prober.directory.current
        schedule.update(upstreams.flatMap(Self.targets), at: now)
        // A server has one check at a time. Otherwise they would pile up on one that accepts and does not respond.
        for target in schedule.takeDue(at: now) where checks[target] == nil {
            guard let upstream = upstreams.first(where: { $0.configuration.name == target.upstream }) else { continue }
            ask(target, upstream, at: now)
        }
        return .watch(.read)
    }

    /// Ends the checks that are too late. The loop calls it once everything was read that had arrived before, so that no
    /// server is late because of this thread.
    func expire(at now: MonotonicTime) -> NextStep {
        for check in checks.values where check.deadline <= now { check.end() }
        return update(at: now)
    }

    func deadline(at now: MonotonicTime) -> MonotonicTime? {
        // A name may be resolved at any time.
        let isIdle = prober.directory.current.allSatisfy { $0.configuration.health == nil }
        let latest = now.advanced(milliseconds: isIdle ? Self.idleWaitMilliseconds : Self.maxWaitMilliseconds)
        return (checks.values.map(\.deadline) + [schedule.next].compactMap(\.self)).reduce(latest, min)
    }

    private static func targets(_ upstream: Upstream) -> [ProbeSchedule.Target] {
        guard let check = upstream.configuration.health else { return [] }
        return upstream.servers.map {
            ProbeSchedule.Target(upstream: upstream.configuration.name, check: check, server: $0)
        }
    }

    private func ask(_ target: ProbeSchedule.Target, _ upstream: Upstream, at now: MonotonicTime) {
        let (server, status, clock) = (target.server, target.check.status, loop.context.clock)
        let check = HealthCheckExchange(target.check, of: server, host: upstream.configuration.host, at: now) {
            switch $0 {
            case .status(let number):
                let isGood = status.contains(number)
                upstream.probed(server, isGood: isGood, "status \(number)")
                if isGood { upstream.ejectionEnds(server, at: clock()) }
            case .failed(let reason): upstream.probed(server, isGood: false, reason)
            }
        }
        // The check has a deadline of its own, so the times of requests do not count.
        var configuration = upstream.configuration
        configuration.timeouts.connect = target.check.timeout
        configuration.timeouts.response = target.check.timeout
        do throws(SystemCallError) {
            let connection = try check.begin(to: server, of: Upstream(configuration), pool, at: now)
            checks[target] = check
            loop.context.open(connection)
        } catch {
            // A lack of descriptors says nothing about the server.
            if !error.isExhaustion { upstream.probed(server, isGood: false, error.reason) }
        }
    }
}
