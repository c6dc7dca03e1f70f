import Testing

@testable import EventLoop
@testable import Sockets

struct DeadlineQueueTests {
    private static func second(_ number: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(number) * 1_000_000_000)
    }

    @Test func `the queue returns owners in the order of their last deadlines`() {
        var queue = DeadlineQueue()
        let owners = (0..<100).map { PollToken(rawValue: UInt64($0)) }
        for (index, owner) in owners.enumerated() { queue.set(owner, to: Self.second(index * 37 % 100)) }
        // Deadlines that are moved later, moved earlier and removed.
        queue.set(owners[0], to: Self.second(200))
        queue.set(owners[1], to: Self.second(0))
        queue.set(owners[2], to: nil)
        queue.set(owners[3], to: nil)
        var popped: [PollToken] = []
        for now in 0...300 {
            while let owner = queue.popExpired(at: Self.second(now)) {
                popped.append(owner)
                if owner == owners[0] { #expect(now == 200) }
                if owner == owners[1] { #expect(now == 0) }
            }
        }
        let others = owners[4...].sorted { $0.rawValue * 37 % 100 < $1.rawValue * 37 % 100 }
        #expect(popped == [owners[1]] + others + [owners[0]])
        #expect(queue.next == nil)
    }

    @Test func `a deadline that is moved again and again expires once`() {
        var queue = DeadlineQueue()
        let owner = PollToken(rawValue: 7)
        for now in 0..<1000 {
            queue.set(owner, to: Self.second(now + 10))
            #expect(queue.popExpired(at: Self.second(now)) == nil)
        }
        #expect(queue.popExpired(at: Self.second(1009)) == owner)
        #expect(queue.popExpired(at: Self.second(5000)) == nil)
    }

    @Test func `removed owners do not expire`() {
        var queue = DeadlineQueue()
        for number in 0..<10_000 {
            let owner = PollToken(rawValue: UInt64(number))
            queue.set(owner, to: Self.second(75 + number))
            queue.set(owner, to: Self.second(10))
            if number < 9_999 { queue.set(owner, to: nil) }
        }
        #expect(queue.popExpired(at: Self.second(20_000)) == PollToken(rawValue: 9_999))
        #expect(queue.popExpired(at: Self.second(20_000)) == nil)
    }

    @Test func `a wait of the returned milliseconds is never too short`() {
        let start = MonotonicTime(nanoseconds: 5)
        #expect(start.milliseconds(until: MonotonicTime(nanoseconds: 5)) == 0)
        #expect(start.milliseconds(until: MonotonicTime(nanoseconds: 6)) == 1)
        #expect(start.milliseconds(until: MonotonicTime(nanoseconds: 1_000_005)) == 1)
        #expect(start.milliseconds(until: MonotonicTime(nanoseconds: 0)) == 0)
    }
}
