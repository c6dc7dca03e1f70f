import TestSupport
import Testing

@testable import Sockets
@testable import Upstreams

struct UpstreamDeadlineTests {
    private typealias Trial = UpstreamTrial

    @Test func `each activity has its timeout, and only a change restarts it`() {
        var times = Trial.configuration([Trial.server(1)]).timeouts
        times.connect = .seconds(2)
        times.response = .seconds(30)
        times.bodyIdle = .seconds(60)
        var deadline = UpstreamDeadline()
        let rows: [(at: Int, activity: UpstreamActivity, deadline: Int?)] = [
            (0, .connecting, 2), (1, .connecting, 2),
            // While a request is sent slowly, each bit of progress restarts the response timeout.
            (1, .sending(sent: 0, received: 0), 31), (5, .sending(sent: 0, received: 0), 31),
            (6, .sending(sent: 10, received: 0), 36),
            // The client is slow, so no timeout applies.
            (7, .none, nil), (100, .none, nil),
            // The timeout runs from the last byte of the request; interim responses do not change it.
            (101, .head, 131), (120, .head, 131),
            (125, .body(received: 100), 185), (130, .body(received: 100), 185), (140, .body(received: 101), 200),
            // The transfer waits for the client, and then continues.
            (150, .none, nil), (400, .body(received: 101), 460),
            (410, .idle, 414), (412, .idle, 414),
            (413, .stream(transferred: 5), 4013), (414, .stream(transferred: 6), 4014),
        ]
        for (index, row) in rows.enumerated() {
            let moment = deadline.update(row.activity, at: Trial.second(row.at), times)
            #expect(moment == row.deadline.map(Trial.second), "row \(index)")
        }
    }

    @Test func `surplus connections of the pool are closed after a tenth of a second`() {
        let times = Trial.configuration([Trial.server(1)]).timeouts
        var deadline = UpstreamDeadline()
        #expect(
            deadline.update(.surplus, at: Trial.second(1), times) == MonotonicTime(nanoseconds: 1_100_000_000))
        #expect(deadline.update(.idle, at: Trial.second(2), times) == Trial.second(6))
    }

    @Test func `times may be parts of a second`() {
        var times = Trial.configuration([Trial.server(1)]).timeouts
        times.connect = .milliseconds(250)
        var deadline = UpstreamDeadline()
        #expect(
            deadline.update(.connecting, at: Trial.second(1), times)
                == MonotonicTime(nanoseconds: 1_250_000_000))
    }
}
