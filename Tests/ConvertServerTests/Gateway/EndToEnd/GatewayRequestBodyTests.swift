import Glibc
import HTTPSemantics
import TestSupport
import Testing

@testable import ConvertServer

/// How request bodies are converted on their way to the upstream.
struct GatewayRequestBodyTests {
    private static func route(_ members: String = "") -> String {
        #"{ "match": "/", "upstream": "shop", "request": { \#(members) "profile": "mobile" } }"#
    }

    private static let json = "Content-Type: application/json"

    @Test func `any method's eligible body is converted, and gets its own length`() throws {
        let stage = try GatewayStage(routes: Self.route())
        for method in ["POST", "PUT", "PATCH", "DELETE", "GET", "PURGE"] {
            for type in ["application/json", "application/vnd.x+json; charset=utf-8"] {
                let request = try stage.forwarded(
                    "\(method) /", "Content-Type: \(type)", "Content-MD5: x", "Digest: x", body: GatewayStage.ada.before
                )
                #expect(request.text == GatewayStage.ada.after, "\(method) \(type)")
                #expect(request["Content-Length"] == "12")
                #expect(request["Transfer-Encoding"] == nil)
                #expect(request["Content-Type"] == type)
                #expect(request["Content-MD5"] == nil && request["Digest"] == nil)
            }
        }
        let lines = try stage.forwarded(
            "POST /", "Content-Type: application/x-ndjson", body: "{\"firstName\": 1}\n\n{ \"firstName\":2}")
        #expect(lines.text.split(separator: "\n") == ["{\"fn\":1}", "{\"fn\":2}"])
        let chunked = try stage.forwarded(
            "POST /", Self.json, "Transfer-Encoding: chunked", body: "5\r\n{\"fir\r\nc\r\nstName\": 12}\r\n0\r\n\r\n")
        #expect(chunked.text == "{\"fn\":12}")
        #expect(chunked["Content-Length"] == "9")
    }

    @Test func `a body that cannot be converted passes unchanged, or is 415 if required`()
        throws
    {
        let body = GatewayStage.ada.before
        let loose = try GatewayStage(routes: Self.route())
        let strict = try GatewayStage(routes: Self.route(#""required": true,"#))
        let fields = ["Content-Type: text/plain", "X-None: 1", "Content-Type: application/json; charset=latin1"]
        for field in fields {
            let request = try loose.forwarded("POST /", field, "Digest: kept", body: body)
            #expect(request.text == body, "\(field)")
            #expect(request["Content-Length"] == "\(body.utf8.count)")
            #expect(request["Digest"] == "kept")
            let response = try strict.ask("POST /", field, body: body)
            #expect(response.status == 415, "\(field)")
            #expect(response["Content-Type"] == "application/problem+json")
        }
        let coded = try loose.forwarded("POST /", Self.json, "Content-Encoding: br", body: "xyz")
        #expect(coded.text == "xyz")
        #expect(coded["Content-Encoding"] == "br")
        #expect(try strict.ask("POST /", Self.json, "Content-Encoding: br", body: "xyz").status == 415)
        #expect(try strict.backend.requests.isEmpty)
        // An empty body counts as no body.
        #expect(try strict.forwarded("POST /", body: "").text == "")
        #expect(try strict.forwarded("GET /").text == "")
        #expect(try strict.forwarded("POST /", Self.json, body: "")["Content-Length"] == "0")
    }

    @Test func `compressed bodies are sent on converted and uncompressed`() throws {
        let stage = try GatewayStage(routes: Self.route())
        for format in [PythonCoding.Format.gzip, .deflate] {
            let coded = try PythonCoding.encode(Array(GatewayStage.ada.before.utf8), format)
            let client = try stage.client()
            try client.send(
                HTTPText.message(
                    "POST /",
                    [Self.json, "Content-Encoding: \(format.coding.name)", "Content-Length: \(coded.count)"]))
            try client.raw.send(coded)
            #expect(try client.finalResponse().whole.status == 200)
            let request = try stage.backend.lastRequest()
            #expect(request.text == GatewayStage.ada.after)
            #expect(request["Content-Encoding"] == nil)
            #expect(request["Content-Length"] == "12")
        }
    }

    @Test func `output up to 1 MiB and buffered bodies have a length, others are chunked`() throws {
        let small = "[\"" + String(repeating: "a", count: (1 << 20) - 4) + "\"]"
        let large = "[\"" + String(repeating: "a", count: 1 << 20) + "\"]"
        for (isBuffered, body, hasLength) in [(false, small, true), (false, large, false), (true, large, true)] {
            let stage = try GatewayStage(routes: Self.route(isBuffered ? #""buffer": true,"# : ""))
            let request = try stage.forwarded("POST /", Self.json, body: body)
            #expect(request.body.count == body.utf8.count)
            #expect(request["Content-Length"] == (hasLength ? "\(body.utf8.count)" : nil))
            #expect(request["Transfer-Encoding"] == (hasLength ? nil : "chunked"))
            #expect(request.isComplete)
        }
    }

    @Test func `an error is 400, 413 or 422, and the upstream gets nothing`() throws {
        let profile = #"{ "rename": { "a": "b" } }"#
        let stage = try GatewayStage(routes: Self.route(), profiles: ["mobile": profile], "--max-body-bytes", "1000")
        let rows = [
            ("{\"a\":", 400), ("[1,]", 400), (#"{"a": 1, "b": 2}"#, 422),
            ("\"\(String(repeating: "x", count: 1000))\"", 413),
        ]
        for (body, status) in rows {
            let response = try stage.ask("POST /", Self.json, body: body)
            #expect(response.status == status, "\(body.prefix(20))")
            #expect(response["Content-Type"] == "application/problem+json")
            #expect(response.text.contains("\"status\":\(status)"))
        }
        #expect(try stage.backend.requests.allSatisfy { !$0.isComplete || $0.body.isEmpty })
        // The limit also applies to chunked bodies and to bodies that are not converted.
        let chunked = "3f0\r\n\"\(String(repeating: "x", count: 1006))\"\r\n0\r\n\r\n"
        #expect(try stage.ask("POST /", Self.json, "Transfer-Encoding: chunked", body: chunked).status == 413)
        #expect(try stage.ask("POST /", "Content-Type: a/b", body: String(repeating: "x", count: 1001)).status == 413)
        #expect(try stage.ask("POST /", Self.json, body: "[1]").status == 200)
    }

    @Test func `a late error closes the upstream connection without a last chunk, unless buffered`() throws {
        let body = "[\"" + String(repeating: "a", count: 3 << 20) + "\"}"
        let streamed = try GatewayStage(routes: Self.route())
        let response = try streamed.exchange(HTTPText.message("POST /", [Self.json], body: body)).message
        #expect(response.status == 400)
        #expect(try streamed.backend.waitsForConnections(until: { $0.first.map { $0.state != .open } ?? false }))
        let connection = try #require(try streamed.backend.connections.first)
        #expect(!String(decoding: connection.received.suffix(200), as: UTF8.self).contains("\r\n0\r\n"))
        #expect(try streamed.backend.requests.first?.isComplete == false)
        #expect(try streamed.ask("POST /", Self.json, body: "[1]").status == 200)

        let buffered = try GatewayStage(routes: Self.route(#""buffer": true,"#))
        #expect(try buffered.exchange(HTTPText.message("POST /", [Self.json], body: body)).message.status == 400)
        #expect(try buffered.backend.requests.isEmpty)
    }

    @Test func `onError pass sends a body that cannot be converted unchanged`() throws {
        let stage = try GatewayStage(routes: Self.route(#""onError": "pass","#))
        let request = try stage.forwarded("POST /", Self.json, body: "{\"firstName\": 1,,}")
        #expect(request.text == "{\"firstName\": 1,,}")
        #expect(request["Content-Length"] == "18")
    }

    @Test func `a bomb is stopped by its ratio, though only after 1 MiB of output`() throws {
        let stage = try GatewayStage(routes: Self.route())
        for (count, status) in [(1 << 19, 200), (8 << 20, 413)] {
            let coded = try PythonCoding.encode(
                Array("\"\(String(repeating: "a", count: count))\"".utf8), .gzip, level: 9)
            #expect(count / coded.count > 500)
            let client = try stage.client()
            try client.send(
                HTTPText.message(
                    "POST /", [Self.json, "Content-Encoding: gzip", "Content-Length: \(coded.count)"]))
            try client.raw.send(coded)
            #expect(try client.finalResponse().message.status == status, "\(count)")
        }
    }

    @Test func `request bodies are limited to 64 MiB by default, and responses are not`() throws {
        let stage = try GatewayStage()
        let client = try stage.client()
        try client.send(HTTPText.message("POST /", ["Content-Length: 67108865"]))
        #expect(try client.finalResponse().message.status == 413)
        let allowed = try stage.client()
        try allowed.send(HTTPText.message("POST /", ["Content-Length: 67108864", "Expect: 100-continue"]))
        #expect(try allowed.head().status == 100)
    }

    @Test func `an empty body counts as no body, for any framing`() throws {
        let stage = try GatewayStage(routes: Self.route())
        for method in ["POST", "GET", "DELETE"] {
            let request = try stage.forwarded(
                "\(method) /", Self.json, "Transfer-Encoding: chunked", body: "0\r\n\r\n")
            #expect(request.isComplete && request.body.isEmpty && request["Content-Length"] == "0", "\(method)")
        }
        // White space is a body, but not valid JSON.
        #expect(
            try stage.ask("POST /", Self.json, "Transfer-Encoding: chunked", body: "1\r\n \r\n0\r\n\r\n").status == 400)
        let aborted = try stage.askAdmin("/metrics").text.split(separator: "\n").filter {
            !$0.hasPrefix("#") && $0.contains("aborted")
        }
        #expect(aborted.allSatisfy { $0.hasSuffix(" 0") }, "\(aborted)")
    }

    @Test func `unconverted bodies are streamed byte for byte`() throws {
        let stage = try GatewayStage()
        let body = String(repeating: "0123456789abcdef", count: 20_000)
        let sized = try stage.forwarded("PUT /", "Content-Type: application/octet-stream", body: body)
        #expect(sized.text == body)
        #expect(sized["Content-Length"] == "320000")
        let chunked = try stage.forwarded(
            "PUT /", "Transfer-Encoding: chunked", body: "4e200;ext=1\r\n\(body)\r\n0\r\nX-Trailer: 1\r\n\r\n")
        #expect(chunked.text == body)
        #expect(chunked["Transfer-Encoding"] == "chunked")
        let connection = try #require(try stage.backend.connections.last)
        let text = String(decoding: connection.received, as: UTF8.self)
        #expect(!text.contains("ext=1") && !text.contains("X-Trailer"))
    }
}
