import TestSupport
import Testing

@testable import Sockets

struct PollerTests {
    private static func events(_ poller: Poller, milliseconds: Int32 = 0) throws -> [UInt64: PollEvent] {
        var ready: [PollEvent] = []
        let isAll = try poller.wait(milliseconds: milliseconds, into: &ready)
        #expect(isAll)
        return Dictionary(uniqueKeysWithValues: ready.map { ($0.token.rawValue, $0) })
    }

    @Test func `the poller reports only the requested ready events`() throws {
        let poller = try Poller()
        let first = try SocketPair()
        let second = try SocketPair()
        try poller.add(first.server.number, token: PollToken(rawValue: 1), interest: .read)
        try poller.add(second.server.number, token: PollToken(rawValue: 2), interest: [])
        #expect(try Self.events(poller).isEmpty)

        first.send("x")
        second.send("x")
        var events = try Self.events(poller)
        #expect(events.keys.sorted() == [1])
        #expect(events[1]?.isReadable == true && events[1]?.isWritable == false)
        // Level-triggered: the event is reported until the bytes are read.
        #expect(try Self.events(poller).count == 1)

        try poller.change(second.server.number, token: PollToken(rawValue: 3), interest: [.read, .write])
        events = try Self.events(poller)
        #expect(events.keys.sorted() == [1, 3])
        #expect(events[3]?.isReadable == true && events[3]?.isWritable == true && events[3]?.isBroken == false)

        poller.remove(first.server.number)
        #expect(try Self.events(poller).keys.sorted() == [3])
        poller.remove(second.server.number)
        #expect(try Self.events(poller).isEmpty)
    }

    @Test func `a wake-up ends a wait and is reported once`() throws {
        let poller = try Poller()
        let wakeUp = try WakeUp()
        try poller.add(wakeUp.number, token: PollToken(rawValue: 9), interest: .read)
        for _ in 0..<100_000 { wakeUp.wake() }
        #expect(try Self.events(poller, milliseconds: -1).keys.sorted() == [9])
        wakeUp.clear()
        #expect(try Self.events(poller).isEmpty)
    }
}
