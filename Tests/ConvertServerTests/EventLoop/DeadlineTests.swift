import Testing

@testable import ConvertServer
@testable import EventLoop
@testable import HTTPServer
@testable import Sockets

struct DeadlineTests {
    private static func second(_ number: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(number) * 1_000_000_000)
    }

    @Test func `the queue returns owners in the order of their last deadlines`() {
        var queue = DeadlineQueue()
        let owners = (0..<100).map { PollToken(rawValue: UInt64($0)) }
        for (index, owner) in owners.enumerated() { queue.set(owner, to: Self.second(index * 37 % 100)) }
        // Deadlines that are moved later, moved earlier, cleared and removed.
        queue.set(owners[0], to: Self.second(200))
        queue.set(owners[1], to: Self.second(0))
        queue.set(owners[2], to: nil)
        queue.remove(owners[3])
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

    @Test func `removed owners leave no memory behind`() {
        var queue = DeadlineQueue()
        for number in 0..<10_000 {
            let owner = PollToken(rawValue: UInt64(number))
            queue.set(owner, to: Self.second(75 + number))
            queue.set(owner, to: Self.second(10))
            #expect(queue.entryCount <= 68)
            if number < 9_999 { queue.remove(owner) }
        }
        #expect(queue.popExpired(at: Self.second(20_000)) == PollToken(rawValue: 9_999))
        #expect(queue.popExpired(at: Self.second(20_000)) == nil)
    }

    @Test func `each activity has its timeout, and only progress extends it`() {
        let times = DeadlineKeeper.Times()
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
            let deadline = keeper.update(row.activity, at: Self.second(row.at), times)
            #expect(deadline == row.deadline.map(Self.second), "\(row)")
        }
    }

    @Test func `a wait of the returned milliseconds is never too short`() {
        let start = MonotonicTime(nanoseconds: 5)
        #expect(start.milliseconds(until: MonotonicTime(nanoseconds: 5)) == 0)
        #expect(start.milliseconds(until: MonotonicTime(nanoseconds: 6)) == 1)
        #expect(start.milliseconds(until: MonotonicTime(nanoseconds: 1_000_005)) == 1)
        #expect(start.milliseconds(until: MonotonicTime(nanoseconds: 0)) == 0)
    }

    @Test func `the first signal drains, after the delay, and the second ends`() {
        var plain = Shutdown(delaySeconds: 0, drainSeconds: 30)
        #expect(plain.nextTick == nil)
        #expect(plain.signalled(at: Self.second(1)) == [.becomeUnready, .drain])
        #expect(plain.nextTick == Self.second(31))
        #expect(plain.tick(at: Self.second(30)) == [])
        #expect(plain.tick(at: Self.second(31)) == [.end])
        #expect(plain.signalled(at: Self.second(31)) == [])
        // A loop that does not return is abandoned.
        #expect(plain.tick(at: Self.second(31)) == [])
        #expect(plain.nextTick == Self.second(31).advanced(milliseconds: 500))
        #expect(plain.tick(at: Self.second(32)) == [.abandon])
        #expect(plain.nextTick == nil)
        #expect(plain.tick(at: Self.second(33)) == [])

        var delayed = Shutdown(delaySeconds: 5, drainSeconds: 30)
        #expect(delayed.signalled(at: Self.second(0)) == [.becomeUnready])
        #expect(delayed.tick(at: Self.second(4)) == [])
        #expect(delayed.tick(at: Self.second(5)) == [.drain])
        #expect(delayed.nextTick == Self.second(35))
        #expect(delayed.signalled(at: Self.second(6)) == [.end])

        var impatient = Shutdown(delaySeconds: 5, drainSeconds: 30)
        #expect(impatient.signalled(at: Self.second(0)) == [.becomeUnready])
        #expect(impatient.signalled(at: Self.second(1)) == [.end])
    }
}
