import HTTPServerTestSupport
import TestSupport
import Testing

@testable import HTTPServer

/// Damaged requests on a whole connection: framing, routes, compression and conversion together.
struct SessionFuzzTests {
    private static let rounds = 60

    /// The statuses that a damaged request may get: those in `openapi.yaml` and those of the wire errors.
    private static let statuses: Set<Int> = [
        200, 204, 400, 404, 405, 406, 408, 413, 414, 415, 417, 421, 422, 431, 501, 505,
    ]

    /// Bytes that matter to framing, routes and payloads; they find more errors than random bytes.
    private static let pieces = [
        "\r\n", "\r", "\n", "\0", " ", ":", ",", "\"", "\\", "[", "]", "{", "}", "0", "1e9", "\u{FEFF}", "\\ud800", "%",
        "?", "/",
        "GET", "HEAD", "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n", "Connection: close\r\n", "0\r\n\r\n",
        "Expect: 100-continue\r\n", "Content-Encoding: gzip\r\n", "Accept-Encoding: deflate\r\n", "Accept: a/b\r\n",
        "?keys=snake_case", "?dates=rfc3339", "/v1/minify", "HTTP/1.0",
    ].map { Array($0.utf8) }

    private static func conversations() throws -> [[UInt8]] {
        let payload = #"{"a_b": [1.50, "2024-03-01T12:00:00+02:00", {"é": null}], "long_name": "\u00e9\ud83d\ude00"}"#
        let follower = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        let request = #"{"profile":{"keys":"camelCase"},"payload":\#(payload)}"#
        let chunked = "POST /v1/minify HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
        let texts = [
            HTTPText.post("/v1/minify", payload, fields: ["Accept-Encoding: gzip"]),
            HTTPText.post("/v1/normalize?keys=camelCase&dates=rfc3339", payload),
            HTTPText.post("/v1/convert", request),
            HTTPText.post("/v1/minify", "{\"a\":1}\n[2]\n\n3\n", type: "application/x-ndjson"),
            HTTPText.post("/v1/normalize?keys=camelCase", "a_b=1&a_b=2", type: "application/x-www-form-urlencoded"),
            HTTPText.post("/v1/minify", payload, fields: ["Expect: 100-continue"]),
            HTTPText.post("/v1/profiles/check", #"{"version": 1, "keys": {"to": "camelCase"}}"#),
            chunked + "\r\n4;x=y\r\n[1, \r\n3\r\n2 ]\r\n0\r\nA: b\r\n\r\n",
            "HEAD /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET http://x/v1/profiles HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        ]
        let coded = try PythonCoding.encode(Array(payload.utf8), .gzip)
        let head = "POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
        let codedRequest = Array("\(head)Content-Length: \(coded.count)\r\n\r\n".utf8) + coded
        return (texts.map { Array($0.utf8) } + [codedRequest]).map { $0 + Array(follower.utf8) }
    }

    @Test func `a damaged request gets the same response for any cuts, never a server error`() throws {
        var seen: Set<Int> = []
        for seed in FuzzSeeds(usual: 14) {
            var numbers = SeededGenerator(seed: seed)
            for conversation in try Self.conversations() {
                for _ in 0..<Self.rounds {
                    let bytes = numbers.damaged(conversation, inserting: Self.pieces)
                    let whole = try Self.responses(to: bytes, cuts: [])
                    let statuses = Self.statuses(in: whole.text)
                    seen.formUnion(statuses)
                    #expect(
                        Self.statuses.isSuperset(of: statuses), "\(statuses) \(String(decoding: bytes, as: UTF8.self))")
                    let cut = Int.random(in: 0...bytes.count, using: &numbers)
                    for cuts in [[cut], Array(0..<bytes.count)] {
                        let again = try Self.responses(to: bytes, cuts: cuts)
                        let isAlike =
                            Self.dependsOnArrival(bytes)
                            ? Self.statuses(in: again.text).first == statuses.first : again == whole
                        #expect(isAlike, "\(String(decoding: bytes, as: UTF8.self))")
                    }
                }
            }
        }
        // The damage reaches all layers: some conversions succeed, and there are errors in framing, routes, compression and payloads.
        #expect(seen.isSuperset(of: [200, 400, 404, 405, 415, 501, 505]), "\(seen)")
    }

    @Test func `the streamed response to a damaged request ends correctly or with the connection`() throws {
        var configuration = ServerConfiguration()
        configuration.commitBytes = 16
        configuration.highWaterBytes = 64
        configuration.uploadHighWaterBytes = 0
        var endings: Set<String> = []
        for seed in FuzzSeeds(usual: 12) {
            var numbers = SeededGenerator(seed: seed)
            for conversation in try Self.conversations() {
                for _ in 0..<Self.rounds {
                    let bytes = numbers.damaged(conversation, inserting: Self.pieces)
                    let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &numbers) }.sorted()
                    let responses = try Self.responses(to: bytes, cuts: cuts, configuration)
                    endings.insert(responses.closing)
                    #expect(Self.statuses.isSuperset(of: Self.statuses(in: responses.text)))
                }
            }
        }
        #expect(endings.count >= 3, "\(endings)")
    }

    /// The responses on one connection, without the parts that differ between connections, and how it ended.
    private struct Responses: Equatable {
        var text: String
        var closing: String
    }

    private static func responses(
        to bytes: [UInt8], cuts: [Int], _ configuration: ServerConfiguration = ServerConfiguration()
    ) throws -> Responses {
        var conversation = try Conversation(configuration)
        var start = 0
        for end in cuts + [bytes.count] {
            if conversation.session.closing == nil { conversation.receive(Array(bytes[start..<end])) }
            start = end
        }
        if conversation.session.closing == nil { conversation.end() }
        let closing = conversation.session.closing.map { "\($0)" } ?? "open"
        // Whether a client gets a 100 depends on whether its body has already arrived: RFC 9110 §10.1.1.
        let text = conversation.text
            .replacing("HTTP/1.1 100 Continue\r\n\r\n", with: "")
            .replacing(/"requestId":"[0-9a-f]+"/, with: "").replacing(/X-Request-Id: [0-9a-f]+\r\n/, with: "")
        return Responses(text: text, closing: closing)
    }

    /// Whether more than the first status may depend on how many bytes arrive at once. A refused client that waits for 100 may never send
    /// its body, which ends the connection; a compressed body with two errors may report either.
    private static func dependsOnArrival(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        return text.contains("expect") || text.contains("content-encoding")
    }

    private static func statuses(in text: String) -> [Int] {
        text.matches(of: #/HTTP/1\.1 ([0-9]{3}) /#).compactMap { Int($0.1) }
    }
}
