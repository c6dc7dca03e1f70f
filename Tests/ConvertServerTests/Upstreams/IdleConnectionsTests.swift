import HTTPWire
import Testing

@testable import ConvertServer

struct IdleConnectionsTests {
    private typealias Trial = UpstreamTrial

    private final class Idler {
        let name: Int
        init(_ name: Int) { self.name = name }
    }

    @Test func `the last in is the first out, for each server by itself`() throws {
        var idle = IdleConnections<Idler>()
        let (first, second) = (try Trial.address(1), try Trial.address(2))
        for name in 0..<3 { #expect(idle.put(Idler(name), first, at: Trial.second(0)) == nil) }
        #expect(idle.put(Idler(9), second, at: Trial.second(0)) == nil)
        let order = (0..<4).map { _ in idle.take(first, for: .get, at: Trial.second(0))?.name }
        #expect(order == [2, 1, 0, nil])
        #expect(idle.take(second, for: .get, at: Trial.second(0))?.name == 9)
        #expect(idle.count == 0)
    }

    @Test func `of more than 32 for one server the one that has idled longest goes`() throws {
        var idle = IdleConnections<Idler>()
        let server = try Trial.address(1)
        for name in 0..<32 { #expect(idle.put(Idler(name), server, at: Trial.second(name)) == nil) }
        #expect(idle.put(Idler(32), server, at: Trial.second(32))?.name == 0)
        #expect(idle.put(Idler(33), server, at: Trial.second(33))?.name == 1)
        #expect(idle.count == 32)
    }

    @Test func `what cannot be repeated goes only over connections that have idled for less than a second`() throws {
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
            #expect(idle.count == (row.isTaken ? 0 : 1))
        }
    }

    @Test func `one that closes is forgotten`() throws {
        var idle = IdleConnections<Idler>()
        let server = try Trial.address(1)
        let idlers = (0..<3).map(Idler.init)
        for idler in idlers { _ = idle.put(idler, server, at: Trial.second(0)) }
        idle.remove(idlers[2], server)
        idle.remove(idlers[2], server)
        #expect(idle.take(server, for: .get, at: Trial.second(0)) === idlers[1])
    }
}
