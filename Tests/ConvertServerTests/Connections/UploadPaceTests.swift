import Testing

@testable import ConvertServer

struct UploadPaceTests {
    private static func moment(_ seconds: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + seconds }

    /// The second at which a client is given up that has sent so many bytes in all at those seconds; nil when never before the
    /// last.
    private static func end(_ arrivals: [(second: Int, bytes: Int)]) -> Int? {
        var pace = UploadPace(at: moment(0))
        var deadline = moment(0)
        for (index, arrival) in arrivals.enumerated() {
            if index > 0, deadline < moment(arrival.second) { return Int(deadline.nanoseconds / 1_000_000_000) }
            deadline = pace.received(arrival.bytes, at: moment(arrival.second), silence: 30)
        }
        return nil
    }

    @Test func `silence ends a body after the time that is allowed`() {
        #expect(Self.end([(0, 0), (31, 1)]) == 30)
        #expect(Self.end([(0, 0), (20, 100_000), (49, 200_000)]) == nil)
        #expect(Self.end([(0, 0), (20, 100_000), (51, 200_000)]) == 50)
    }

    @Test func `a drip is not silent, and ends after a minute`() {
        // 256 bytes a second over 60 seconds are 15,360.
        let drip = (0...70).map { (second: $0, bytes: $0 * 255) }
        #expect(Self.end(drip) == 60)
        let enough = (0...200).map { (second: $0, bytes: $0 * 256) }
        #expect(Self.end(enough) == nil)
    }

    @Test func `what came fast in one minute does not count for the next`() {
        let stalling = (0...180).map { (second: $0, bytes: 1_000_000 + $0) }
        let arrivals = [(second: 0, bytes: 0), (second: 0, bytes: 1_000_000)] + stalling
        #expect(Self.end(arrivals) == 120)
    }

    @Test func `a client that has to wait for the upstream is given a new minute`() {
        var keeper = DeadlineKeeper()
        let times = DeadlineKeeper.Times()
        let upload = Activity.upload(number: 1, received: 10)
        #expect(keeper.update(upload, at: Self.moment(0), times) == Self.moment(30))
        #expect(keeper.update(.none, at: Self.moment(25), times) == nil)
        #expect(keeper.update(upload, at: Self.moment(500), times) == Self.moment(530))
    }
}
