import Testing

@testable import HTTPServer
@testable import Sockets

struct TransferPaceTests {
    private static func moment(_ seconds: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + seconds }

    /// The second at which a client is disconnected. Each arrival gives its total of bytes, sent or received, at that second. Nil if it is
    /// never disconnected before the last arrival.
    private static func end(_ arrivals: [(second: Int, bytes: Int)], minBytesPerSecond: Int = 256) -> Int? {
        var pace = TransferPace(at: moment(0))
        var deadline = moment(0)
        for (index, arrival) in arrivals.enumerated() {
            if index > 0, deadline < moment(arrival.second) { return Int(deadline.nanoseconds / 1_000_000_000) }
            deadline = pace.reached(
                arrival.bytes, at: moment(arrival.second), silence: 30, minBytesPerSecond: minBytesPerSecond)
        }
        return nil
    }

    @Test func `a body without progress ends after the timeout`() {
        #expect(Self.end([(0, 0), (31, 1)]) == 30)
        #expect(Self.end([(0, 0), (20, 100_000), (49, 200_000)]) == nil)
        #expect(Self.end([(0, 0), (20, 100_000), (51, 200_000)]) == 50)
    }

    @Test func `a very slow body ends after a minute`() {
        // 256 bytes a second make 15,360 in 60 seconds.
        let drip = (0...70).map { (second: $0, bytes: $0 * 255) }
        #expect(Self.end(drip) == 60)
        let enough = (0...200).map { (second: $0, bytes: $0 * 256) }
        #expect(Self.end(enough) == nil)
        // The rate can be set; 0 means no minimum.
        #expect(Self.end(enough, minBytesPerSecond: 257) == 60)
        #expect(Self.end((0...200).map { (second: $0, bytes: $0) }, minBytesPerSecond: 0) == nil)
    }

    @Test func `the bytes of a fast minute do not count for the next one`() {
        let stalling = (0...180).map { (second: $0, bytes: 1_000_000 + $0) }
        let arrivals = [(second: 0, bytes: 0), (second: 0, bytes: 1_000_000)] + stalling
        #expect(Self.end(arrivals) == 120)
    }

    @Test func `a client that has to wait for the upstream gets a new minute`() {
        var keeper = DeadlineKeeper()
        let times = ConnectionTimes()
        let upload = Activity.upload(number: 1, transferred: 10)
        #expect(keeper.update(upload, at: Self.moment(0), times) == Self.moment(30))
        #expect(keeper.update(.none, at: Self.moment(25), times) == nil)
        #expect(keeper.update(upload, at: Self.moment(500), times) == Self.moment(530))
    }

    @Test func `a slow transfer ends after a minute, with and without an upstream`() {
        var times = ConnectionTimes()
        let rows: [(activity: (Int) -> Activity, bytesPerSecond: Int, end: Int?)] = [
            ({ .download(taken: $0) }, 255, 60), ({ .download(taken: $0) }, 256, nil),
            ({ .sending(taken: $0) }, 255, 60), ({ .sending(taken: $0) }, 256, nil),
            ({ .upload(number: 1, transferred: $0) }, 255, 60), ({ .upload(number: 1, transferred: $0) }, 256, nil),
            // A body counts in steps of 4 KiB, of which three arrive within the minute.
            ({ .body(number: 1, transferred: $0) }, 240, 60), ({ .body(number: 1, transferred: $0) }, 300, nil),
        ]
        for row in rows {
            var keeper = DeadlineKeeper()
            var end: Int?
            for second in 0...200 where end == nil {
                let deadline = keeper.update(row.activity(second * row.bytesPerSecond), at: Self.moment(second), times)
                if let deadline, deadline <= Self.moment(second) { end = second }
            }
            #expect(end == row.end, "\(row.bytesPerSecond)")
        }
        // 4 KiB every ten seconds are 410 bytes a second.
        for (rate, end) in [(400, nil), (420, 60)] {
            times.minBytesPerSecond = rate
            var keeper = DeadlineKeeper()
            var deadline: MonotonicTime?
            var last: Int?
            for second in 0...200 where last == nil {
                let taken = second / 10 * 4096
                deadline = keeper.update(.sending(taken: taken), at: Self.moment(second), times)
                if let deadline, deadline <= Self.moment(second) { last = second }
            }
            #expect(last == end, "\(rate)")
        }
        times.minBytesPerSecond = 256
        // A transfer that pauses because its upstream sends nothing starts a new minute.
        var keeper = DeadlineKeeper()
        for second in [0, 20, 40] {
            _ = keeper.update(.download(taken: 100 * second), at: Self.moment(second), times)
        }
        #expect(keeper.update(.none, at: Self.moment(55), times) == nil)
        #expect(keeper.update(.download(taken: 5_000), at: Self.moment(59), times) == Self.moment(89))
        // Silence ends it earlier.
        var silent = DeadlineKeeper()
        for second in [0, 10, 29] {
            #expect(silent.update(.download(taken: 1), at: Self.moment(second), times) == Self.moment(30))
        }
    }
}
