import Testing

@testable import ConvertServer

/// What one connection may do before others have their turn.
struct SessionTurnTests {
    /// A session whose clock goes on by 0.4 ms with each reading.
    private static func session() -> Session {
        var readings: Int64 = 0
        return Session(
            LoopServices(
                ServerConfiguration(), MetricsRegistry(startedWall: 0, startedMonotonic: 0), LogSink(),
                clock: {
                    readings += 1
                    return MonotonicTime(nanoseconds: readings * 400_000)
                }))
    }

    /// Gives the session turn after turn, and returns how many there were and what it sent.
    private static func run(_ session: Session, _ input: [UInt8]) throws -> (turns: Int, output: String) {
        let pair = try SocketPair()
        var output: [UInt8] = []
        session.receive(input.span, at: session.services.clock())
        var turns = 1
        while session.wantsToResume || !session.outbox.isEmpty {
            _ = session.send(on: pair.server)
            output += pair.received()
            guard session.wantsToResume else { continue }
            #expect(!session.wantsInput)
            session.resume(at: session.services.clock())
            turns += 1
        }
        return (turns, String(decoding: output, as: UTF8.self))
    }

    @Test func `pipelined requests are answered a few at a time, in order`() throws {
        let requests = (0..<50).map { HTTPText.post("/v1/minify", "[ \($0) ]") }.joined()
        let (turns, output) = try Self.run(Self.session(), Array(requests.utf8))
        // A conversion reads the clock twice: a turn of 1 ms is over after the second request at the latest.
        #expect(turns >= 25)
        #expect(output.matches(of: /\r\n\r\n\[([0-9]+)\]/).compactMap { Int($0.1) } == Array(0..<50))
    }

    @Test func `envelopes, forms and coded bodies are converted a few slices at a time`() throws {
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
        let (more, answer) = try Self.run(Self.session(), Array(head.utf8) + coded)
        #expect(more >= 4)
        let isWhole = HTTPText.body(answer) == payload
        #expect(isWhole)
    }

    @Test func `one request with all of its body is answered in one turn`() throws {
        #expect(try Self.run(Self.session(), Array(HTTPText.post("/v1/minify", "[ 1 ]").utf8)).turns == 1)
    }
}
