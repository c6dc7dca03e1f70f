import Dispatch
import TestSupport
import Testing

@testable import EventLoop
@testable import HTTPServer
@testable import Observability
@testable import Service
@testable import Sockets
@testable import Telemetry
@testable import Text

/// One loop in this process, on its own port.
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
                let worker = try Worker(
                    configuration, mailbox: mailbox,
                    budget: ConnectionBudget(ConnectionPlan(configuration, loops: 1, descriptors: 20_000)),
                    registry: MetricsRegistry(startedWall: 0, startedMonotonic: 0, version: "0"), accessLog: LogSink())
                try worker.run()
            } catch {
                Issue.record("the loop failed: \(error)")
            }
        }
    }

    deinit { mailbox.send(.end) }

    func wait() { thread.wait() }
}

struct WorkerTests {
    private static var configuration: ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.writesAccessLog = false
        return configuration
    }

    @Test func `many connections are served at once`() throws {
        let loop = try LoopUnderTest(Self.configuration)
        var clients: [RawClient] = []
        for _ in 0..<100 { clients.append(try RawClient(loop.address)) }
        for round in 0..<3 {
            let request = HTTPText.post("/v1/minify", "[ \(round) ]")
            for client in clients { try client.send(String(request.dropLast(3))) }
            for client in clients.reversed() { try client.send(String(request.suffix(3))) }
            for client in clients {
                let response = String(decoding: try client.receive(), as: UTF8.self)
                #expect(HTTPText.body(response) == "[\(round)]")
            }
            // Every second client closes, so that numbers of slots and descriptors are used again.
            clients = clients.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            for _ in 0..<50 { clients.append(try RawClient(loop.address)) }
        }
    }

    @Test func `a drained loop ends and no longer listens`() throws {
        let loop = try LoopUnderTest(Self.configuration)
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

    private static func budget(_ maxConnections: Int, perClient: Int = 0) -> ConnectionBudget {
        var configuration = ServerConfiguration()
        (configuration.maxConnections, configuration.maxConnectionsPerClient) = (maxConnections, perClient)
        return ConnectionBudget(ConnectionPlan(configuration, loops: 1, descriptors: 20_000))
    }

    @Test func `the limit of connections is never exceeded, and closed ones free it`() {
        let budget = Self.budget(2)
        // Connections at `admin` and those of clients have separate limits.
        for kind in [ConnectionBudget.Kind.client, .admin] {
            #expect((0..<4).map { _ in budget.take(kind) } == [.granted, .granted, .full, .full])
        }
        for (kind, other) in [(ConnectionBudget.Kind.client, ConnectionBudget.Kind.admin), (.admin, .client)] {
            budget.giveBack(kind)
            #expect([other, kind, kind].map { budget.take($0) } == [.full, .granted, .full])
        }
    }

    @Test func `a client gets at most its share of connections, and a refusal uses none`() throws {
        let budget = Self.budget(5, perClient: 2)
        let (first, second) = (try #require(IPAddress("192.0.2.1")), try #require(IPAddress("192.0.2.2")))
        let wishes: [(IPAddress?, ConnectionBudget.Decision)] = [
            (first, .granted), (first, .granted), (first, .clientFull), (second, .granted), (nil, .granted),
            (nil, .granted), (nil, .full), (second, .full), (first, .clientFull),
        ]
        for (client, decision) in wishes { #expect(budget.take(.client, for: client) == decision) }
        budget.giveBack(.client, for: first)
        budget.giveBack(.client, for: nil)
        // The earlier refusal did not count as a connection of the second client.
        #expect(budget.take(.client, for: second) == .granted)
        #expect(budget.take(.client, for: first) == .granted)
        #expect(budget.take(.client, for: nil) == .full)
    }
}
