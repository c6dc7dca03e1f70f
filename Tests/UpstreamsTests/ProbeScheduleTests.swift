import TestSupport
import Testing
import Text

@testable import Upstreams

struct ProbeScheduleTests {
    private typealias Trial = UpstreamTrial

    private static func target(_ server: Int, seconds: Int = 5, path: String = "/") throws -> ProbeSchedule.Target {
        ProbeSchedule.Target(
            upstream: "shop", check: HealthCheck(path: path, interval: .seconds(seconds)),
            server: try Trial.address(server))
    }

    @Test func `a new server is probed at once, then after every interval`() throws {
        var schedule = ProbeSchedule()
        #expect(schedule.next == nil)
        let targets = [try Self.target(1), try Self.target(2, seconds: 2)]
        schedule.update(targets, at: Trial.second(0))
        #expect(Set(schedule.takeDue(at: Trial.second(0))) == Set(targets))
        #expect(schedule.next == Trial.second(2))
        #expect(schedule.takeDue(at: Trial.second(1)).isEmpty)
        #expect(schedule.takeDue(at: Trial.second(2)) == [targets[1]])
        // One probe is late; the next one is on time again.
        #expect(Set(schedule.takeDue(at: Trial.second(9))) == Set(targets))
        #expect(schedule.next == Trial.second(11))
    }

    @Test func `servers keep their probe time if others change, unless the check changes`() throws {
        var schedule = ProbeSchedule()
        schedule.update([try Self.target(1)], at: Trial.second(0))
        _ = schedule.takeDue(at: Trial.second(0))
        schedule.update([try Self.target(1), try Self.target(2)], at: Trial.second(1))
        #expect(schedule.takeDue(at: Trial.second(1)) == [try Self.target(2)])
        schedule.update([try Self.target(2), try Self.target(1, path: "/other")], at: Trial.second(2))
        #expect(schedule.takeDue(at: Trial.second(2)) == [try Self.target(1, path: "/other")])
        schedule.update([], at: Trial.second(3))
        #expect(schedule.next == nil)
    }
}
