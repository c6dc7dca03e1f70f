import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPSemantics
@testable import Sockets
@testable import Text

/// Compression by the built program; Python and curl check both directions.
@Suite(.serialized) struct CodedServerTests {
    /// A payload of `count` members with white space, and the minified payload.
    private static func payload(_ count: Int) -> (sent: [UInt8], minified: [UInt8]) {
        var generator = SeededGenerator(seed: 11)
        let values = (0..<count).map { _ in UInt32.random(in: 0...UInt32.max, using: &generator) }
        let sent = "[ " + values.map { "{ \"number\" : \($0) }" }.joined(separator: " , ") + " ]"
        let minified = "[" + values.map { "{\"number\":\($0)}" }.joined(separator: ",") + "]"
        return (Array(sent.utf8), Array(minified.utf8))
    }

    private static func request(
        _ body: [UInt8], coding: String? = nil, accepting: String? = nil, isLast: Bool = true
    ) -> [UInt8] {
        var lines = ["POST /v1/minify HTTP/1.1", "Host: x", "Content-Length: \(body.count)"]
        if let coding { lines.append("Content-Encoding: \(coding)") }
        if let accepting { lines.append("Accept-Encoding: \(accepting)") }
        if isLast { lines.append("Connection: close") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private static func ask(_ server: LiveServer, _ request: [UInt8], isBytewise: Bool = false) throws
        -> ReceivedResponse
    {
        let client = try RawClient(server.address)
        if isBytewise {
            for byte in request { try client.send([byte]) }
        } else {
            // Sends while it reads, since the response begins before the request has ended.
            let sender = Background { try? client.send(request) }
            defer { sender.wait() }
            return try ReceivedResponse(client.receiveAll())
        }
        return try ReceivedResponse(client.receiveAll())
    }

    private static func get(_ server: LiveServer, _ path: String, _ accepting: String?, _ method: String = "GET") throws
        -> ReceivedResponse
    {
        let field = accepting.map { "Accept-Encoding: \($0)\r\n" } ?? ""
        let client = try RawClient(server.address)
        try client.send("\(method) \(path) HTTP/1.1\r\nHost: x\r\n\(field)Connection: close\r\n\r\n")
        return try ReceivedResponse(client.receiveAll(), toHead: method == "HEAD")
    }

    @Test func `requests and responses work in every compression, buffered and streamed`() throws {
        let server = try LiveServer()
        for (count, isStreamed) in [(200, false), (100_000, true)] {
            let (sent, minified) = Self.payload(count)
            for format in PythonCoding.Format.allCases {
                let coded = try PythonCoding.encode(sent, format)
                for accepting in ContentCoding.applied.map(\.name) + ["identity"] {
                    let response = try Self.ask(
                        server, Self.request(coded, coding: format.coding.name, accepting: accepting))
                    #expect(response.status == 200)
                    #expect(response["Content-Encoding"] == (accepting == "identity" ? nil : accepting))
                    #expect(response["Vary"] == "Accept-Encoding")
                    #expect((response["Transfer-Encoding"] == "chunked") == isStreamed)
                    #expect(try response.content() == minified, "\(count) \(format) \(accepting)")
                    if accepting != "identity" { #expect(response.body.count < minified.count) }
                }
            }
        }
    }

    @Test func `a compressed body may arrive byte by byte`() throws {
        let server = try LiveServer()
        let (sent, minified) = Self.payload(200)
        for format in PythonCoding.Format.allCases {
            let coded = try PythonCoding.encode(sent, format)
            let request = Self.request(coded, coding: format.coding.name, accepting: "gzip")
            #expect(try Self.ask(server, request, isBytewise: true).content() == minified)
        }
    }

    @Test func `every kind of body may be compressed`() throws {
        let server = try LiveServer()
        let form =
            "--b\r\nContent-Disposition: form-data; name=\"profile\"\r\n\r\n{\"keys\":\"camelCase\"}\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"payload\"\r\n\r\n{\"a_b\": 1}\r\n--b--\r\n"
        let rows = [
            ("/v1/convert", "multipart/form-data; boundary=b", form, "{\"aB\":1}"),
            (
                "/v1/convert", "application/json", "{\"profile\":{\"keys\":\"camelCase\"},\"payload\":{\"a_b\": 1}}",
                "{\"aB\":1}"
            ),
            ("/v1/minify", "application/x-ndjson", "{ }\n[ ]\n", "{}\n[]\n"),
        ]
        for (path, type, body, expected) in rows {
            let coded = try PythonCoding.encode(Array(body.utf8), .gzip)
            let head =
                "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Type: \(type)\r\nContent-Encoding: gzip\r\n"
                + "Content-Length: \(coded.count)\r\nConnection: close\r\n\r\n"
            #expect(try Self.ask(server, Array(head.utf8) + coded).body == Array(expected.utf8))
        }
        let checked = try PythonCoding.encode(Array("{\"keys\":\"camelCase\"}".utf8), .deflate)
        let head =
            "POST /v1/profiles/check HTTP/1.1\r\nHost: x\r\nContent-Encoding: deflate\r\n"
            + "Content-Length: \(checked.count)\r\nConnection: close\r\n\r\n"
        let report = try Self.ask(server, Array(head.utf8) + checked)
        #expect(String(decoding: report.body, as: UTF8.self).contains("\"valid\":true"))
    }

    @Test func `curl reads the compression that it requested`() throws {
        let server = try LiveServer()
        let (sent, minified) = Self.payload(1000)
        let directory = try TemporaryDirectory()
        let headers = "\(directory.path)/headers"
        func curl(_ arguments: String...) throws -> [UInt8] {
            try ChildProcess(
                command: "curl", ["-s"] + arguments, input: .bytes(sent)
            ).run().output
        }
        let features = String(decoding: try curl("--version"), as: UTF8.self)
        let known = [ContentCoding.zstd: "zstd", .br: "brotli", .gzip: "libz", .deflate: "libz"]
        for coding in ContentCoding.applied {
            guard let feature = known[coding], features.contains(" \(feature)") else { continue }
            let weights = ContentCoding.applied.map { $0 == coding ? $0.name : "\($0.name);q=0.5" }
            let output = try curl(
                "--compressed", "-D", headers, "--data-binary", "@-", "-H", "Content-Type: application/json", "-H",
                "Accept-Encoding: \(weights.joined(separator: ", "))", "http://\(server.address)/v1/minify")
            #expect(output == minified, "\(coding)")
            let head = String(decoding: try InputFile(path: headers).readAll(maxBytes: 4096), as: UTF8.self)
            #expect(head.contains("Content-Encoding: \(coding.name)\r\n"))
        }
    }

    @Test func `a damaged or exploding body is refused and the server continues`() throws {
        let server = try LiveServer("--max-body-bytes", "1100000")
        let (sent, minified) = Self.payload(100)
        let gzip = try PythonCoding.encode(sent, .gzip)
        var corrupt = gzip
        // A changed bit in the trailer's checksum (RFC 1952 §2.3.1).
        corrupt[corrupt.count - 6] ^= .max
        let blanks = [UInt8](repeating: ASCII.space, count: 1_080_000)
        // The limit is reached before the response exceeds the bytes that are buffered.
        let tooLong = Self.payload(46_000).sent
        #expect(tooLong.count > 1_100_000)
        let rows: [(body: [UInt8], coding: String, status: Int, code: String)] = [
            (Array(gzip.dropLast()), "gzip", 400, "torn-coding"), ([], "gzip", 400, "torn-coding"),
            (corrupt, "gzip", 400, "corrupt-coding"), (sent, "gzip", 400, "corrupt-coding"),
            (gzip + [ASCII.zero], "gzip", 400, "trailing-bytes"),
            (try PythonCoding.encode(blanks, .gzip), "gzip", 413, "compression-ratio-too-high"),
            (try PythonCoding.encode(tooLong, .deflate), "deflate", 413, "decoded-body-too-long"),
            (gzip, "br", 415, "unsupported-coding"), (gzip, "gzip, gzip", 415, "unsupported-coding"),
        ]
        for row in rows {
            let response = try Self.ask(server, Self.request(row.body, coding: row.coding))
            #expect(response.status == row.status, "\(row.code)")
            let problem = String(decoding: response.body, as: UTF8.self)
            #expect(problem.contains("\"code\":\"\(row.code)\""), "\(problem)")
            #expect(!problem.contains("\"offset\""))
            #expect(response["Accept-Encoding"] == (row.status == 415 ? "gzip, deflate" : nil))
            #expect(try Self.ask(server, Self.request(gzip, coding: "gzip")).body == minified)
        }
    }

    @Test func `a request after a refused compressed body is not misread`() throws {
        let server = try LiveServer()
        let (sent, minified) = Self.payload(100)
        let torn = Array(try PythonCoding.encode(sent, .gzip).dropLast(9))
        let client = try RawClient(server.address)
        try client.send(Self.request(torn, coding: "gzip", isLast: false) + Self.request(sent, accepting: "gzip"))
        let bytes = try client.receiveAll()
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(HTTPText.status(text) == 400)
        let length = try #require(HTTPText.field("Content-Length", text).flatMap { Int($0) })
        let head = try #require(text.firstRange(of: "\r\n\r\n").map { text[..<$0.lowerBound].utf8.count })
        let next = try ReceivedResponse(Array(bytes[(head + 4 + length)...]))
        #expect(try next.content() == minified)
    }

    @Test func `an error after the start of a compressed response cuts it off`() throws {
        let server = try LiveServer()
        let (sent, minified) = Self.payload(100_000)
        for coding in ContentCoding.applied {
            let client = try RawClient(server.address)
            let request = Self.request(sent.dropLast() + [ASCII.openBrace], accepting: coding.name)
            let sender = Background { try? client.send(request) }
            var received: [UInt8] = []
            do {
                while case let bytes = try client.receive(), !bytes.isEmpty { received += bytes }
            } catch is RawClient.Failure {
                // The connection was reset, as expected.
            }
            sender.wait()
            #expect(throws: ReceivedResponse.Malformed.self) { try ReceivedResponse(received) }
            guard !received.isEmpty else { continue }
            let text = String(decoding: received, as: UTF8.self)
            let head = try #require(text.firstRange(of: "\r\n\r\n").map { text[..<$0.lowerBound].utf8.count })
            let coded = try ReceivedResponse.unchunk(received[(head + 4)...], toEnd: false)
            #expect(throws: PythonCoding.Failure.self) { try PythonCoding.decode(coded, coding) }
            #expect(minified.starts(with: try PythonCoding.decode(beginning: coded, coding)))
        }
    }

    @Test func `the client's weights choose the compression, and every response has Vary`() throws {
        let server = try LiveServer()
        let rows: [(accepting: String?, coding: String?)] = [
            (nil, nil), ("", nil), ("gzip", "gzip"), ("x-gzip", "gzip"), ("deflate", "deflate"),
            ("deflate, gzip", "gzip"), ("gzip;q=0.5, deflate;q=0.8", "deflate"), ("*", "gzip"),
            ("gzip;q=0, *", "deflate"), ("compress, exi", nil), ("identity, gzip;q=0.1", nil), ("GZIP;Q=1.000", "gzip"),
            ("identity;q=0, *;q=0.001", "gzip"), ("gzip;q=0, deflate;q=0", nil),
        ]
        let built = CodingSamples.builtIn.flatMap { coding -> [(accepting: String?, coding: String?)] in
            [
                ("gzip, deflate, \(coding.name)", coding.name), ("gzip, \(coding.name);q=0.9", "gzip"),
                ("*;q=0, \(coding.name);q=0.1", coding.name), ("\(coding.name);q=0, gzip;q=0.1", "gzip"),
            ]
        }
        for row in rows + built {
            let response = try Self.get(server, "/openapi.yaml", row.accepting)
            #expect(response.status == 200)
            #expect(response["Content-Encoding"] == row.coding, "\(row.accepting ?? "nothing")")
            #expect(response["Vary"] == "Accept, Accept-Encoding")
            #expect(try response.content() == PackageResources.openapi_yaml)
            let head = try Self.get(server, "/openapi.yaml", row.accepting, "HEAD")
            #expect(head.body.isEmpty)
            for name in ["Content-Encoding", "Content-Length", "Vary", "Content-Type"] {
                #expect(head[name] == response[name], "\(name)")
            }
        }
        for accepting in ["identity;q=0", "compress, *;q=0"] {
            let refused = try Self.get(server, "/openapi.yaml", accepting)
            #expect(refused.status == 406)
            #expect(refused["Vary"] == "Accept-Encoding")
            #expect(String(decoding: refused.body, as: UTF8.self).contains("\"not-acceptable\""))
            // A probe gets a response, whatever its fields are.
            let probe = try Self.get(server, "/healthz", accepting)
            #expect(probe.status == 200 && probe["Vary"] == nil && probe["Content-Encoding"] == nil)
        }
    }

    @Test func `short responses are compressed only for clients that accept nothing else`() throws {
        let server = try LiveServer()
        let rows: [(accepting: String, count: Int, coding: String?)] = [
            ("gzip", 1023, nil), ("gzip", 1024, "gzip"), ("gzip, identity;q=0", 2, "gzip"),
            ("deflate, *;q=0", 1023, "deflate"),
        ]
        let built = CodingSamples.builtIn.flatMap { coding -> [(accepting: String, count: Int, coding: String?)] in
            [(coding.name, 1023, nil), (coding.name, 1024, coding.name), ("\(coding.name), *;q=0", 2, coding.name)]
        }
        for row in rows + built {
            let payload = Array("\"\(String(repeating: "a", count: row.count - 2))\"".utf8)
            let response = try Self.ask(server, Self.request(payload, accepting: row.accepting))
            #expect(response["Content-Encoding"] == row.coding, "\(row.accepting) \(row.count)")
            #expect(try response.content() == payload)
        }
    }
}
