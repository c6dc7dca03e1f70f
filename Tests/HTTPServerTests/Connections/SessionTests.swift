import ConvertProfiles
import HTTPServerTestSupport
import HTTPWire
import TestSupport
import Testing

@testable import EventLoop
@testable import HTTPSemantics
@testable import HTTPServer
@testable import Observability
@testable import Sockets
@testable import Telemetry

struct SessionTests {
    private static func withoutIdentifiers(_ text: String) -> String {
        text.replacing(/"requestId":"[0-9a-f]+"/, with: "").replacing(/X-Request-Id: [0-9a-f]+\r\n/, with: "")
    }

    private static let requests =
        HTTPText.post("/v1/minify", "{ \"a\" : [ 1 , 2 ] }") + "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        + HTTPText.post("/v1/normalize?keys=camelCase", "{\"a_b\": 1}") + HTTPText.post("/v1/minify", "{,}")
        + HTTPText.post("/v1/minify", "{\"a\":\n[1")
        + "POST /v1/minify HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1 \r\n2\r\n,2\r\n1\r\n]\r\n0\r\n\r\n"
        + "HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        + HTTPText.post(
            "/v1/convert", "{\"profile\":{\"keys\":\"snake_case\"},\"payload\":{\"aB\": 1.10}}", isLast: true)

    @Test func `responses are in order, however the requests are cut`() throws {
        var whole = try Conversation()
        whole.receive(Self.requests)
        let responses = Self.withoutIdentifiers(whole.text)
        #expect(whole.session.closing == .lingering)
        let statuses = responses.matches(of: /HTTP\/1\.1 ([0-9]+)/).compactMap { Int($0.1) }
        #expect(statuses == [200, 200, 200, 400, 400, 200, 200, 200])
        // The position at which a payload that is cut off ends.
        #expect(responses.contains(#""line":2,"column":3"#))
        for body in ["{\"a\":[1,2]}", "{\"status\":\"ok\"}", "{\"aB\":1}", "[1,2]", "{\"a_b\":1.10}"] {
            #expect(responses.contains("\r\n\r\n\(body)"), "\(body)")
        }
        let bytes = Array(Self.requests.utf8)
        var bytewise = try Conversation()
        for byte in bytes { bytewise.receive([byte]) }
        #expect(Self.withoutIdentifiers(bytewise.text) == responses)
        for cut in stride(from: 1, to: bytes.count, by: 7) {
            var halves = try Conversation()
            halves.receive(Array(bytes[..<cut]))
            halves.receive(Array(bytes[cut...]))
            #expect(Self.withoutIdentifiers(halves.text) == responses, "\(cut)")
        }
    }

    @Test func `every response has a date, a length, nosniff and the request's identifier`() throws {
        var conversation = try Conversation()
        conversation.receive("GET /nothing HTTP/1.1\r\nHost: x\r\nX-Request-Id: my-id.1_2\r\n\r\n")
        let text = conversation.text
        #expect(text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(HTTPText.field("Date", text) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPText.field("X-Content-Type-Options", text) == "nosniff")
        #expect(HTTPText.field("X-Request-Id", text) == "my-id.1_2")
        #expect(HTTPText.field("Content-Type", text) == "application/problem+json")
        #expect(HTTPText.field("Content-Length", text) == HTTPText.body(text).map { String($0.utf8.count) })
        #expect(HTTPText.body(text)?.contains("\"requestId\":\"my-id.1_2\"") == true)
    }

    @Test func `an identifier that is unsuitable for logs is replaced`() throws {
        for name in ["", "a b", "a\"b", "ü", String(repeating: "a", count: 129)] {
            var conversation = try Conversation()
            conversation.receive("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: \(name)\r\n\r\n")
            let made = try #require(HTTPText.field("X-Request-Id", conversation.text))
            #expect(made != name && made.wholeMatch(of: /[0-9a-f]{24}/) != nil, "\(name)")
        }
    }

    @Test func `a response is buffered up to the commit bytes and streamed beyond`() throws {
        var configuration = ServerConfiguration()
        configuration.commitBytes = 1000
        configuration.maxBodyBytes = 0
        for (count, isStreamed) in [(499, false), (500, true), (200_000, true)] {
            // `[1,1,…,1]` has 2n + 1 bytes.
            let payload = "[" + String(repeating: "1,", count: count - 1) + "1]"
            var conversation = try Conversation(configuration)
            conversation.receive(HTTPText.post("/v1/minify", payload))
            #expect(conversation.text.contains("Transfer-Encoding: chunked") == isStreamed, "\(count)")
            #expect(HTTPText.body(conversation.text) == payload, "\(count)")
        }
    }

    @Test func `an error gives an error response, or cuts off a started response`()
        throws
    {
        var configuration = ServerConfiguration()
        configuration.commitBytes = 100
        var early = try Conversation(configuration)
        early.receive(HTTPText.post("/v1/minify", "[1,2,}" + String(repeating: " ", count: 500)))
        #expect(HTTPText.status(early.text) == 400)
        #expect(early.session.closing == nil)

        let long = "[" + String(repeating: "1,", count: 500)
        var late = try Conversation(configuration)
        let request = HTTPText.post("/v1/minify", long + "}")
        late.receive(String(request.dropLast()))
        late.receive("}")
        #expect(HTTPText.status(late.text) == 200)
        #expect(HTTPText.body(late.text) == nil)
        #expect(late.session.closing == .abort)
    }

    @Test func `no input is read while too much output waits`() throws {
        var configuration = ServerConfiguration()
        configuration.highWaterBytes = 10_000
        configuration.uploadHighWaterBytes = 0
        configuration.commitBytes = 1000
        let context = HTTPContext(configuration)
        let session = Session(context)
        let payload = "[" + String(repeating: "1,", count: 400_000) + "1]"
        let request = Array(HTTPText.post("/v1/minify", payload).utf8)
        let now = MonotonicTime(nanoseconds: 0)
        session.receive(request.span, at: now)
        // One slice of input may exceed the mark, but there is no second one.
        #expect(session.writeBuffer.count > configuration.highWaterBytes)
        #expect(session.writeBuffer.count < configuration.highWaterBytes + 2 * ReadBuffer.capacity)
        #expect(!session.wantsInput && !session.wantsToResume)
        #expect(session.activity == .sending(taken: 0))
    }

    @Test func `a profile that makes a large output of a small payload cannot fill the memory`() throws {
        // At depth 500 a scalar of two bytes becomes a line of 8,000: 60,000 bytes of them would be 240 MB.
        let payload = String(repeating: "[", count: 500) + String(repeating: "1,", count: 30_000)
        let form =
            "--b\r\nContent-Disposition: form-data; name=\"profile\"\r\n\r\n{\"output\":{\"indent\":16}}\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n\(payload)\r\n--b--\r\n"
        let envelope =
            "{\"profile\":{\"output\":{\"indent\":16}},\"payload\":\(payload)1\(String(repeating: "]", count: 500))}"
        let requests = [
            HTTPText.post("/v1/minify?indent=16", payload), HTTPText.post("/v1/convert", envelope),
            HTTPText.post("/v1/convert", form, type: "multipart/form-data; boundary=b"),
        ]
        for request in requests {
            let session = Session(HTTPContext(ServerConfiguration()))
            session.receive(Array(request.utf8).span, at: MonotonicTime(nanoseconds: 0))
            #expect(session.isCommitted)
            #expect(session.writeBuffer.count < 10_000_000)
        }
    }

    @Test func `a client that waits for 100 gets it once, or the final response`() throws {
        let head = "POST /v1/minify HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n"
        var accepted = try Conversation()
        accepted.receive(head + "\r\n")
        #expect(accepted.text == "HTTP/1.1 100 Continue\r\n\r\n")
        accepted.receive("[ ]")
        #expect(accepted.text.hasSuffix("\r\n\r\n[]"))
        #expect(accepted.text.matches(of: /HTTP\/1\.1/).count == 2)

        var refused = try Conversation()
        refused.receive(head + "Content-Type: text/plain\r\n\r\n")
        #expect(HTTPText.status(refused.text) == 415)
    }

    @Test func `timeouts end waiting connections, with 408 if a request has begun`() throws {
        let post = "POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n[1"
        let rows: [(received: String, activity: Activity, status: Int?)] = [
            ("", .idle(number: 0), nil), ("GET", .head(number: 0), 408), (post, .body(number: 1, transferred: 2), 408),
        ]
        for row in rows {
            var conversation = try Conversation()
            conversation.receive(row.received)
            #expect(conversation.session.activity == row.activity)
            conversation.session.expire(at: conversation.now)
            conversation.drain()
            #expect(HTTPText.status(conversation.text) == row.status)
            #expect(conversation.session.closing == .lingering)
        }
    }

    @Test func `a peer that has closed its sending side still gets its responses`() throws {
        var conversation = try Conversation()
        conversation.receive(HTTPText.post("/v1/minify", "[ ]") + String(HTTPText.post("/v1/minify", "[1]").dropLast()))
        conversation.end()
        #expect(conversation.text.contains("\r\n\r\n[]"))
        #expect(conversation.text.contains("\"torn-body\""))
        #expect(conversation.session.closing == .clean)
    }

    @Test func `after shutdown begins, the next response is the last`() throws {
        var conversation = try Conversation()
        conversation.session.closeAfterResponse()
        #expect(conversation.session.isIdle)
        conversation.receive(HTTPText.post("/v1/minify", "[ ]") + HTTPText.post("/v1/minify", "[ ]"))
        #expect(conversation.text.matches(of: /HTTP\/1\.1/).count == 1)
        #expect(HTTPText.field("Connection", conversation.text) == "close")
    }

    @Test func `a request that ends while too much waits to be sent still ends`() throws {
        var configuration = ServerConfiguration()
        configuration.highWaterBytes = 10_000
        configuration.commitBytes = 1000
        // `[1,1,…,1]` has 2n + 1 bytes: the last slice exceeds the mark, or there is only one.
        for count in [6_000, 50_000, 90_000] {
            let payload = "[" + String(repeating: "1,", count: count - 1) + "1]"
            var conversation = try Conversation(configuration)
            conversation.receive(HTTPText.post("/v1/minify", payload))
            #expect(HTTPText.body(conversation.text) == payload, "\(count)")
            #expect(conversation.session.isIdle)
        }
    }

    @Test func `a compressed body pauses while the output buffer is full`() throws {
        var configuration = ServerConfiguration()
        configuration.highWaterBytes = 10_000
        configuration.uploadHighWaterBytes = 0
        configuration.commitBytes = 1000
        var numbers = SeededGenerator(seed: 5)
        let digits = (0..<500_000).map { _ in String(UInt8.random(in: 0...9, using: &numbers)) }
        let coded = try PythonCoding.encode(Array("[ \(digits.joined(separator: " , ")) ]".utf8), .gzip)
        let expected = "[\(digits.joined(separator: ","))]"
        let head =
            "POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
        let request = Array(head.utf8) + coded
        var conversation = try Conversation(configuration)
        let session = conversation.session
        session.receive(request.span, at: conversation.now)
        // One portion may exceed the mark, but there is no second one, although the slice decodes to much more.
        #expect(session.writeBuffer.count > configuration.highWaterBytes)
        #expect(session.writeBuffer.count < configuration.highWaterBytes + 2 * ReadBuffer.capacity)
        #expect(!session.wantsInput && !session.wantsToResume)
        conversation.drain()
        #expect(HTTPText.body(conversation.text) == expected)
        #expect(session.isIdle)
    }

    @Test func `a streamed response is sent as far as its request has arrived`() throws {
        var configuration = ServerConfiguration()
        configuration.commitBytes = 1000
        let begun = "[" + String(repeating: "1,", count: 2000) + "2"
        for coding in ContentCoding.applied {
            var conversation = try Conversation(configuration)
            let request = HTTPText.post("/v1/minify", begun + ",3]", fields: ["Accept-Encoding: \(coding.name)"])
            conversation.receive(String(request.dropLast(3)))
            let end = try #require(conversation.output.firstRange(of: Array("\r\n\r\n".utf8)))
            let coded = try ReceivedResponse.unchunk(conversation.output[end.upperBound...], toEnd: false)
            // The number may continue, so everything except its digits has arrived.
            #expect(begun.utf8.starts(with: try PythonCoding.decode(beginning: coded, coding)))
            #expect(try PythonCoding.decode(beginning: coded, coding).count >= begun.utf8.count - 1)
            conversation.receive(String(request.suffix(3)))
            #expect(try ReceivedResponse(conversation.output).content() == Array((begun + ",3]").utf8))
        }
    }

    @Test func `conversions are timed, and a client that left before its response is logged with 499`() throws {
        var readings: Int64 = 0
        let context = HTTPContext(
            ServerConfiguration(),
            clock: {
                readings += 1
                return MonotonicTime(nanoseconds: readings * 420_000)
            })
        let session = Session(context)
        let pair = try SocketPair()
        session.receive(Array(HTTPText.post("/v1/minify", "[ ]").utf8).span, at: MonotonicTime(nanoseconds: 0))
        _ = session.send(on: pair.server)
        let response = String(decoding: pair.received(), as: UTF8.self)
        #expect(HTTPText.field("Server-Timing", response) == "convert;dur=0.42")
        session.receive(
            Array(HTTPText.post("/v1/minify", "[ ]").dropLast().utf8).span, at: MonotonicTime(nanoseconds: 0))
        session.connectionLost()
        #expect(context.accessLog.ended.map(\.status) == [200, 499])
        #expect(context.accessLog.ended.map(\.isAborted) == [false, true])
    }
}
