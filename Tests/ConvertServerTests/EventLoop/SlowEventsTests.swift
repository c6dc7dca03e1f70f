import Testing

@testable import ConvertServer

struct SlowEventsTests {
    private func event(_ index: Int) -> PollEvent {
        PollEvent(token: PollToken(generation: 0, index: index), isReadable: true, isWritable: false, isBroken: false)
    }

    private func moment(_ microseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: microseconds * 1000) }

    @Test func `slow turns are numbered in their order, and quick ones are not`() {
        var events = SlowEvents()
        #expect(events.number(ofTurnFrom: moment(0), to: moment(250)) == 0)
        #expect(events.number(ofTurnFrom: moment(250), to: moment(501)) == 1)
        #expect(events.number(ofTurnFrom: moment(501), to: moment(502)) == 0)
        #expect(events.number(ofTurnFrom: moment(502), to: moment(9502)) == 2)
    }

    @Test func `many that have something to do share ten milliseconds, as long as each has its least turn`() {
        let services = LoopServices(ServerConfiguration())
        for (count, microseconds) in [(0, 1000), (1, 1000), (10, 1000), (20, 500), (40, 250), (10_000, 250)] {
            services.shareTurns(among: count)
            #expect(services.turnNanoseconds == Int64(microseconds) * 1000, "\(count)")
        }
    }

    @Test func `who had a slow turn is held back, and the one that has waited longest comes first`() {
        var events = SlowEvents()
        #expect(events.takeAll().isEmpty)
        let held = [(1, 0), (2, 7), (3, 5), (4, 9)].filter { index, turn in events.hold(event(index), lastTurn: turn) }
        #expect(held.map(\.0) == [2, 3, 4])
        #expect(events.takeAll().map(\.token.index) == [3, 2, 4])
        // What had no turn is told again by the next wait, and not kept.
        #expect(events.takeAll().isEmpty)
    }

    @Test func `what is left over is known until the connection has had its turn`() {
        var events = SlowEvents()
        #expect(events.takeLeftOver(of: event(1).token) == nil)
        events.leave(event(1))
        events.leave(event(2))
        events.leave(event(2))
        #expect(events.takeLeftOver(of: event(2).token)?.token.index == 2)
        #expect(events.takeLeftOver(of: event(2).token) == nil)
        #expect(events.takeLeftOver(of: event(1).token)?.token.index == 1)
    }

    @Test func `slow ones share two milliseconds of a round`() {
        #expect(!SlowEvents.isRoundOver(since: moment(10), at: moment(10)))
        #expect(!SlowEvents.isRoundOver(since: moment(10), at: moment(2010)))
        #expect(SlowEvents.isRoundOver(since: moment(10), at: moment(2011)))
    }
}
