import HTTPServerTestSupport
import HTTPWire
import TestSupport
import Testing

@testable import Conversions
@testable import EventLoop
@testable import Gateway
@testable import HTTPSemantics
@testable import HTTPServer
@testable import Observability
@testable import Sockets
@testable import Telemetry

/// The memory for the encoders of responses.
struct EncoderRoomTests {

    @Test
    func
        `a streamed response is not compressed if there is no room for the encoder, or refused if it must be compressed`()
        throws
    {
        var configuration = ServerConfiguration()
        configuration.commitBytes = 1024
        configuration.gateway.maxBufferedBytes = 500 * 1024
        let held = MemoryBudget()
        let context = HTTPContext(
            configuration, MetricsRegistry(startedWall: 0, startedMonotonic: 0, version: "0"), LogSink(),
            LoopContext(clock: { MonotonicTime(nanoseconds: 0) }), heldBytes: held)
        func head(_ codings: String) throws -> String {
            let session = Session(context)
            let body = "[" + String(repeating: "1,", count: 4000)
            let request =
                "POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAccept-Encoding: \(codings)\r\n"
                + "Content-Length: 100000\r\n\r\n\(body)"
            session.receive(Array(request.utf8).span, at: context.clock())
            sessions.append(session)
            let pair = try SocketPair()
            _ = session.send(on: pair.server)
            return String(decoding: pair.received().prefix(600), as: UTF8.self).headText
        }
        var sessions: [Session] = []
        #expect(try head("gzip").contains("content-encoding: gzip"))
        #expect(try !head("gzip").contains("content-encoding"))
        let refused = try head("gzip, identity;q=0")
        #expect(refused.hasPrefix("http/1.1 503 ") && refused.contains("retry-after"))
        #expect(sessions.count == 3 && held.count < 560 * 1024)
        sessions = []
        #expect(held.count == 0)
        #expect(try head("gzip").contains("content-encoding: gzip"))
    }
}

extension String {
    /// The head of a response in lower case.
    fileprivate var headText: String {
        prefix(upTo: firstRange(of: "\r\n\r\n")?.lowerBound ?? endIndex).lowercased()
    }
}
