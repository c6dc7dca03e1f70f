import FoundationEssentials
import HTTPServerTestSupport
import Testing

@testable import Gateway
@testable import HTTPSemantics
@testable import HTTPServer
@testable import Sockets
@testable import TestSupport
@testable import Text

/// The contents of a line of the access log, for requests that are served and for requests that are refused.
struct AccessLogTests {
    /// The log lines for the requests that a client sends at once.
    private func lines(
        _ requests: String, from client: String = "192.0.2.7", proxies: String = "",
        _ change: (inout ServerConfiguration) -> Void = { _ in }
    ) throws -> [AccessLogLine] {
        var configuration = ServerConfiguration()
        if !proxies.isEmpty {
            let isKnown = configuration.gateway.trustedProxies.insert(proxies)
            #expect(isKnown)
        }
        change(&configuration)
        let context = HTTPContext(configuration)
        context.accessLog.setWallTime(nanoseconds: 784_111_777_000_000_000)
        context.fields.setWallTime(nanoseconds: 784_111_777_000_000_000)
        let session = Session(context, from: .address(try #require(IPAddress(client))), isPublic: true)
        let now = MonotonicTime(nanoseconds: 0)
        session.receive(Array(requests.utf8).span, at: now)
        session.connectionLost()
        context.accessLog.recordEnds { now }
        return try context.accessLog.lines.split(separator: ASCII.lineFeed).map {
            try JSONDecoder().decode(AccessLogLine.self, from: Data($0))
        }
    }

    @Test(arguments: [("192.0.2.7", "", false), ("192.0.2.7", "192.0.2.0/24", true), ("127.0.0.1", "", true)])
    func `without routes, X-Request-Id is used from local programs and trusted proxies only`(
        client: String, proxies: String, isTaken: Bool
    ) throws {
        let request = "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Request-Id: chosen\r\n\r\n"
        let line = try #require(try lines(request, from: client, proxies: proxies).first)
        #expect((line.requestId == "chosen") == isTaken)
    }

    @Test func `a line has client, protocol, host, path, user agent, route and trace`() throws {
        let lines = try lines(
            """
            POST /v1/convert/nobody?secret=1 HTTP/1.1\r
            Host: api.example:8080\r
            User-Agent: curl/8.0 "x"\r
            traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r
            Authorization: secret\r
            Content-Length: 2\r
            \r
            {}
            """)
        var line = try #require(lines.first)
        #expect(line.requestId != nil)
        line.requestId = nil
        #expect(
            line
                == AccessLogLine(
                    client: "192.0.2.7", protocol: "HTTP/1.1", method: "POST", host: "api.example:8080",
                    path: "/v1/convert/nobody", userAgent: "curl/8.0 \"x\"",
                    traceId: "4bf92f3577b34da6a3ce929d0e0e4736", status: 400, code: "parameter", bytesIn: 0,
                    route: "/v1/convert/{profile}"))
    }

    @Test func `the log line of a refused request has the client and any route`() throws {
        let head = "Host: h\r\nUser-Agent: ua\r\n"
        let rows: [(request: String, status: Int, route: String, hasHead: Bool)] = [
            ("BAD\r\n\r\n", 400, "(unmatched)", false),
            ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "/healthz", true),
            ("GET /nothing HTTP/1.1\r\n\(head)\r\n", 404, "(unmatched)", true),
            ("GET /v1/minify HTTP/1.1\r\n\(head)\r\n", 405, "/v1/minify", true),
            ("POST /v1/minify HTTP/1.1\r\n\(head)Content-Length: 999\r\n\r\n", 413, "/v1/minify", true),
            (
                "POST /v1/minify HTTP/1.1\r\n\(head)Transfer-Encoding: chunked\r\n\r\nfff\r\n", 413, "/v1/minify",
                true
            ),
            ("GET /\(String(repeating: "a", count: 200)) HTTP/1.1\r\n\r\n", 414, "(unmatched)", true),
            (
                "POST /v1/minify HTTP/1.1\r\n\(head)Content-Type: text/plain\r\nContent-Length: 1\r\n\r\n1", 415,
                "/v1/minify", true
            ),
            ("POST /v1/minify HTTP/1.1\r\n\(head)Expect: more\r\n\r\n", 417, "/v1/minify", true),
            (
                "GET /healthz HTTP/1.1\r\n\(head)\(String(repeating: "A: b\r\n", count: 9))\r\n", 431, "/healthz",
                true
            ),
            ("GET /healthz HTTP/1.1\r\n\(head)\u{0}\r\n\r\n", 400, "/healthz", true),
            ("GET / HTTP/2.0\r\n\r\n", 505, "(unmatched)", true),
        ]
        for row in rows {
            let lines = try lines(row.request) {
                $0.maxBodyBytes = 100
                $0.maxRequestLineBytes = 100
                $0.maxFields = 8
            }
            #expect(lines.count == 1, "\(row.request)")
            let line = try #require(lines.first)
            #expect(line.status == row.status, "\(row.request)")
            #expect(line.client == "192.0.2.7", "\(row.request)")
            #expect(line.route == row.route, "\(row.request)")
            #expect((line.method != nil) == row.hasHead, "\(row.request)")
        }
    }

    @Test func `the log line of an early refused request has the parts that were read`() throws {
        let long = String(repeating: "a", count: 9000)
        let (http11, cut) = ("HTTP/1.1", "/" + String(repeating: "a", count: 2044) + "…")
        let rows: [(request: String, line: AccessLogLine)] = [
            ("PUT /\(long)?k=secret", AccessLogLine(method: "PUT", path: cut, status: 414)),
            ("GET /p?k=\(long)", AccessLogLine(method: "GET", path: "/p", status: 414)),
            ("GET /p HTTP/2.0\r\n", AccessLogLine(method: "GET", path: "/p", status: 505)),
            ("GET /p FTP/1.1\r\n", AccessLogLine(method: "GET", path: "/p", status: 400)),
            ("GET /a b HTTP/1.1\r\n", AccessLogLine(method: "GET", path: "/a", status: 400)),
            ("GET /a\u{1}b HTTP/1.1\r\n", AccessLogLine(method: "GET", path: "/a", status: 400)),
            ("GET /p HTTP/1.1\n", AccessLogLine(method: "GET", path: "/p", status: 400)),
            ("GET  /p HTTP/1.1\r\n", AccessLogLine(method: "GET", status: 400)),
            ("GET http://u:secret@h/\(long)", AccessLogLine(method: "GET", status: 414)),
            (
                "GET h HTTP/1.1\r\nHost: h\r\n\r\n",
                AccessLogLine(protocol: http11, method: "GET", host: "h", status: 400)
            ),
            ("BAD\r\n", AccessLogLine(status: 400)), ("\u{1}", AccessLogLine(status: 400)),
            (
                "GET /p HTTP/1.1\r\nHost: a b\r\n\r\n",
                AccessLogLine(protocol: http11, method: "GET", host: "a b", path: "/p", status: 400)
            ),
            (
                "GET /p HTTP/1.0\r\nHost: a\r\nUser-Agent: ua\r\nHost: b\r\n\r\n",
                AccessLogLine(protocol: "HTTP/1.0", method: "GET", host: "a", path: "/p", userAgent: "ua", status: 400)
            ),
            (
                "GET /p HTTP/1.1\r\nHost: a\r\nA: \(long)\(long)\(long)\(long)\r\n",
                AccessLogLine(protocol: http11, method: "GET", host: "a", path: "/p", status: 431)
            ),
        ]
        for row in rows {
            // The values of an earlier request do not appear.
            for before in ["", "DELETE /before HTTP/1.1\r\nHost: before\r\n\r\n"] {
                var line = try lines(before + row.request).last ?? AccessLogLine()
                #expect(line.client == "192.0.2.7")
                line = AccessLogLine(
                    protocol: line.protocol, method: line.method, host: line.host, path: line.path,
                    userAgent: line.userAgent, status: line.status)
                #expect(line == row.line, "\(row.request.prefix(80))")
            }
        }
    }

    @Test func `only a trusted proxy can name the client`() throws {
        let request = "GET /nothing HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n"
        #expect(try lines(request).map(\.client) == ["192.0.2.7"])
        #expect(try lines(request, proxies: "192.0.2.0/24").map(\.client) == ["203.0.113.9"])
    }

    @Test func `values from clients are cut, escaped and repaired to UTF-8`() throws {
        let path = "/" + String(repeating: "a", count: 5000)
        let agent = String(repeating: "ü", count: 5000)
        let line = try #require(
            try lines("GET \(path) HTTP/1.1\r\nHost: h\r\nUser-Agent: \(agent)\r\n\r\n").first)
        #expect(line.path?.utf8.count == 2048 && line.path?.hasSuffix("a…") == true)
        #expect((250...256).contains(line.userAgent?.utf8.count ?? 0) && line.userAgent?.hasSuffix("ü…") == true)
        // Latin-1 letters, and characters that control a terminal, the direction of text, or lines.
        let context = HTTPContext(ServerConfiguration())
        let session = Session(context)
        let request =
            Array("GET / HTTP/1.1\r\nHost: h\r\nUser-Agent: a".utf8) + [0xFC]
            + Array("\u{9B}2J\u{202E}\u{2028}\"\\\r\n\r\n".utf8)
        session.receive(request.span, at: MonotonicTime(nanoseconds: 0))
        session.connectionLost()
        context.accessLog.recordEnds { MonotonicTime(nanoseconds: 0) }
        let read = try JSONDecoder().decode(AccessLogLine.self, from: Data(context.accessLog.lines))
        #expect(read.userAgent == "a\u{FFFD}\u{FFFD}2J\u{FFFD}\u{FFFD}\"\\" && read.client == "unix")
    }

    @Test func `without a log, no line is made`() throws {
        #expect(try lines("GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n") { $0.writesAccessLog = false }.isEmpty)
    }
}
