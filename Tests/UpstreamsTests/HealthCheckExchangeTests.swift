import TestSupport
import Testing

@testable import EventLoop
@testable import Sockets
@testable import Upstreams

/// One health check of a server, event by event.
struct HealthCheckExchangeTests {
    @Test(
        arguments: [
            ("xxxx\r\n\r\n", nil), ("\r\n", nil), ("HTTP/1.1 2000 OK\r\n\r\n", nil), ("", nil),
            ("HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n", 503),
            ("HTTP/1.1 204 OK\r\n\r\nmore", 204), ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort", 200),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n" + String(repeating: "x", count: 99_999), 200),
        ] as [(String, Int?)])
    func `a check has one result, however its response continues`(response: String, status: Int?) throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/server"
        let listener = try NarrowListener(at: path)
        let server = try #require(ServerAddress.literal(.unix(path: "\(path)")))
        let now = UpstreamTrial.second(0)
        let context = LoopContext(clock: { now })
        var verdicts: [HealthCheckExchange.Verdict] = []
        let check = HealthCheckExchange(HealthCheck(path: "/h"), of: server, host: .keep, at: now) {
            verdicts.append($0)
        }
        let upstream = Upstream(UpstreamTrial.configuration([server.server]))
        let connection = try check.begin(to: server, of: upstream, UpstreamPool(context), at: now)
        let peer = try listener.accept()
        var buffer = ReadBuffer()
        let event = PollEvent(token: PollToken(rawValue: 1), isReadable: true, isWritable: true, isBroken: false)
        _ = connection.handle(event, &buffer, at: now)
        #expect(verdicts.isEmpty)
        let bytes = WriteBuffer()
        bytes.append(Array(response.utf8).span)
        for _ in 0..<100 where !check.isOver {
            if !bytes.isEmpty { _ = bytes.send(on: peer) } else { peer.endSending() }
            _ = connection.handle(event, &buffer, at: now)
        }
        #expect(check.isOver)
        #expect(verdicts.count == 1)
        switch (verdicts.first, status) {
        case (.status(let found), let status?): #expect(found == status)
        case (.failed, nil): break
        default: Issue.record("\(verdicts)")
        }
    }

    @Test func `a check without a response in time has no result`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/server"
        let listener = try NarrowListener(at: path)
        let server = try #require(ServerAddress.literal(.unix(path: "\(path)")))
        let now = UpstreamTrial.second(0)
        var verdicts: [HealthCheckExchange.Verdict] = []
        let check = HealthCheckExchange(
            HealthCheck(path: "/h", timeout: .seconds(2)), of: server, host: .keep, at: now
        ) { verdicts.append($0) }
        #expect(check.deadline == UpstreamTrial.second(2))
        let upstream = Upstream(UpstreamTrial.configuration([server.server]))
        let pool = UpstreamPool(LoopContext(clock: { now }))
        let connection = try check.begin(to: server, of: upstream, pool, at: now)
        let peer = try listener.accept()
        check.end()
        #expect(check.isOver)
        #expect(verdicts == [.failed("no response in time")])
        #expect(connection.update(at: now) == .close)
        #expect(peer.connectError == nil)
    }
}
