import TestSupport
import Testing

@testable import ConvertServer

/// Upstreams that send anything: the gateway responds or resets in time, keeps running, and serves the next request.
///
/// The responses are well-formed ones with some bytes replaced, removed, inserted or cut off, from a fixed seed.
struct GatewayFuzzTests {
    private static let caseCount = 150
    private static let json = #"{"firstName":"Ada","list":[1,2,{"firstName":null}]}"#
    private static let hint = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    /// The inserted pieces: parts of framing and heads.
    private static let pieces = [
        "\r\n", "\n", "\r", "0", "ffffffffffffffff", ":", " ", "\0", "Content-Length: 3\r\n",
        "Transfer-Encoding: chunked\r\n", "Connection: close, ETag\r\n", "\r\n\r\n", "HTTP/1.1 200 OK\r\n",
        "Content-Encoding: gzip\r\n", "Upgrade: websocket\r\n", hint,
    ].map { Array($0.utf8) }

    /// A well-formed response.
    private static func response(_ random: inout SeededGenerator) -> [UInt8] {
        let long = "[" + Array(repeating: json, count: 2000).joined(separator: ",") + "]"
        let body = [json, json, long, "", "<html>", json + "\n" + json + "\n"].randomElement(using: &random) ?? ""
        let status = [200, 200, 200, 204, 206, 304, 404, 500, 101, 103].randomElement(using: &random) ?? 200
        let type =
            ["application/json", "application/x-ndjson", "text/html", "application/problem+json"].randomElement(
                using: &random) ?? ""
        let hints = String(repeating: hint, count: [0, 0, 1, 11].randomElement(using: &random) ?? 0)
        let fields = ["ETag: \"a\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"]
        if Bool.random(using: &random) {
            let head = BackendScript.head(status, type: type, fields + ["Content-Length: \(body.utf8.count)"])
            return Array((hints + head + body).utf8)
        }
        var text = hints + BackendScript.head(status, type: type, fields + ["Transfer-Encoding: chunked"])
        var rest = body.utf8[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: 1...9000, using: &random))
            rest = rest.dropFirst(chunk.count)
            text += String(chunk.count, radix: 16) + "\r\n" + String(decoding: chunk, as: UTF8.self) + "\r\n"
        }
        return Array((text + "0\r\n\r\n").utf8)
    }

    /// Changes it at up to three positions, mostly in its head.
    private static func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
            let end = Bool.random(using: &random) ? bytes.count : min(bytes.count, 250)
            let position = Int.random(in: 0..<end, using: &random)
            let piece = pieces.randomElement(using: &random) ?? []
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[position] = piece[0]
            case 1: bytes.removeSubrange(position..<min(bytes.count, position + Int.random(in: 1...20, using: &random)))
            case 2: bytes.insert(contentsOf: piece, at: position)
            default: bytes.removeSubrange(position...)
            }
        }
        return bytes
    }

    @Test func `for any upstream response, the gateway responds or resets, and continues`()
        throws
    {
        let routes = #"""
            { "match": "/fail", "upstream": "shop", "response": { "profile": "mobile", "status": ["2xx", "4xx"] } },
            { "match": "/pass", "upstream": "shop", "response": { "profile": "mobile", "onError": "pass" } },
            { "match": "/plain", "upstream": "shop", "upgrade": ["websocket"] }
            """#
        let stage = try GatewayStage(
            routes: routes, upstream: #""responseTimeoutSeconds": 0.3, "bodyIdleSeconds": 0.3,"#)
        let endings: [BackendScript.Step?] = [nil, .close, .reset, .end]
        for seed in FuzzSeeds(usual: 20_261_121) {
            var random = SeededGenerator(seed: seed)
            for number in 0..<Self.caseCount {
                let bytes = Self.mutate(Self.response(&random), &random)
                let route = ["/fail", "/pass", "/plain"].randomElement(using: &random) ?? "/fail"
                let method = ["GET", "GET", "POST", "HEAD", "PUT"].randomElement(using: &random) ?? "GET"
                let path = "\(route)/\(number)"
                let ending = endings.randomElement(using: &random) ?? nil
                try stage.backend.script(path, BackendScript([.sendBytes(bytes)] + (ending.map { [$0] } ?? [])))
                let isBodied = method == "POST" || method == "PUT"
                let message = HTTPText.message("\(method) \(path)", body: isBodied ? "a body" : nil, isLast: true)
                let client = try stage.client()
                try client.send(message)
                do {
                    let response = try client.finalResponse(toHead: method == "HEAD")
                    // A response that is not complete ends with a reset.
                    #expect(response.isWhole || response.ending == .reset, "case \(number): \(response.ending)")
                    #expect(response.message.values("X-Request-Id").count == 1, "case \(number)")
                } catch let nothing as GatewayClient.Nothing {
                    #expect(nothing.ending == .reset, "case \(number): \(nothing.ending)")
                }
                #expect(try stage.ask("GET /plain/good").text == "ok", "after case \(number)")
            }
        }
        #expect(!stage.server.hasEnded)
    }
}
