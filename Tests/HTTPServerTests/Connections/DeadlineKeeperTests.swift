import TestSupport
import Testing

@testable import HTTPServer
@testable import Sockets

struct DeadlineKeeperTests {
    @Test func `each activity has its timeout, and only progress extends it`() {
        let times = ConnectionTimes()
        var keeper = DeadlineKeeper()
        let rows: [(at: Int, activity: Activity, deadline: Int?)] = [
            (0, .idle(number: 0), 10), (5, .idle(number: 0), 10),
            (6, .head(number: 0), 16), (15, .head(number: 0), 16),
            (15, .body(number: 1, transferred: 0), 45), (44, .body(number: 1, transferred: 4095), 45),
            (44, .body(number: 1, transferred: 4096), 74), (50, .body(number: 1, transferred: 8191), 74),
            (60, .none, nil), (60, .sending(taken: 0), 90), (80, .sending(taken: 0), 90), (85, .sending(taken: 1), 115),
            (86, .idle(number: 1), 161), (90, .idle(number: 2), 165),
            // A client that still sends may continue, but only up to a limit.
            (100, .lingering(received: 0), 102), (101, .lingering(received: 0), 102),
            (102, .lingering(received: 1), 104), (103, .lingering(received: 1), 104),
            (129, .lingering(received: 2), 130), (130, .lingering(received: 3), 130),
        ]
        for row in rows {
            let deadline = keeper.update(row.activity, at: UpstreamTrial.second(row.at), times)
            #expect(deadline == row.deadline.map(UpstreamTrial.second), "\(row)")
        }
    }
}
