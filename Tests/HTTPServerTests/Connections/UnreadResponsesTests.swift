import HTTPServerTestSupport
import TestSupport
import Testing

@testable import Conversions
@testable import EventLoop
@testable import Gateway
@testable import HTTPServer
@testable import Observability
@testable import Sockets
@testable import Telemetry

/// Responses that wait for clients that do not read, and how they are counted.
struct UnreadResponsesTests {
    @Test func `requests that wait for earlier ones count as buffered`() throws {
        let context = HTTPContext(
            ServerConfiguration(), clock: { MonotonicTime(nanoseconds: 0) })
        context.compileQueue = { _, _, _ in CompileQueue.Cancellation() }
        let session = Session(context)
        session.token = PollToken(rawValue: 1)
        // The first request waits for its profile, which is too long to compile on the loop.
        let names = (0..<200).map { "\"name\($0)\":\"n\($0)\"" }.joined(separator: ",")
        let first = HTTPText.post("/v1/convert", "{\"profile\":{\"rename\":{\(names)}},\"payload\":1}")
        let others = String(repeating: "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", count: 3_000)
        session.receive(Array((first + others).utf8).span, at: context.clock())
        #expect(!session.wantsInput)
        #expect(context.heldBytes.waitingCount > 90_000)
    }

    @Test func `short responses to long paths pause reading like long ones`() {
        var configuration = ServerConfiguration()
        configuration.highWaterBytes = 100_000
        let context = HTTPContext(
            configuration, clock: { MonotonicTime(nanoseconds: 0) })
        let session = Session(context)
        let path = String(repeating: "a", count: 2_000)
        let requests = String(repeating: "HEAD /\(path) HTTP/1.1\r\nHost: a\r\n\r\n", count: 60)
        session.receive(Array(requests.utf8).span, at: context.clock())
        // A record takes 2,500 bytes and a response about 250: fewer than forty of them fill the limit.
        #expect(session.writeBuffer.count < 12_000 && !session.wantsInput)
        #expect((120_000...190_000).contains(context.heldBytes.waitingCount))
        session.ended()
        #expect((33...42).contains(context.accessLog.ended.count))
    }

    @Test func `for a response that was cut off, only the sent bytes are counted`() throws {
        let context = HTTPContext(ServerConfiguration())
        let session = Session(context)
        let pair = try SocketPair()
        let payload = "\"" + String(repeating: "a", count: 900_000) + "\""
        session.receive(Array(HTTPText.post("/v1/minify", payload).utf8).span, at: context.clock())
        _ = session.send(on: pair.server)
        session.connectionLost()
        let record = try #require(context.accessLog.ended.first)
        let head = record.endOfResponse - payload.utf8.count
        #expect(record.isAborted && record.bytesOut == session.sentBytes - head)
    }

    @Test func `the output limit is higher for a client that still sends`() throws {
        var configuration = ServerConfiguration()
        configuration.commitBytes = 1024
        configuration.highWaterBytes = 10_000
        configuration.uploadHighWaterBytes = 300_000
        let context = HTTPContext(configuration)
        let session = Session(context)
        let now = context.clock()
        let bodyBytes = 1_000_000
        let piece = Array(repeating: UInt8(ascii: "a"), count: 10_000)
        let head = HTTPText.post("/v1/minify", "").replacing("Content-Length: 0", with: "Content-Length: \(bodyBytes)")
        session.receive(Array((head + "\"").utf8).span, at: now)
        var sent = 1
        while session.wantsInput {
            #expect(session.activity == .body(number: 1, transferred: sent))
            session.receive(piece.span, at: now)
            sent += piece.count
        }
        #expect((300_000...320_000).contains(session.writeBuffer.count))
        #expect(session.activity == .sending(taken: 0))
        // The higher limit ends with the last byte of the request: then the session only waits for the client to read.
        session.writeBuffer.removeAll()
        while sent < bodyBytes - 200_000 {
            session.receive(piece.span, at: now)
            session.writeBuffer.removeAll()
            sent += piece.count
        }
        session.receive([UInt8](repeating: UInt8(ascii: "b"), count: bodyBytes - sent - 1).span, at: now)
        #expect(session.writeBuffer.count > 100_000 && session.wantsInput)
        session.receive(Array("\"".utf8).span, at: now)
        #expect(session.closing == nil && !session.wantsInput)
        #expect(session.activity == .sending(taken: 0))
    }

    @Test func `reading the response counts as progress of the request`() throws {
        var configuration = ServerConfiguration()
        configuration.commitBytes = 1024
        let session = Session(HTTPContext(configuration))
        let pair = try SocketPair()
        let request = HTTPText.post("/v1/minify", "[" + String(repeating: "1,", count: 50_000))
            .replacing("100001", with: "9000000")
        session.receive(Array(request.utf8).span, at: session.context.clock())
        #expect(session.activity == .body(number: 1, transferred: 100_001))
        _ = session.send(on: pair.server)
        #expect(session.sentBytes > 0)
        #expect(session.activity == .body(number: 1, transferred: 100_001 + session.sentBytes))
    }

    @Test func `when many clients read slowly, the limit for each is lower`() throws {
        var configuration = ServerConfiguration()
        configuration.commitBytes = 1024
        configuration.highWaterBytes = 2 * 1024 * 1024
        configuration.gateway.maxBufferedBytes = 2 * 1024 * 1024
        let context = HTTPContext(
            configuration, clock: { MonotonicTime(nanoseconds: 0) })
        let body = "[" + String(repeating: "1,", count: 400_000)
        let request = HTTPText.post("/v1/minify", body).replacing("800001", with: "9000000")
        let pair = try SocketPair()
        /// A session with a response that has begun, after the socket has accepted as much as it can.
        func unread() -> Session {
            let session = Session(context)
            session.receive(Array(request.utf8).span, at: context.clock())
            _ = session.send(on: pair.server)
            return session
        }
        let first = unread()
        #expect(first.writeBuffer.count > 500_000 && context.heldBytes.waitingCount > 500_000)
        #expect(!first.isFull && first.wantsInput && first.maxReadBytes == ReadBuffer.capacity)
        var second: Session? = unread()
        #expect(first.isFull && !first.wantsInput)
        #expect(second?.isFull == true)
        // The output of the next bytes may have to wait too, on any connection: only a few are read at a time.
        #expect(first.maxReadBytes == 16 * 1024)
        #expect(Session(context).maxReadBytes == 16 * 1024)
        second = nil
        #expect(!first.isFull && first.wantsInput)
        // Bytes that no longer wait for a client no longer count.
        first.writeBuffer.removeAll()
        _ = first.send(on: pair.server)
        #expect(context.heldBytes.waitingCount == 0)
    }
}
