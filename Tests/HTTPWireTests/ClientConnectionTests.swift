import HTTPWire
import Testing

/// The bytes that the connection sends, and its state, apart from the events of its responses.
struct ClientConnectionTests {
    private static let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)

    private static func head(
        _ method: RequestMethod = .get, _ target: String = "/", host: String = "example.org"
    ) -> OutgoingRequest {
        OutgoingRequest(method: method, target: Array(target.utf8), host: host)
    }

    /// The bytes that are sent for a request with these parts of a body.
    private static func sent(
        _ head: OutgoingRequest, _ body: RequestBody, _ parts: [String] = [], upgrade: String? = nil
    ) -> String {
        var head = head
        head.upgrade = upgrade
        var connection = ClientConnection()
        var output: [UInt8] = []
        connection.startRequest(head, body: body, into: &output)
        for part in parts {
            connection.startBodyPart(of: part.utf8.count, into: &output)
            output += Array(part.utf8)
            connection.endBodyPart(into: &output)
        }
        connection.endRequest(into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `a request is written with Host first and its fields in order`() {
        var head = Self.head(.get, "/a?b=c%20d")
        head.fields.append("Accept", "*/*")
        head.fields.append("X-A", "1")
        #expect(
            Self.sent(head, .none) == "GET /a?b=c%20d HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\nX-A: 1\r\n\r\n")
    }

    /// RFC 9110 §8.6.
    @Test func `a length of 0 is only sent for methods that may have a body`() {
        for method in [RequestMethod.post, .put, .patch, .query] {
            #expect(
                Self.sent(Self.head(method), .none)
                    == "\(method) / HTTP/1.1\r\nHost: example.org\r\nContent-Length: 0\r\n\r\n")
        }
        for method in [RequestMethod.get, .head, .delete, .options] {
            #expect(Self.sent(Self.head(method), .none) == "\(method) / HTTP/1.1\r\nHost: example.org\r\n\r\n")
        }
    }

    @Test func `bodies have a length or chunks`() {
        let start = "POST / HTTP/1.1\r\nHost: example.org\r\n"
        #expect(Self.sent(Self.head(.post), .sized(0)) == start + "Content-Length: 0\r\n\r\n")
        #expect(
            Self.sent(Self.head(.post), .sized(12), ["ten bytes.", "", "ab"])
                == start + "Content-Length: 12\r\n\r\nten bytes.ab")
        let long = String(repeating: "x", count: 26)
        #expect(
            Self.sent(Self.head(.post), .chunked, ["abc", "", long])
                == start + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1A\r\n\(long)\r\n0\r\n\r\n")
        #expect(Self.sent(Self.head(.post), .chunked) == start + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
    }

    @Test func `the Connection field is written only for an upgrade`() {
        #expect(
            Self.sent(Self.head(), .none, upgrade: "websocket")
                == "GET / HTTP/1.1\r\nHost: example.org\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n")
        #expect(Self.sent(Self.head(.options, "*", host: ""), .none) == "OPTIONS * HTTP/1.1\r\nHost: \r\n\r\n")
    }

    @Test func `a connection is reusable only before and between requests`() throws {
        var connection = ClientConnection()
        var output: [UInt8] = []
        for _ in 1...3 {
            #expect(connection.isReusable && connection.waitingFor == .nothing)
            connection.startRequest(Self.head(), body: .none, into: &output)
            #expect(!connection.isReusable && connection.waitingFor == .head && !connection.isRequestComplete)
            connection.endRequest(into: &output)
            #expect(connection.isRequestComplete && !connection.hasResponseBegun)
            var position = 0
            #expect(try connection.next(Self.ok.span, at: &position) == .head)
            #expect(connection.hasResponseBegun && !connection.isReusable && connection.response.status == 200)
            #expect(try connection.next(Self.ok.span, at: &position) == .end)
            #expect(position == Self.ok.count)
        }
        connection.inputEnded()
        #expect(!connection.isReusable && connection.waitingFor == .nothing)
    }

    @Test func `a connection is not reusable after an early response, even if the request is completed later`() throws {
        var connection = ClientConnection()
        var output: [UInt8] = []
        connection.startRequest(Self.head(.post), body: .sized(2), into: &output)
        var position = 0
        #expect(try connection.next(Self.ok.span, at: &position) == .head)
        #expect(connection.isRequestComplete == false)
        #expect(try connection.next(Self.ok.span, at: &position) == .end)
        connection.startBodyPart(of: 2, into: &output)
        connection.endBodyPart(into: &output)
        connection.endRequest(into: &output)
        #expect(connection.isRequestComplete && !connection.isReusable && connection.waitingFor == .nothing)
    }

    @Test func `a connection with bytes after a response is not reusable, even before they are read`() throws {
        var connection = ClientConnection()
        var output: [UInt8] = []
        connection.startRequest(Self.head(), body: .none, into: &output)
        connection.endRequest(into: &output)
        let bytes = Self.ok + Self.ok
        var position = 0
        #expect(try connection.next(bytes.span, at: &position) == .head)
        #expect(try connection.next(bytes.span, at: &position) == .end)
        #expect(position == Self.ok.count && !connection.isReusable)
    }

    @Test func `an idle connection that receives bytes is not reusable`() throws {
        var connection = ClientConnection()
        var position = 0
        #expect(throws: WireError(.unaskedResponse, at: 0)) { try connection.next(Self.ok.span, at: &position) }
        #expect(position == Self.ok.count && !connection.isReusable && connection.waitingFor == .nothing)
    }

    @Test func `only a request without any byte of a response may be retried`() throws {
        let expected: [(String, WireError.Code, offset: Int, hasResponseBegun: Bool)] = [
            ("", .unanswered, 0, false), ("H", .tornHead, 1, true), ("HTTP/1.1 2", .tornHead, 10, true),
            ("HTTP/1.1 100 \r\n\r\n", .tornHead, 0, true),
            ("HTTP/1.1 200 \r\nContent-Length: 9\r\n\r\nabc", .tornBody, 3, true),
            ("HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab", .tornBody, 5, true),
        ]
        for (text, code, offset, hasResponseBegun) in expected {
            var connection = try Self.connection(after: text)
            connection.inputEnded()
            var position = 0
            #expect(throws: WireError(code, at: offset), "\(text)") {
                try connection.next([UInt8]().span, at: &position)
            }
            #expect(connection.hasResponseBegun == hasResponseBegun, "\(text)")
            #expect(!connection.isReusable && connection.waitingFor == .nothing, "\(text)")
        }
    }

    /// A connection with a request and this beginning of its response.
    private static func connection(after text: String) throws -> ClientConnection {
        var connection = ClientConnection()
        var output: [UInt8] = []
        connection.startRequest(head(), body: .none, into: &output)
        connection.endRequest(into: &output)
        let bytes = Array(text.utf8)
        var position = 0
        while try connection.next(bytes.span, at: &position) != .needMore {}
        return connection
    }
}
