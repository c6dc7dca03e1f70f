import Dispatch
import HTTPSemantics
package import Sockets
import Synchronization

/// Runs the health checks of all servers with `health` in the configuration: one prober for the process, on a thread of
/// its own.
package final class HealthProber: Sendable {
    private let directory: UpstreamDirectory
    private let wakeUp: WakeUp
    private let hasEnded = Atomic(false)

    package init(_ directory: UpstreamDirectory) throws(SystemCallError) {
        self.directory = directory
        wakeUp = try WakeUp()
    }

    /// Starts the thread, which ends with `end`.
    package func start() {
        DispatchQueue(label: "health").async {
            let rounds = HealthRounds(self.directory)
            while !self.hasEnded.load(ordering: .acquiring) {
                rounds.run(at: SystemClock.monotonic(), wokenBy: self.wakeUp)
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

/// The prober's work, confined to its thread.
private final class HealthRounds {
    /// A running health check.
    private final class Visit {
        let upstream: Upstream
        let target: ProbeSchedule.Target
        let deadline: MonotonicTime
        var question: HealthQuestion
        var isJudged = false

        init(_ upstream: Upstream, _ target: ProbeSchedule.Target, at now: MonotonicTime) throws(SystemCallError) {
            self.upstream = upstream
            self.target = target
            deadline = now + target.check.timeout
            question = try HealthQuestion(target.server, upstream.configuration, path: target.check.path, at: now)
        }

        /// The next time at which it needs work even without an event.
        var nextMoment: MonotonicTime { question.connectsAgain.map { min($0, deadline) } ?? deadline }
    }

    /// The longest time before new addresses are noticed.
    private static let maxWaitMilliseconds: Int64 = 1000
    private static let idleWaitMilliseconds: Int64 = 60_000
    private static let wakeUpToken = PollToken(rawValue: .max)

    private let directory: UpstreamDirectory
    private let poller = PollPoller()
    private var schedule = ProbeSchedule()
    private var visits: [PollToken: Visit] = [:]
    private var visitCount: UInt64 = 0
    private var isWatchingWakeUp = false
    private var buffer = ReadBuffer()

    init(_ directory: UpstreamDirectory) {
        self.directory = directory
    }

    /// Starts the checks that are due, waits for events, and records the results.
    func run(at now: MonotonicTime, wokenBy wakeUp: WakeUp) {
        if !isWatchingWakeUp {
            poller.add(wakeUp.number, token: Self.wakeUpToken, interest: .read)
            isWatchingWakeUp = true
        }
        let upstreams = directory.current
        schedule.update(upstreams.flatMap(Self.targets), at: now)
        for target in schedule.takeDue(at: now) {
            guard let upstream = upstreams.first(where: { $0.configuration.name == target.upstream }) else { continue }
            ask(target, upstream, at: now)
        }
        connectAgain(at: now)
        var events: [PollEvent] = []
        // A failed wait counts as a turn without events.
        let isAll = (try? poller.wait(milliseconds: patience(at: now), into: &events)) ?? true
        for event in events {
            if event.token == Self.wakeUpToken { wakeUp.clear() } else { step(event.token) }
        }
        // The wait reported everything that had arrived before it. So no server is late because of this thread.
        guard isAll else { return }
        for (token, visit) in visits where visit.deadline <= now {
            judge(visit, nil)
            leave(token)
        }
    }

    private static func targets(_ upstream: Upstream) -> [ProbeSchedule.Target] {
        guard let check = upstream.configuration.health else { return [] }
        return upstream.servers.map {
            ProbeSchedule.Target(upstream: upstream.configuration.name, check: check, server: $0)
        }
    }

    private func ask(_ target: ProbeSchedule.Target, _ upstream: Upstream, at now: MonotonicTime) {
        do throws(SystemCallError) {
            let visit = try Visit(upstream, target, at: now)
            visitCount += 1
            let token = PollToken(rawValue: visitCount)
            visits[token] = visit
            watch(visit, token)
        } catch {
            // A lack of descriptors says nothing about the server.
            if !error.isExhaustion { upstream.probed(target.server, isGood: false) }
        }
    }

    /// Makes the poller report a check, unless it still waits for room to connect.
    private func watch(_ visit: Visit, _ token: PollToken) {
        guard visit.question.connectsAgain == nil else { return }
        poller.add(visit.question.socket.number, token: token, interest: visit.question.interest)
    }

    /// Tries again to connect to sockets whose queue was full, unless it is too late for a response.
    private func connectAgain(at now: MonotonicTime) {
        for (token, visit) in visits where visit.deadline > now {
            guard let moment = visit.question.connectsAgain, moment <= now else { continue }
            do throws(SystemCallError) {
                try visit.question.connectAgain(at: now)
                watch(visit, token)
            } catch {
                if !error.isExhaustion { judge(visit, nil) }
                leave(token)
            }
        }
    }

    private func step(_ token: PollToken) {
        guard let visit = visits[token] else { return }
        switch visit.question.step(&buffer) {
        case .waiting: break
        case .verdict(let status):
            judge(visit, status)
            if status == nil || visit.question.isOver { return leave(token) }
        case .over: return leave(token)
        }
        poller.change(visit.question.socket.number, token: token, interest: visit.question.interest)
    }

    private func judge(_ visit: Visit, _ status: Int?) {
        guard !visit.isJudged else { return }
        visit.isJudged = true
        visit.upstream.probed(
            visit.target.server, isGood: status.map { visit.target.check.status.contains($0) } ?? false)
    }

    private func leave(_ token: PollToken) {
        guard let visit = visits.removeValue(forKey: token) else { return }
        poller.remove(visit.question.socket.number)
    }

    private func patience(at now: MonotonicTime) -> Int32 {
        let moments = [schedule.next, visits.values.map(\.nextMoment).min()]
        guard let soonest = moments.compactMap(\.self).min() else { return Int32(Self.idleWaitMilliseconds) }
        return Int32(min(now.milliseconds(until: soonest), Self.maxWaitMilliseconds))
    }
}
