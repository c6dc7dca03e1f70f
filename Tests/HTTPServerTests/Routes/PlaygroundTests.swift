import HTTPServerTestSupport
import HTTPWire
import TestSupport
import Testing

@testable import Conversions
@testable import Gateway
@testable import HTTPSemantics
@testable import HTTPServer
@testable import Service
@testable import Sockets

/// The page at `/`, replaced by a small one.
struct PlaygroundTests {
    private static let html = "<!doctype html><title>p</title>" + String(repeating: "<p>text</p>", count: 200)
    private static let policy = "default-src 'none'; script-src 'sha256-x'"

    private static func configuration(hasAdmin: Bool = false) throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.openAPIDocument = Array("openapi: 3.1.1\n".utf8)
        configuration.playground = PlaygroundPage(
            gzipped: try PythonCoding.encode(Array(html.utf8), .gzip), policy: policy)
        if hasAdmin { configuration.gateway.admin = [.unix(path: "admin")] }
        return configuration
    }

    private static func ask(
        _ configuration: ServerConfiguration, _ line: String = "GET / HTTP/1.1", _ fields: String...,
        isPublic: Bool = true, prepare: (HTTPContext) -> Void = { _ in }
    ) throws -> ReceivedResponse {
        let context = HTTPContext(configuration)
        prepare(context)
        let session = Session(context, isPublic: isPublic)
        let pair = try SocketPair()
        let head = ([line, "Host: x"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
        session.receive(Array(head.utf8).span, at: MonotonicTime(nanoseconds: 0))
        _ = session.send(on: pair.server)
        let received = pair.received()
        // These have no content either (RFC 9110 §6.4.1).
        let isEmpty = ["204", "304"].contains(String(decoding: received.dropFirst(9).prefix(3), as: UTF8.self))
        return try ReceivedResponse(received, toHead: isEmpty || line.hasPrefix("HEAD"))
    }

    @Test func `the page is sent gzipped, or uncompressed to clients without gzip`() throws {
        let configuration = try Self.configuration()
        let rows: [(accepted: String?, status: Int, coding: String?)] = [
            (nil, 200, nil), ("gzip", 200, "gzip"), ("gzip, deflate, br, zstd", 200, "gzip"), ("*", 200, "gzip"),
            ("br", 200, nil), ("gzip;q=0", 200, nil), ("identity", 200, nil), ("gzip;q=0, identity;q=0", 406, nil),
        ]
        for row in rows {
            let fields = row.accepted.map { "Accept-Encoding: \($0)" } ?? "X: x"
            let response = try Self.ask(configuration, "GET / HTTP/1.1", fields)
            #expect(response.status == row.status, "\(fields)")
            #expect(response["Vary"] == "Accept-Encoding", "\(fields)")
            #expect(response["Content-Encoding"] == row.coding, "\(fields)")
            guard row.status == 200 else { continue }
            #expect(response["Content-Type"] == "text/html; charset=utf-8")
            #expect(String(decoding: try response.content(), as: UTF8.self) == Self.html, "\(fields)")
        }
        #expect(try Self.ask(configuration, "GET / HTTP/1.1", "Accept: application/json").status == 406)
        #expect(try Self.ask(configuration, "GET / HTTP/1.1", "Accept: text/html, */*;q=0.8").status == 200)
        #expect(try Self.ask(configuration, "GET /?a=b HTTP/1.1").status == 200)
    }

    @Test func `the page may load and send nothing, and no other page may show it`() throws {
        let response = try Self.ask(try Self.configuration())
        #expect(response["Content-Security-Policy"] == Self.policy)
        #expect(response["X-Content-Type-Options"] == "nosniff")
        #expect(response["Referrer-Policy"] == "no-referrer")
        #expect(response["Cache-Control"] == "no-cache")
    }

    @Test func `HEAD has the fields of GET, and other methods are refused`() throws {
        let configuration = try Self.configuration()
        for fields in ["Accept-Encoding: gzip", "Accept-Encoding: identity"] {
            let get = try Self.ask(configuration, "GET / HTTP/1.1", fields)
            let head = try Self.ask(configuration, "HEAD / HTTP/1.1", fields)
            #expect(head.status == 200 && head.body.isEmpty)
            for name in ["Content-Length", "Content-Encoding", "ETag", "Content-Security-Policy"] {
                #expect(head[name] == get[name], "\(name)")
            }
        }
        for method in ["POST", "PUT", "DELETE"] {
            let response = try Self.ask(configuration, "\(method) / HTTP/1.1", "Content-Length: 0")
            #expect(response.status == 405, "\(method)")
            #expect(response["Allow"] == "GET, HEAD, OPTIONS", "\(method)")
        }
        #expect(try Self.ask(configuration, "OPTIONS / HTTP/1.1")["Allow"] == "GET, HEAD, OPTIONS")
    }

    @Test func `a client that has the page gets 304 with and without compression`() throws {
        let configuration = try Self.configuration()
        let tag = try #require(try Self.ask(configuration)["ETag"])
        #expect(tag.hasPrefix("W/\"") && tag.count == 20)
        #expect(try Self.ask(configuration, "GET / HTTP/1.1", "Accept-Encoding: gzip")["ETag"] == tag)
        let opaque = tag.dropFirst(2)
        let rows: [(field: String, status: Int)] = [
            ("If-None-Match: \(tag)", 304), ("If-None-Match: \(opaque)", 304), ("If-None-Match: \"a\", \(tag)", 304),
            ("If-None-Match: *", 304), ("If-None-Match: \"a\"", 200), ("If-None-Match: a", 200),
            // A weak tag never matches strongly (RFC 9110 §13.1.1).
            ("If-Match: \(tag)", 412), ("If-Match: *", 200),
        ]
        for row in rows {
            for method in ["GET", "HEAD"] {
                let response = try Self.ask(configuration, "\(method) / HTTP/1.1", "Accept-Encoding: gzip", row.field)
                #expect(response.status == row.status, "\(method) \(row.field)")
                guard row.status == 304 else { continue }
                #expect(response["ETag"] == tag && response["Cache-Control"] == "no-cache")
                #expect(response["Content-Type"] == nil && response.body.isEmpty)
            }
        }
        var changed = configuration
        changed.playground = PlaygroundPage(
            gzipped: try PythonCoding.encode(Array((Self.html + ".").utf8), .gzip), policy: Self.policy)
        #expect(try Self.ask(changed)["ETag"] != tag)
    }

    @Test func `with admin, the playground is only at the admin address`() throws {
        let configuration = try Self.configuration(hasAdmin: true)
        #expect(try Self.ask(configuration, isPublic: false).status == 200)
        let response = try Self.ask(configuration)
        #expect(response.status == 404)
        #expect(!response.text.contains("playground"))
        #expect(try Self.ask(try Self.configuration()).status == 200)
    }

    @Test func `a program without the page tells how to get it`() throws {
        var configuration = try Self.configuration()
        configuration.playground = PlaygroundPage(gzipped: [], policy: "")
        let response = try Self.ask(configuration)
        #expect(response.status == 404)
        #expect(response.text.contains("run `make playground` before the build"), "\(response.text)")
        #expect(!(try Self.ask(configuration, "GET /other HTTP/1.1").text.contains("playground")))
    }

    @Test func `the page is refused while much output waits for slow clients`() throws {
        let configuration = try Self.configuration()
        let quarter = configuration.gateway.maxBufferedBytes / 4
        let response = try Self.ask(configuration) { $0.heldBytes.addWaiting(quarter + 1) }
        #expect(response.status == 503)
        #expect(response["Retry-After"] == "1")
        #expect(response.text.contains("buffers-full"))
        #expect(try Self.ask(configuration) { $0.heldBytes.addWaiting(quarter) }.status == 200)
        #expect(
            try Self.ask(configuration, "GET /openapi.yaml HTTP/1.1") { $0.heldBytes.addWaiting(quarter + 1) }.status
                == 200)
    }
}
