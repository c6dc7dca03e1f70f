import Testing

@testable import EventLoop
@testable import Sockets
@testable import Text

struct TurnAccountsTests {
    private func event(_ index: Int) -> PollEvent {
        PollEvent(token: PollToken(generation: 0, index: index), isReadable: true, isWritable: false, isBroken: false)
    }

    private func moment(_ microseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: microseconds * 1000) }

    @Test func `an account is charged for its turns, minus a quarter of the elapsed time`() {
        var accounts = TurnAccounts()
        #expect(accounts.debt(of: 1, at: moment(50)) == 0)
        accounts.charge(1, from: moment(100), to: moment(3100))
        #expect(accounts.debt(of: 1, at: moment(3100)) == 3_000_000)
        #expect(accounts.debt(of: 1, at: moment(7100)) == 2_000_000)
        accounts.charge(1, from: moment(7100), to: moment(8100))
        #expect(accounts.debt(of: 1, at: moment(8100)) == 3_000_000)
        #expect(accounts.debt(of: 1, at: moment(20_100)) == 0)
        #expect(accounts.debt(of: 2, at: moment(8100)) == 0)
        // Half a second clears the debt of an hour.
        accounts.charge(1, from: moment(30_000), to: moment(3_600_000_000))
        #expect(accounts.debt(of: 1, at: moment(3_600_400_000)) == 0)
    }

    @Test func `connections of one client share an account, and others have their own`() throws {
        var table = ChannelTable<Int>()
        let client = TurnAccounts.account(of: try #require(IPAddress("192.0.2.7")))
        let mine = (1...3).map { table.insert($0, account: client) }
        #expect(mine.allSatisfy { table.turns($0)?.account == client })
        let others = (1...100).map { table.insert($0) }
        // By chance, some of the hundred may share one of the thousand accounts.
        #expect(Set(others.compactMap { table.turns($0)?.account }).count > 80)
        table.noteTurn(wasSlow: false, of: mine[1])
        table.noteTurn(wasSlow: true, of: mine[0])
        #expect(table.turns(mine[0])?.last == 2 && table.turns(mine[0])?.wasSlow == true)
        #expect(table.turns(mine[1])?.last == 1 && table.turns(mine[1])?.wasSlow == false)
        _ = table.remove(mine[0])
        #expect(table.turns(mine[0]) == nil)
    }

    @Test func `the account with the least debt is first, then the connection that waited longest`() {
        var events = DeferredEvents()
        #expect(events.takeAll().isEmpty)
        for (index, debt, turn) in [(1, 9, 7), (2, 9, 5), (3, 4, 8), (4, 9, 6)] {
            events.hold(event(index), debt: Int64(debt), lastTurn: turn)
        }
        #expect(events.takeAll().map(\.token.index) == [3, 2, 4, 1])
        // An event without a turn is discarded: the next wait reports it again.
        #expect(events.takeAll().isEmpty)
    }

    @Test func `a deferred event is kept until the connection has had its turn`() {
        var events = DeferredEvents()
        #expect(events.takeLeftOver(of: event(1).token) == nil)
        events.leave(event(1))
        events.leave(event(2))
        events.leave(event(2))
        #expect(events.takeLeftOver(of: event(2).token)?.token.index == 2)
        #expect(events.takeLeftOver(of: event(2).token) == nil)
        #expect(events.takeLeftOver(of: event(1).token)?.token.index == 1)
    }

    @Test func `deferred connections share four milliseconds of a round`() {
        #expect(!DeferredEvents.isRoundOver(since: moment(10), at: moment(10)))
        #expect(!DeferredEvents.isRoundOver(since: moment(10), at: moment(4010)))
        #expect(DeferredEvents.isRoundOver(since: moment(10), at: moment(4011)))
    }
}
