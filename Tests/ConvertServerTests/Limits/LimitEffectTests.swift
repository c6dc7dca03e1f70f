import HTTPServerTestSupport
import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPServer
@testable import Sockets

/// Each limit on the bytes of a request: a request at the limit is served, and a request just above it is refused.
struct LimitEffectTests {
    private struct Row: Sendable {
        let option: String
        let limit: Int
        /// The request with this size in the unit of the limit.
        let request: @Sendable (Int) throws -> [UInt8]
        let status: Int
        let code: String

        init(
            _ option: String, _ limit: Int, _ status: Int, _ code: String,
            _ request: @escaping @Sendable (Int) throws -> [UInt8]
        ) {
            self.option = option
            self.limit = limit
            self.request = request
            self.status = status
            self.code = code
        }

        /// A row whose request is text.
        static func text(
            _ option: String, _ limit: Int, _ status: Int, _ code: String,
            _ request: @escaping @Sendable (Int) -> String
        ) -> Row {
            Row(option, limit, status, code) { Array(request($0).utf8) }
        }
    }

    private static func filled(_ count: Int, _ character: Character = "a") -> String {
        String(repeating: character, count: count)
    }

    private static let line = "GET /healthz HTTP/1.1\r\n"
    private static let host = "Host: x\r\n"

    private static let rows: [Row] = [
        // The line without its CRLF: `GET /healthz?` and ` HTTP/1.1` are 22 bytes.
        .text("max-request-line-bytes", 100, 414, "request-line-too-long") {
            "GET /healthz?\(filled($0 - 22)) HTTP/1.1\r\n\(host)\r\n"
        },
        // The line and all fields with their CRLFs, and the empty line: 23, 9, 8 and 2 bytes without the fill.
        .text("max-head-bytes", 1000, 431, "head-too-long") {
            let half = ($0 - 23 - 9 - 2) / 2
            return "\(line)\(host)A: \(filled(half - 5))\r\nB: \(filled($0 - 23 - 9 - 2 - half - 5))\r\n\r\n"
        },
        // One field without its CRLF.
        .text("max-field-bytes", 200, 431, "field-too-long") { "\(line)\(host)A: \(filled($0 - 3))\r\n\r\n" },
        .text("max-fields", 5, 431, "too-many-fields") { count in
            "\(line)\(host)\((1..<count).map { "A\($0): b\r\n" }.joined())\r\n"
        },
        .text("max-body-bytes", 50, 413, "body-too-long") { HTTPText.post("/v1/minify", "\"\(filled($0 - 2))\"") },
        .text("max-body-bytes", 50, 413, "body-too-long") { count in
            "POST /v1/minify HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
                + "\"\(filled(count - 2))\"".map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
        },
        Row("max-body-bytes", 50_000, 413, "decoded-body-too-long") { count in
            try coded("\"\(filled(count - 2))\"")
        },
        .text("max-depth", 20, 400, "limit") {
            HTTPText.post("/v1/minify", filled($0, "[") + filled($0, "]"))
        },
        .text("max-key-bytes", 30, 400, "limit") {
            HTTPText.post("/v1/normalize?keys=camelCase", "{\"\(filled($0))\":1}")
        },
        .text("max-profile-bytes", 60, 413, "profile-too-long") {
            HTTPText.post("/v1/profiles/check", "{\"drop\":\"/\(filled($0 - 12))\"}")
        },
    ]

    private static func configuration(_ flags: [String: Int]) throws -> ServerConfiguration {
        let settings = Settings(
            flags: flags.mapValues { [String($0)] }, environment: ProcessEnvironment { _ in nil })
        return try ServerConfiguration(settings)
    }

    @Test func `a request at a limit is accepted, and one more is refused`() throws {
        for row in Self.rows {
            for (measure, status) in [(row.limit, 200), (row.limit + 1, row.status)] {
                var conversation = try Conversation(Self.configuration([row.option: row.limit]))
                conversation.receive(try row.request(measure))
                #expect(HTTPText.status(conversation.text) == status, "\(row.option) \(measure)")
                let isRefused = conversation.text.contains("\"code\":\"\(row.code)\"")
                #expect(isRefused == (status != 200), "\(row.option) \(measure)")
            }
        }
    }

    @Test func `without its own limit, a field may be as long as the head`() throws {
        var conversation = try Conversation(Self.configuration(["max-head-bytes": 100_000]))
        conversation.receive("\(Self.line)\(Self.host)A: \(Self.filled(90_000))\r\n\r\n")
        #expect(HTTPText.status(conversation.text) == 200)
    }

    @Test func `for bodies and requests, 0 means no limit`() throws {
        var conversation = try Conversation(Self.configuration(["max-body-bytes": 0]))
        // The announced length exceeds the default limit; the body that would exceed it is not sent.
        conversation.receive(
            "POST /v1/minify HTTP/1.1\r\n\(Self.host)Content-Length: 100000000000\r\nExpect: 100-continue\r\n\r\n")
        #expect(HTTPText.status(conversation.text) == 100)
        var busy = try Conversation(Self.configuration(["max-requests-per-connection": 0]))
        for _ in 0..<1000 { busy.receive("\(Self.line)\(Self.host)\r\n") }
        #expect(busy.text.matches(of: /HTTP\/1\.1 200/).count == 1000)
        #expect(busy.session.closing == nil)
    }

    @Test func `the response to a connection's last allowed request has Connection: close`() throws {
        let requests = String(repeating: "\(Self.line)\(Self.host)\r\n", count: 5)
        for limit in [1, 3, 5, 6] {
            var conversation = try Conversation(Self.configuration(["max-requests-per-connection": limit]))
            conversation.receive(requests)
            let responses = min(limit, 5)
            #expect(conversation.text.matches(of: /HTTP\/1\.1 200/).count == responses)
            #expect(conversation.text.matches(of: /Connection: close/).count == (limit <= 5 ? 1 : 0))
            #expect((conversation.session.closing == nil) == (limit > 5))
        }
    }

    @Test func `a body with a high compression ratio is refused, and the ratio can be set`() throws {
        let request = try Self.coded("\"\(Self.filled(2 << 20))\"")
        // The ratio of 2 MiB to the compressed size; the head of the request lowers it only a little.
        let ratio = (2 << 20) / request.count
        for (limit, status) in [(ratio / 2, 413), (ratio * 4, 200)] {
            var conversation = try Conversation(Self.configuration(["max-decoded-ratio": limit]))
            conversation.receive(request)
            #expect(HTTPText.status(conversation.text) == status, "\(limit)")
            #expect(conversation.text.contains("compression-ratio-too-high") == (status == 413))
        }
    }

    private static func coded(_ content: String) throws -> [UInt8] {
        let body = try PythonCoding.encode(Array(content.utf8), .gzip)
        let head =
            "POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}
