import HTTPWire
import Sockets
import TestSupport
import Testing

@testable import Upstreams

struct IdleConnectionsTests {
    private typealias Trial = UpstreamTrial

    private final class Idler {
        let name: Int
        init(_ name: Int) { self.name = name }
    }

    @Test func `the connection that was returned last is used first, for each server`() throws {
        var idle = IdleConnections<Idler>()
        let (first, second) = (try Trial.address(1), try Trial.address(2))
        for name in 0..<3 { #expect(idle.put(Idler(name), first, at: Trial.second(0)) == false) }
        #expect(idle.put(Idler(9), second, at: Trial.second(0)) == false)
        let order = (0..<4).map { _ in idle.take(first, for: .get, at: Trial.second(0))?.name }
        #expect(order == [2, 1, 0, nil])
        #expect(idle.take(second, for: .get, at: Trial.second(0))?.name == 9)
        #expect(idle.take(second, for: .get, at: Trial.second(0)) == nil)
    }

    @Test func `above 32 for one server, the connections returned last are surplus`() throws {
        var idle = IdleConnections<Idler>()
        let (server, other) = (try Trial.address(1), try Trial.address(2))
        for name in 0..<32 { #expect(idle.put(Idler(name), server, at: Trial.second(0)) == false) }
        #expect(idle.put(Idler(32), server, at: Trial.second(0)) == true)
        #expect(idle.put(Idler(33), other, at: Trial.second(0)) == false)
        // The surplus connections are taken first.
        #expect(idle.take(server, for: .get, at: Trial.second(0))?.name == 32)
        #expect(idle.take(server, for: .get, at: Trial.second(0))?.name == 31)
        #expect(idle.put(Idler(34), server, at: Trial.second(0)) == false)
        #expect(idle.put(Idler(35), server, at: Trial.second(0)) == true)
    }

    @Test func `requests that cannot be repeated only use connections idle for less than a second`() throws {
        let rows: [(method: RequestMethod, idleMilliseconds: Int64, isTaken: Bool)] = [
            (.get, 3999, true), (.put, 3999, true), (.delete, 3999, true), (.head, 3999, true), (.options, 3999, true),
            (.post, 999, true), (.post, 1000, false), (.patch, 999, true), (.patch, 1000, false),
        ]
        let server = try Trial.address(1)
        for row in rows {
            var idle = IdleConnections<Idler>()
            let idler = Idler(0)
            _ = idle.put(idler, server, at: Trial.second(0))
            let now = Trial.second(0).advanced(milliseconds: row.idleMilliseconds)
            #expect((idle.take(server, for: row.method, at: now) === idler) == row.isTaken, "\(row)")
            #expect((idle.take(server, for: .get, at: now) == nil) == row.isTaken, "\(row)")
        }
    }

    @Test func `a resting connection is not used before 50 milliseconds have passed`() throws {
        var idle = IdleConnections<Idler>()
        let server = try Trial.address(1)
        let begin = Trial.second(0)
        #expect(idle.put(Idler(0), server, at: begin) == false)
        #expect(idle.put(Idler(1), server, rests: true, at: begin) == false)
        #expect(idle.put(Idler(2), server, rests: true, at: begin) == false)
        #expect(idle.take(server, for: .get, at: begin)?.name == 0)
        #expect(idle.take(server, for: .get, at: begin.advanced(milliseconds: 49)) == nil)
        #expect(idle.take(server, for: .get, at: begin.advanced(milliseconds: 50))?.name == 2)
        // The time of the rest counts as idle time.
        #expect(idle.take(server, for: .post, at: begin.advanced(milliseconds: 1000)) == nil)
        #expect(idle.take(server, for: .get, at: begin.advanced(milliseconds: 1000))?.name == 1)
    }

    @Test func `a closed connection is removed`() throws {
        var idle = IdleConnections<Idler>()
        let server = try Trial.address(1)
        let idlers = (0..<3).map(Idler.init)
        for idler in idlers { _ = idle.put(idler, server, at: Trial.second(0)) }
        idle.remove(idlers[2], server)
        idle.remove(idlers[2], server)
        #expect(idle.take(server, for: .get, at: Trial.second(0)) === idlers[1])
    }
}
