import Testing

@testable import EventLoop
@testable import HTTPServer
@testable import Sockets

struct IdleClientsTests {
    private static func moment(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: milliseconds * 1_000_000)
    }

    private static func token(_ number: Int) -> PollToken { PollToken(generation: 0, index: number) }

    @Test func `the connection that was idle longest is replaced first`() {
        var clients = IdleClients()
        #expect(clients.next() == nil)
        let all = [30, 10, 20].map { (token: Self.token($0), since: Self.moment(Int64($0))) }
        #expect(clients.search(among: 3, at: Self.moment(100)) { all })
        let order = (0..<3).compactMap { _ in clients.next()?.token.index }
        #expect(order == [10, 20, 30])
        #expect(clients.next() == nil)
    }

    @Test func `a flood of new clients does not search all connections each time`() {
        var clients = IdleClients()
        var looks = 0
        for millisecond in 0..<1000 {
            for _ in 0..<100 {
                _ = clients.search(among: 10_000, at: Self.moment(Int64(millisecond))) {
                    looks += 1
                    return []
                }
            }
        }
        #expect(looks == 100)
        let many = (0..<10_000).map { (token: Self.token($0), since: Self.moment(Int64(9_999 - $0))) }
        #expect(clients.search(among: 10_000, at: Self.moment(2000)) { many })
        #expect((0..<1000).compactMap { _ in clients.next()?.token.index } == (9_744...9_999).reversed().map { $0 })
    }
}
