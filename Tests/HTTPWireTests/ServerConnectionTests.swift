import HTTPWire
import Testing

/// The bytes that the connection sends and its next states, if the fixtures do not cover them.
struct ServerConnectionTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let getOn10 = "GET / HTTP/1.0\r\n\r\n"

    /// The connection can report the end of a body before the `end` event only if the body has a length.
    @Test func `a body with a length is known to be complete before the end event`() throws {
        let head = "POST / HTTP/1.1\r\nHost: a\r\n"
        let rows: [(sent: [String], isAtEnd: [Bool])] = [
            (["\(head)Content-Length: 3\r\n\r\nabc"], [true]),
            (["\(head)Content-Length: 3\r\n\r\na", "b", "cGET"], [false, false, true]),
            (["\(head)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"], [false]),
        ]
        for row in rows {
            var connection = ServerConnection()
            var told: [Bool] = []
            for piece in row.sent.map({ Array($0.utf8) }) {
                var position = 0
                while true {
                    let event = try connection.next(piece.span, at: &position)
                    if case .body = event { told.append(connection.isBodyAtEnd) }
                    if event == .needMore || event == .end { break }
                }
            }
            #expect(told == row.isAtEnd, "\(row.sent)")
        }
    }

    // MARK: Responses

    @Test func `a response with a length is written exactly`() {
        let peer = Peer(sending: Self.get)
        var fields = Fields()
        fields.append("Content-Type", "application/json")
        fields.append("X-A", "b")
        let next = peer.respond(ResponseHead(status: 200, fields: fields), .sized(2), ["{", "}"])
        #expect(next == nil)
        #expect(
            peer.received == "HTTP/1.1 200 OK\r\nDate: \(Peer.date)\r\nContent-Length: 2\r\n"
                + "Content-Type: application/json\r\nX-A: b\r\n\r\n{}")
    }

    @Test func `a streamed response is chunked, and empty parts write no chunk`() {
        let peer = Peer(sending: Self.get)
        let long = String(repeating: "x", count: 26)
        let next = peer.respond(ResponseHead(status: 200), .streamed, ["a", "", long])
        #expect(next == nil)
        #expect(
            peer.received == "HTTP/1.1 200 OK\r\nDate: \(Peer.date)\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "1\r\na\r\n1A\r\n\(long)\r\n0\r\n\r\n")
    }

    /// RFC 9110 §6.5.1 and §10.1.4, RFC 9112 §7.1.2: they follow the last chunk if the client has announced that it reads them.
    @Test func `trailers follow the last chunk if the client accepts them`() {
        var trailers = Fields()
        trailers.append("X-Count", "3")
        let rows: [(fields: String, accepts: Bool)] = [
            ("TE: trailers\r\n", true), ("te: gzip;q=0.5 ,\tTrailers\r\n", true),
            ("TE: gzip\r\nTE: trailers\r\n", true),
            ("", false), ("TE:\r\n", false), ("TE: gzip\r\n", false), ("TE: trailers2\r\n", false),
            ("Trailer: trailers\r\n", false),
        ]
        for row in rows {
            let peer = Peer(sending: "GET / HTTP/1.1\r\nHost: a\r\n\(row.fields)\r\n")
            #expect(peer.acceptsTrailers == row.accepts, "\(row)")
            #expect(peer.respond(ResponseHead(status: 200), .streamed, ["a"], trailers: trailers) == nil)
            let end = row.accepts ? "X-Count: 3\r\n\r\n" : "\r\n"
            #expect(peer.received.hasSuffix("\r\n\r\n1\r\na\r\n0\r\n\(end)"), "\(row)")
        }
        // HTTP/1.0 has no chunks, and a sized body has no last chunk.
        let old = Peer(sending: "GET / HTTP/1.0\r\nTE: trailers\r\n\r\n")
        _ = old.respond(ResponseHead(status: 200), .streamed, ["a"], trailers: trailers)
        #expect(!old.acceptsTrailers && old.received.hasSuffix("\r\n\r\na"))
        let sized = Peer(sending: "GET / HTTP/1.1\r\nHost: a\r\nTE: trailers\r\n\r\n")
        _ = sized.respond(ResponseHead(status: 200), .sized(1), ["a"], trailers: trailers)
        #expect(sized.received.hasSuffix("\r\n\r\na"))
    }

    @Test func `a streamed response to HTTP/1.0 ends with the connection`() {
        let peer = Peer(sending: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let next = peer.respond(ResponseHead(status: 200), .streamed, ["ab", "c"])
        #expect(next == .lingering)
        #expect(peer.received == "HTTP/1.1 200 OK\r\nDate: \(Peer.date)\r\nConnection: close\r\n\r\nabc")
    }

    @Test func `keep-alive is returned to HTTP/1.0 clients that request it`() {
        var peer = Peer(sending: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(peer.respond(ResponseHead(status: 404), .none) == nil)
        #expect(
            peer.received == "HTTP/1.1 404 Not Found\r\nDate: \(Peer.date)\r\nContent-Length: 0\r\n"
                + "Connection: keep-alive\r\n\r\n")
        peer = Peer(sending: Self.getOn10)
        #expect(peer.respond(ResponseHead(status: 404), .none) == .lingering)
        #expect(peer.received.hasSuffix("\r\nConnection: close\r\n\r\n"))
    }

    /// RFC 9110 §6.4.1, §8.6 and §15.4.5, RFC 9112 §6.1: which responses may have which framing, and a body.
    @Test func `the framing depends on method and status`() {
        let rows: [(method: String, status: Int, body: ResponseBody, framing: String, sent: Bool)] = [
            ("GET", 200, .sized(2), "Content-Length: 2\r\n", true),
            ("HEAD", 200, .sized(2), "Content-Length: 2\r\n", false),
            ("HEAD", 200, .streamed, "Transfer-Encoding: chunked\r\n", false),
            ("GET", 204, .none, "", false),
            ("GET", 204, .sized(2), "", false),
            ("GET", 204, .streamed, "", false),
            ("GET", 304, .none, "", false),
            ("GET", 304, .sized(2), "Content-Length: 2\r\n", false),
            ("GET", 304, .streamed, "", false),
            ("GET", 200, .none, "Content-Length: 0\r\n", false),
            ("POST", 500, .none, "Content-Length: 0\r\n", false),
        ]
        for row in rows {
            let peer = Peer(sending: "\(row.method) / HTTP/1.1\r\nHost: a\r\n\r\n")
            let parts = row.body == .none ? [] : ["ab"]
            let next = peer.respond(ResponseHead(status: row.status), row.body, parts)
            #expect(next == nil, "\(row)")
            let reason = ResponseHead.reasonPhrase(for: row.status)
            let head = "HTTP/1.1 \(row.status) \(reason)\r\nDate: \(Peer.date)\r\n\(row.framing)\r\n"
            #expect(peer.received == head + (row.sent ? "ab" : ""), "\(row)")
        }
    }

    @Test func `registered statuses have their reason phrase`() {
        let rows = [(207, "Multi-Status"), (402, "Payment Required"), (423, "Locked"), (507, "Insufficient Storage")]
        for (status, reason) in rows { #expect(ResponseHead.reasonPhrase(for: status) == reason) }
        #expect(ResponseHead.reasonPhrase(for: 299).isEmpty)
    }

    @Test func `a field value cannot end its line`() {
        var fields = Fields()
        fields.append("X-Request-Id", "a\r\nSet-Cookie: b\u{0}c")
        #expect(fields["x-request-id"] == "a  Set-Cookie: b c")
        #expect(fields.count == 1)
    }

    @Test func `the last response has Connection close`() {
        let peer = Peer(sending: Self.get)
        peer.closeAfterResponse()
        #expect(peer.respond(ResponseHead(status: 200), .none) == .lingering)
        #expect(peer.received.contains("\r\nConnection: close\r\n"))
        #expect(peer.events(Self.get) == [.finished(.lingering)])
    }

    @Test func `the error response to HEAD has no body`() throws {
        let peer = Peer()
        let error = peer.error("HEAD / HTTP/1.1\r\nHost : a\r\n\r\n")
        #expect(error?.status == 400)
        #expect(!peer.hasRequest)
        _ = peer.respond(ResponseHead(status: 400), .sized(2), ["ab"])
        #expect(peer.received.hasSuffix("\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"))
    }

    // MARK: Expectations

    @Test func `a client that expects 100 gets it once, and then its response`() {
        let peer = Peer(sending: "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(peer.expectsContinue)
        peer.sendContinue()
        #expect(peer.received == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(!peer.expectsContinue)
        #expect(peer.events("ab") == [.body(0..<2), .end, .paused])
        #expect(peer.respond(ResponseHead(status: 200), .none) == nil)
    }

    @Test func `a refused client that expects 100 gets Connection close`() {
        let peer = Peer(sending: "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(peer.respond(ResponseHead(status: 415), .none) == .lingering)
        #expect(!peer.expectsContinue)
        #expect(peer.received.hasPrefix("HTTP/1.1 415 Unsupported Media Type\r\n"))
        #expect(peer.received.contains("\r\nConnection: close\r\n"))
    }

    @Test func `a client that sends its body at once does not expect 100`() {
        let peer = Peer(sending: "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\na")
        #expect(!peer.expectsContinue)
    }

    @Test func `HTTP/1.0 clients and requests without a body get no 100`() {
        for head in [
            "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
        ] {
            let peer = Peer(sending: head)
            #expect(!peer.expectsContinue, "\(head)")
        }
    }

    // MARK: Early responses, ends and deadlines

    @Test func `the body of a request that has its response is discarded up to a limit`() {
        var limits = WireLimits()
        limits.maxDrainBytes = 20
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        for (body, expected) in [
            ("5\r\nabcde\r\n0\r\n\r\n", [ServerConnection.Event.head, .end, .paused]),
            ("10\r\n0123456789abcdef\r\n0\r\n\r\n", [.finished(.lingering)]),
            ("zz\r\n", [.finished(.lingering)]),
        ] {
            let peer = Peer(sending: head, limits: limits)
            #expect(peer.respond(ResponseHead(status: 404), .none) == nil)
            #expect(peer.waitingFor == .body)
            #expect(peer.events(body + Self.get) == expected, "\(body)")
        }
    }

    @Test func `a request without a body may get its response at its head`() {
        let peer = Peer(sending: Self.get)
        #expect(peer.respond(ResponseHead(status: 200), .none) == nil)
        #expect(peer.waitingFor == .request)
        #expect(peer.events(Self.get) == [.head, .end, .paused])
    }

    @Test func `discarded bytes are counted for each request separately`() {
        var limits = WireLimits()
        limits.maxDrainBytes = 20
        let peer = Peer(limits: limits)
        for _ in 0..<5 {
            #expect(peer.events("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 15\r\n\r\n") == [.head, .needMore])
            #expect(peer.respond(ResponseHead(status: 404), .none) == nil)
            #expect(peer.events(String(repeating: "x", count: 15)) == [.needMore])
            #expect(peer.waitingFor == .request)
        }
    }

    @Test func `a connection closes if too much of the body remains after a streamed response`() {
        var limits = WireLimits()
        limits.maxDrainBytes = 20
        let peer = Peer(sending: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n", limits: limits)
        peer.start(ResponseHead(status: 200), .streamed)
        #expect(peer.end() == .lingering)
    }

    @Test func `an end of input within a discarded body closes the connection cleanly`() {
        let peer = Peer(sending: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n")
        #expect(peer.respond(ResponseHead(status: 404), .none) == nil)
        peer.inputEnded()
        #expect(peer.events("") == [.finished(.clean)])
    }

    @Test func `a streamed response may begin before the request's body ends`() {
        var limits = WireLimits()
        limits.maxDrainBytes = 1
        let peer = Peer(sending: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n", limits: limits)
        peer.start(ResponseHead(status: 200), .streamed)
        #expect(peer.events("ab") == [.body(0..<2), .needMore])
        #expect(peer.events("cd") == [.body(0..<2), .end, .paused])
        #expect(peer.end() == nil)
        #expect(!peer.received.contains("Connection: close"))
        #expect(peer.events(Self.get) == [.head, .end, .paused])
    }

    @Test func `after an error during a streamed response, the connection can be aborted`() {
        let peer = Peer(sending: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        peer.start(ResponseHead(status: 200), .streamed)
        #expect(peer.error("zz")?.code == .badChunkSize)
        #expect(!peer.canRespond)
        peer.abort()
        #expect(peer.events("x") == [.finished(.abort)])
    }

    @Test func `after an error during a streamed response, finishing the response ends the connection`() {
        let peer = Peer(sending: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        peer.start(ResponseHead(status: 400), .streamed)
        #expect(peer.error("zz")?.code == .badChunkSize)
        #expect(peer.end() == .lingering)
    }

    @Test func `a response to a request that was not read has no chunks`() {
        let peer = Peer()
        #expect(peer.error("GET / HTTP/1.1\r\nHost : a\r\n\r\n")?.code == .badFieldName)
        #expect(peer.respond(ResponseHead(status: 400), .streamed, ["ab"]) == .lingering)
        #expect(peer.received.hasSuffix("\r\nDate: \(Peer.date)\r\nConnection: close\r\n\r\nab"))
    }

    @Test func `after the end of input, open requests get responses and the connection closes cleanly`() {
        let peer = Peer(sending: Self.get)
        peer.inputEnded()
        #expect(peer.respond(ResponseHead(status: 200), .none) == nil)
        #expect(peer.events("") == [.finished(.clean)])
        #expect(peer.waitingFor == .nothing)
    }

    @Test func `the connection reports what it waits for`() {
        let peer = Peer()
        #expect(peer.waitingFor == .request)
        _ = peer.events("\r\n")
        #expect(peer.waitingFor == .request, "an empty line is no request")
        _ = peer.events("POST / HTTP/1.1\r\n")
        #expect(peer.waitingFor == .head)
        _ = peer.events("Host: a\r\nContent-Length: 1\r\n\r\n")
        #expect(peer.waitingFor == .body)
        _ = peer.events("x")
        #expect(peer.waitingFor == .response)
        #expect(peer.requestCount == 1)
        #expect(peer.respond(ResponseHead(status: 200), .none) == nil)
        #expect(peer.waitingFor == .request)
    }

    @Test func `a timeout within a request is 408, and between requests it closes the connection`() {
        for (sent, code) in [
            ("", nil), ("GET /", WireError.Code.timeout),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx", .timeout),
        ] {
            let peer = Peer()
            _ = peer.events(sent)
            let error = peer.expire()
            #expect(error?.code == code && error?.status == code.map { _ in 408 }, "\(sent)")
            #expect(peer.canRespond == (code != nil), "\(sent)")
            if code == nil { #expect(peer.events("") == [.finished(.lingering)]) }
        }
    }

    @Test func `method and target stay available after an error in the fields`() {
        let peer = Peer()
        #expect(peer.error("POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n")?.offset == 43)
        #expect(peer.hasRequest)
        #expect(peer.request.target.path.elementsEqual("/p".utf8))
    }

    @Test func `an error in the body has its offset in the body`() {
        let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        for (sent, offset) in [("x", 0), ("3\r\nabcd", 6), ("3\r\nabc\r\nz", 8), ("3;a=b\r\nabc\r\n0\r\nX Y", 16)] {
            #expect(Peer(sending: head).error(sent)?.offset == offset, "\(sent)")
        }
        let peer = Peer(sending: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n")
        #expect(peer.events("abcd").count == 2)
        #expect(peer.expire()?.offset == 4)
    }

    @Test func `requests on one connection do not affect each other`() {
        let peer = Peer()
        for round in 0..<50 {
            let path = "/" + String(repeating: "x", count: round * 97 % 5000)
            let found = peer.events("GET \(path) HTTP/1.\(round % 2 + 1)\r\nHost: h\(round)\r\nX: y\r\n\r\n")
            #expect(found == [.head, .end, .paused])
            #expect(peer.request.target.path.elementsEqual(path.utf8))
            #expect(peer.request.fields["host"] == "h\(round)")
            #expect(peer.request.fields.count == 2)
            #expect(peer.respond(ResponseHead(status: 200), .none) == nil)
            #expect(!peer.hasRequest && peer.request.fields.count == 0)
        }
        #expect(peer.requestCount == 50)
    }
}
