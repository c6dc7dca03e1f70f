import Dispatch
import HTTPServerTestSupport
import TestSupport
import Testing

@testable import Conversions
@testable import EventLoop
@testable import HTTPServer
@testable import Observability
@testable import Sockets
@testable import Telemetry

/// The amount of work that one connection may do before others get their turn.
struct SessionTurnTests {
    /// A session whose clock advances by 0.4 ms with each reading.
    private static func session() -> Session {
        var readings: Int64 = 0
        return Session(
            HTTPContext(
                ServerConfiguration(),
                clock: {
                    readings += 1
                    return MonotonicTime(nanoseconds: readings * 400_000)
                }))
    }

    /// Gives the session turns until it is done; returns their number and the output.
    private static func run(_ session: Session, _ input: [UInt8]) throws -> (turns: Int, output: String) {
        let pair = try SocketPair()
        var output: [UInt8] = []
        session.receive(input.span, at: session.context.clock())
        var turns = 1
        while session.wantsToResume || !session.writeBuffer.isEmpty {
            _ = session.send(on: pair.server)
            output += pair.received()
            guard session.wantsToResume else { continue }
            #expect(!session.wantsInput)
            session.resume(at: session.context.clock())
            turns += 1
        }
        return (turns, String(decoding: output, as: UTF8.self))
    }

    @Test func `pipelined requests are handled a few at a time, in order`() throws {
        let requests = (0..<50).map { HTTPText.post("/v1/minify", "[ \($0) ]") }.joined()
        let (turns, output) = try Self.run(Self.session(), Array(requests.utf8))
        // A conversion reads the clock twice: a turn of 1 ms ends after the second request at the latest.
        #expect(turns >= 25)
        #expect(output.matches(of: /\r\n\r\n\[([0-9]+)\]/).compactMap { Int($0.1) } == Array(0..<50))
    }

    /// Each gets its response at its head; its body is read and discarded together with the next one.
    @Test func `pipelined requests with unneeded bodies are handled a few at a time`() throws {
        let request = "HEAD /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx"
        let (turns, output) = try Self.run(Self.session(), Array(String(repeating: request, count: 50).utf8))
        // The clock is read between two requests: three take more than a turn of 1 ms.
        #expect(turns >= 15)
        #expect(output.matches(of: /HTTP\/1.1 200 OK\r\n/).count == 50)
    }

    @Test func `envelopes, forms and compressed bodies are converted a few slices at a time`() throws {
        let payload = "[" + (0..<300_000).map { "\($0)" }.joined(separator: ",") + "]"
        let envelope = HTTPText.post("/v1/convert", "{\"profile\":{\"drop\":\"/*\"},\"payload\":\(payload)}")
        let (turns, output) = try Self.run(Self.session(), Array(envelope.utf8))
        #expect(turns >= 4)
        #expect(HTTPText.body(output) == "[]")

        let form =
            "--b\r\nContent-Disposition: form-data; name=\"profile\"\r\n\r\n{\"drop\":\"/a\"}\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n\(payload)\r\n--b--\r\n"
        let request = HTTPText.post("/v1/convert", form, type: "multipart/form-data; boundary=b")
        let (most, parts) = try Self.run(Self.session(), Array(request.utf8))
        #expect(most >= 4)
        let isConverted = HTTPText.body(parts) == payload
        #expect(isConverted)

        let coded = try PythonCoding.encode(Array(payload.utf8), .gzip)
        let head =
            "POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
        let (more, response) = try Self.run(Self.session(), Array(head.utf8) + coded)
        #expect(more >= 4)
        let isWhole = HTTPText.body(response) == payload
        #expect(isWhole)
    }

    @Test func `a body in chunks of a byte is converted a few chunks at a time`() throws {
        let payload = "[" + Array(repeating: "1", count: 3_200).joined(separator: ",") + "]"
        let head = "POST /v1/minify HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        let chunks = payload.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
        let (turns, output) = try Self.run(Self.session(), Array((head + chunks).utf8))
        // The conversion of a chunk reads the clock twice, so each check of the time ends the turn.
        #expect(turns >= payload.utf8.count / 2)
        #expect(HTTPText.body(output) == payload)
    }

    // MARK: Translation

    private static let form = "application/x-www-form-urlencoded"
    private static let value = String(repeating: "v", count: 1 << 20)

    @Test func `forms and property lists become JSON a few pieces at a time`() throws {
        // A piece reads the clock three times, so two pieces of 16 KiB take more than a turn.
        let least = Self.value.utf8.count / (3 * 16 * 1024)
        let rows: [(body: String, type: String, status: Int, text: String?)] = [
            ("a=\(Self.value)", Self.form, 200, "{\"a\":\"\(Self.value)\"}"),
            // The only output is the error in its last byte.
            ("a=\(Self.value)%", Self.form, 400, nil),
            ("<plist><string>\(Self.value)</string></plist>", "application/x-plist", 200, "\"\(Self.value)\""),
            ("<plist><!-- \(Self.value) --><true/></plist>", "application/x-plist", 200, "true"),
        ]
        for row in rows {
            let (turns, output) = try Self.run(
                Self.session(), Array(HTTPText.post("/v1/minify", row.body, type: row.type).utf8))
            #expect(turns >= least, "\(row.body.prefix(20))")
            #expect(HTTPText.status(output) == row.status)
            // The text is not shown on failure, because it is long.
            let isWhole = row.text.map { HTTPText.body(output) == $0 } ?? true
            #expect(isWhole, "\(row.body.prefix(20))")
        }
        // This response waits for its end, so that it can contain its duration: two readings for each piece.
        let list = "<plist><!-- \(Self.value) --><true/></plist>"
        let (_, output) = try Self.run(
            Self.session(), Array(HTTPText.post("/v1/minify", list, type: "application/x-plist").utf8))
        let timing = try #require(HTTPText.field("Server-Timing", output)?.split(separator: "=").last)
        #expect(try #require(Double(timing)) >= 0.4 * Double(Self.value.utf8.count / (16 * 1024)))
    }

    @Test func `a request after a long form's last byte is handled before the form`() throws {
        let first = Self.session()
        let second = Session(first.context)
        first.receive(
            Array(HTTPText.post("/v1/minify", "a=\(Self.value)%", type: Self.form).utf8).span,
            at: first.context.clock())
        #expect(first.writeBuffer.isEmpty && first.wantsToResume)
        let (turns, output) = try Self.run(second, Array(HTTPText.post("/v1/minify", "[ 1 ]").utf8))
        #expect(turns == 1 && HTTPText.body(output) == "[1]")
        var rest = 0
        while first.wantsToResume {
            #expect(first.writeBuffer.isEmpty)
            first.resume(at: first.context.clock())
            rest += 1
        }
        #expect(rest > 10 && !first.writeBuffer.isEmpty)
    }

    @Test func `a disconnect ends the translation, and a shutdown waits for it`() throws {
        let request = Array(HTTPText.post("/v1/minify", "a=\(Self.value)", type: Self.form).utf8)
        let gone = Self.session()
        gone.receive(request.span, at: gone.context.clock())
        // All input is read first, one slice in each turn; after that the session no longer waits for the client.
        while gone.activity != .none { gone.resume(at: gone.context.clock()) }
        #expect(gone.wantsToResume && gone.context.converters.count == 0)
        gone.connectionLost()
        #expect(!gone.wantsToResume && gone.exchange == nil && gone.context.converters.count == 1)

        let session = Self.session()
        session.receive(request.span, at: session.context.clock())
        while session.activity != .none { session.resume(at: session.context.clock()) }
        session.closeAfterResponse()
        #expect(!session.isIdle)
        let (_, output) = try Self.run(session, [])
        #expect(HTTPText.status(output) == 200 && HTTPText.field("Connection", output) == "close")
        #expect(output.hasSuffix("vvv\"}") || output.contains("vvv\"}\r\n0\r\n"))
    }

    @Test func `a request after a form on one connection waits for the form's response`() throws {
        let requests =
            HTTPText.post("/v1/minify", "a=\(Self.value)%", type: Self.form) + HTTPText.post("/v1/minify", "[ 1 ]")
        let (_, output) = try Self.run(Self.session(), Array(requests.utf8))
        #expect(output.matches(of: /HTTP\/1.1 ([0-9]+)/).map(\.1) == ["400", "200"])
    }

    // MARK: Buffered objects

    @Test func `a large buffered object is written in pieces while other clients get responses`() throws {
        let members = (0..<6_000).map { "\"k\($0 * 37 % 6_007)\":\"\(String(repeating: "v", count: 500))\"" }
        let sorted = members.sorted { $0.prefix(10).utf8.lexicographicallyPrecedes($1.prefix(10).utf8) }
        let rows: [(profile: String, members: [String])] = [
            (#"{"move":{"/a":"/b/c"}}"#, members + ["\"b\":{\"c\":1}"]),
            (#"{"output":{"sortKeys":true}}"#, ["\"a\":1"] + sorted),
        ]
        for row in rows {
            let payload = "{\"a\":1,\(members.joined(separator: ","))}"
            let request = HTTPText.post("/v1/convert", "{\"profile\":\(row.profile),\"payload\":\(payload)}")
            let first = Self.session()
            first.receive(Array(request.utf8).span, at: first.context.clock())
            while Self.conversion(of: first)?.isWriting != true { first.resume(at: first.context.clock()) }
            #expect(first.writeBuffer.isEmpty && first.wantsToResume && !first.wantsInput)

            let second = Session(first.context)
            let (turns, output) = try Self.run(second, Array(HTTPText.post("/v1/minify", "[ 1 ]").utf8))
            #expect(turns == 1 && HTTPText.body(output) == "[1]")
            #expect(Self.conversion(of: first)?.isWriting == true)

            // While the client reads nothing, the output stays within the limit.
            while first.wantsToResume { first.resume(at: first.context.clock()) }
            #expect(Self.conversion(of: first)?.isWriting == true && first.isFull)
            let configuration = first.context.configuration
            #expect(first.writeBuffer.count < configuration.commitBytes + configuration.highWaterBytes)
            let (more, response) = try Self.run(first, [])
            #expect(more > 20)
            let isWhole = HTTPText.body(response) == "{\(row.members.joined(separator: ","))}"
            #expect(isWhole, "\(row.profile)")
        }
    }

    private static func conversion(of session: Session) -> PayloadConversion? {
        (session.exchange as? ServiceExchange)?.conversion
    }

    /// A session at the end of a large `HeldObject`, and the work that it has passed to another thread.
    private static func sessionWithWorkAway(members count: Int = 12_000) throws -> (
        Session, HeldObjectWork, expected: String
    ) {
        let members = (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",")
        let profile = #"{"move":{"/a":"/b"},"on":{"collision":"first"}}"#
        let request = HTTPText.post("/v1/convert", #"{"profile":\#(profile),"payload":{"a":1,\#(members)}}"#)
        let session = Self.session()
        var works: [HeldObjectWork] = []
        // As in a worker, the loop's way to start work is known before a session has its token.
        session.context.heldWork = { work, _ in works.append(work) }
        session.token = PollToken(rawValue: 3)
        session.receive(Array(request.utf8).span, at: session.context.clock())
        while session.wantsToResume { session.resume(at: session.context.clock()) }
        #expect(works.count == 1)
        return (session, try #require(works.first), "{\(members),\"b\":1}")
    }

    @Test func `a connection waits while a large buffered object is processed outside the loop`() async throws {
        let (session, work, expected) = try Self.sessionWithWorkAway()
        #expect(session.exchange?.isAway == true && session.writeBuffer.isEmpty)
        #expect(!session.wantsInput && session.activity == .none)
        await withCheckedContinuation { done in work.perform { done.resume() } }
        session.take(work)
        #expect(session.exchange?.isAway != true)
        let (_, output) = try Self.run(session, [])
        let isWhole = HTTPText.body(output) == expected
        #expect(isWhole)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a buffered object of ordinary size does not wait behind a very large one`() async throws {
        let (_, large, _) = try Self.sessionWithWorkAway(members: 80_000)
        let (_, ordinary, _) = try Self.sessionWithWorkAway()
        let gate = DispatchSemaphore(value: 0)
        large.perform { _ = gate.wait(timeout: .now() + 60) }
        await withCheckedContinuation { done in ordinary.perform { done.resume() } }
        gate.signal()
    }

    @Test func `a result for a client that disconnected reaches no other client`() throws {
        let (session, work, _) = try Self.sessionWithWorkAway()
        session.connectionLost()
        let next = Session(session.context)
        next.take(work)
        let (_, output) = try Self.run(next, Array(HTTPText.post("/v1/minify", "[ 1 ]").utf8))
        #expect(HTTPText.body(output) == "[1]")
    }

    @Test func `one request with its whole body is handled in one turn`() throws {
        #expect(try Self.run(Self.session(), Array(HTTPText.post("/v1/minify", "[ 1 ]").utf8)).turns == 1)
    }
}
