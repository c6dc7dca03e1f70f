import HTTPServerTestSupport
import TestSupport
import Testing

@testable import EventLoop
@testable import HTTPServer
@testable import Sockets

/// The begin and the end of a request in the log and in the metrics.
struct SessionRecordTests {
    private static let start = MonotonicTime(nanoseconds: 5_000_000_000)
    private static let request = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func `a request begins with the first byte of its head`() throws {
        let rows: [(pieces: [String], status: Int)] = [
            (["G", "ET /healthz HTTP/1.1\r\nHost: x\r\n", "\r\n"], 200),
            (["GET /healthz HTTP/1.1\r\n", "Host x\r\n\r\n"], 400),
            // An empty line before the request is not a part of it.
            (["\r\n", Self.request], 200),
        ]
        for row in rows {
            var conversation = try Conversation()
            var begins: [MonotonicTime] = []
            for (index, piece) in row.pieces.enumerated() {
                conversation.now = Self.start + index
                begins.append(conversation.now)
                conversation.receive(piece)
            }
            let record = try #require(conversation.session.context.accessLog.ended.first)
            #expect(record.status == row.status)
            #expect(record.started == (row.pieces[0] == "\r\n" ? begins[1] : begins[0]), "\(row.pieces)")
        }
    }

    @Test func `the times of the next request begin again, also after one that is too slow`() throws {
        var conversation = try Conversation()
        conversation.now = Self.start
        conversation.receive(Self.request + "GET")
        conversation.now = Self.start + 3
        conversation.receive(String(Self.request.dropFirst(3)))
        conversation.now = Self.start + 7
        conversation.receive(Self.request)
        conversation.now = Self.start + 9
        conversation.receive("GET")
        conversation.now = Self.start + 20
        conversation.session.expire(at: conversation.now)
        conversation.drain()
        let records = conversation.session.context.accessLog.ended
        #expect(records.map(\.status) == [200, 200, 200, 408])
        #expect(records.map(\.started) == [0, 0, 7, 9].map { Self.start + $0 })
    }

    @Test func `a request that the server abandons gets 503, unless its response has begun`() throws {
        var waiting = try Conversation()
        let request = HTTPText.post("/v1/minify", "[ ]")
        waiting.receive(Self.request + String(request.dropLast()))
        let session = waiting.session
        #expect(session.refuseUnanswered())
        #expect(!session.refuseUnanswered())
        waiting.drain()
        let response = waiting.text
        #expect(response.contains("HTTP/1.1 503 ") && response.contains("\r\nConnection: close\r\n"), "\(response)")
        let records = session.context.accessLog.ended
        #expect(records.map(\.status) == [200, 503])
        #expect(records.map(\.code) == [nil, "draining"])
        #expect(records.map(\.isAborted) == [false, false])

        var configuration = ServerConfiguration()
        configuration.commitBytes = 1000
        let begun = String(HTTPText.post("/v1/minify", "[\(String(repeating: "1,", count: 2000))2]").dropLast())
        // Nothing, a part of a head, a request with its response, and one with a part of it.
        for text in ["", "GET /healthz HT", Self.request, begun] {
            var conversation = try Conversation(configuration)
            if !text.isEmpty { conversation.receive(text) }
            let session = conversation.session
            #expect(!session.refuseUnanswered(), "\(text.prefix(20))")
        }
    }

    @Test func `a request ends when its response is sent or can no longer be sent`() throws {
        // More than a Unix socket accepts at once.
        let payload = "\"" + String(repeating: "a", count: 900_000) + "\""
        for isLost in [false, true] {
            let context = HTTPContext(ServerConfiguration())
            let session = Session(context)
            let pair = try SocketPair()
            for piece in [Self.request, HTTPText.post("/v1/minify", payload)] {
                session.receive(Array(piece.utf8).span, at: Self.start)
                _ = session.send(on: pair.server)
            }
            #expect(context.accessLog.ended.map(\.status) == [200])
            if isLost {
                session.connectionLost()
            } else {
                while !session.writeBuffer.isEmpty {
                    #expect(context.accessLog.ended.count == 1)
                    _ = pair.received()
                    _ = session.send(on: pair.server)
                }
            }
            #expect(context.accessLog.ended.map(\.status) == [200, 200])
            #expect(context.accessLog.ended.map(\.isAborted) == [false, isLost])
        }
    }
}
