import Dispatch
import Testing

@testable import ConvertServer

/// One loop in this process, on a port of its own.
private final class LoopUnderTest {
    let address: String
    let mailbox: LoopMailbox
    private let thread: Background

    init(_ configuration: ServerConfiguration) throws {
        let listener = try Listener(.tcp(host: "127.0.0.1", port: 0))
        guard case .tcp(let host, let port) = listener.address else { throw RawClient.Failure.call("listen", 0) }
        address = "\(host):\(port)"
        let mailbox = try LoopMailbox()
        self.mailbox = mailbox
        mailbox.send(.listen([listener]))
        thread = Background {
            do throws(SystemCallError) {
                let loop = try EventLoop(
                    configuration, mailbox: mailbox, budget: ConnectionBudget(maxConnections: 1000),
                    registry: MetricsRegistry(startedWall: 0, startedMonotonic: 0), accessLog: LogSink())
                try loop.run()
            } catch {
                Issue.record("the loop failed: \(error)")
            }
        }
    }

    deinit { mailbox.send(.end) }

    func wait() { thread.wait() }
}

struct EventLoopTests {
    private static func configuration(_ poller: ServerConfiguration.PollerKind) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.poller = poller
        configuration.writesAccessLog = false
        return configuration
    }

    @Test(arguments: ServerConfiguration.PollerKind.allCases)
    func `many connections are served at once, with either poller`(_ poller: ServerConfiguration.PollerKind) throws {
        let loop = try LoopUnderTest(Self.configuration(poller))
        var clients: [RawClient] = []
        for _ in 0..<100 { clients.append(try RawClient(loop.address)) }
        for round in 0..<3 {
            let request = HTTPText.post("/v1/minify", "[ \(round) ]")
            for client in clients { try client.send(String(request.dropLast(3))) }
            for client in clients.reversed() { try client.send(String(request.suffix(3))) }
            for client in clients {
                let answer = String(decoding: try client.receive(), as: UTF8.self)
                #expect(HTTPText.body(answer) == "[\(round)]")
            }
            // Every second one goes, so that numbers of slots and descriptors are used again.
            clients = clients.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            for _ in 0..<50 { clients.append(try RawClient(loop.address)) }
        }
    }

    @Test(arguments: ServerConfiguration.PollerKind.allCases)
    func `a drained loop ends and no longer listens`(_ poller: ServerConfiguration.PollerKind) throws {
        let loop = try LoopUnderTest(Self.configuration(poller))
        let idle = try RawClient(loop.address)
        let busy = try RawClient(loop.address)
        try busy.send("POST /v1/minify HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        #expect(String(decoding: try busy.receive(), as: UTF8.self).hasPrefix("HTTP/1.1 100 "))
        loop.mailbox.send(.drain)
        #expect(try idle.receive().isEmpty)
        try busy.send("[ ]")
        #expect(HTTPText.body(try busy.text()) == "[]")
        loop.wait()
        #expect(throws: RawClient.Failure.self) { try RawClient(loop.address) }
    }

    @Test func `the budget of connections is never exceeded and comes back`() {
        let budget = ConnectionBudget(maxConnections: 2)
        // Those at `admin` find their places whatever clients have, and leave them theirs.
        for isPublic in [true, false] {
            #expect(budget.take(isPublic: isPublic))
            #expect(budget.take(isPublic: isPublic))
            #expect(!budget.take(isPublic: isPublic))
            #expect(!budget.take(isPublic: isPublic))
        }
        for isPublic in [true, false] {
            budget.giveBack(isPublic: isPublic)
            #expect(!budget.take(isPublic: !isPublic))
            #expect(budget.take(isPublic: isPublic))
            #expect(!budget.take(isPublic: isPublic))
        }
    }

    @Test func `there are a hundred places at admin, or fewer where there are fewer for clients`() {
        for (maxConnections, places) in [(1_000, 100), (100, 100), (99, 99), (1, 1)] {
            let budget = ConnectionBudget(maxConnections: maxConnections)
            #expect((0..<200).count { _ in budget.take(isPublic: false) } == places, "\(maxConnections)")
        }
    }
}
