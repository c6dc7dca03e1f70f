import HTTPWire
import Testing

/// Mistakes of the caller end the process instead of reaching the wire.
struct MisuseTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `correct use does not end the process`() async {
        await #expect(processExitsWith: .success) {
            let peer = Peer(sending: Self.get)
            _ = peer.respond(ResponseHead(status: 599), .sized(2), ["a", "b"])
            let tunnel = Peer(sending: "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n")
            tunnel.start(ResponseHead(status: 405), .none)
        }
    }

    @Test func `a response cannot be started twice`() async {
        await #expect(processExitsWith: .failure) {
            let peer = Peer(sending: Self.get)
            peer.start(ResponseHead(status: 200), .none)
            peer.start(ResponseHead(status: 200), .none)
        }
    }

    @Test func `a response needs a request`() async {
        await #expect(processExitsWith: .failure) { Peer().start(ResponseHead(status: 200), .none) }
    }

    @Test func `a response's body must have its announced length`() async {
        await #expect(processExitsWith: .failure) {
            _ = Peer(sending: Self.get).respond(ResponseHead(status: 200), .sized(2), ["a"])
        }
        await #expect(processExitsWith: .failure) {
            _ = Peer(sending: Self.get).respond(ResponseHead(status: 200), .sized(2), ["abc"])
        }
    }

    @Test func `the fields of a response must not contain its framing`() async {
        await #expect(processExitsWith: .failure) {
            var head = ResponseHead(status: 200)
            head.fields.append("content-LENGTH", "5")
            Peer(sending: Self.get).start(head, .none)
        }
    }

    @Test func `a final response has a status from 200 to 599`() async {
        await #expect(processExitsWith: .failure) {
            Peer(sending: Self.get).start(ResponseHead(status: 103), .none)
        }
    }

    @Test func `CONNECT cannot get a response of 2xx`() async {
        await #expect(processExitsWith: .failure) {
            let peer = Peer(sending: "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n")
            peer.start(ResponseHead(status: 200), .none)
        }
    }

    @Test func `100 can only be sent to a client that expects it`() async {
        await #expect(processExitsWith: .failure) { Peer(sending: Self.get).sendContinue() }
    }

    @Test func `a field name must be a token`() async {
        await #expect(processExitsWith: .failure) {
            var fields = Fields()
            fields.append("X\r\nY", "a")
        }
    }

    // MARK: Client

    @Test func `target, host and upgrade of a request must not contain spaces or line ends`() async {
        await #expect(processExitsWith: .success) { Self.request(target: "/a?b", host: "[::1]:80") }
        await #expect(processExitsWith: .failure) { Self.request(target: "/a b") }
        await #expect(processExitsWith: .failure) { Self.request(target: "/a\r\nX: y") }
        await #expect(processExitsWith: .failure) { Self.request(target: "") }
        await #expect(processExitsWith: .failure) { Self.request(target: "http://a/") }
        await #expect(processExitsWith: .failure) { Self.request(host: "a\r\nX: y") }
        await #expect(processExitsWith: .failure) { Self.request(upgrade: "a\r\nX: y") }
    }

    @Test func `the fields of a request must not contain Host, Expect or its framing`() async {
        await #expect(processExitsWith: .failure) { Self.request(field: "content-LENGTH") }
        await #expect(processExitsWith: .failure) { Self.request(field: "Expect") }
        await #expect(processExitsWith: .failure) { Self.request(field: "host") }
    }

    @Test func `a request's body must have its announced length`() async {
        await #expect(processExitsWith: .success) { Self.request(body: .sized(2), parts: [1, 1]) }
        await #expect(processExitsWith: .failure) { Self.request(body: .sized(2), parts: [1]) }
        await #expect(processExitsWith: .failure) { Self.request(body: .sized(2), parts: [3]) }
        await #expect(processExitsWith: .failure) { Self.request(body: .none, parts: [1]) }
    }

    @Test func `a request needs a reusable connection`() async {
        await #expect(processExitsWith: .failure) {
            var connection = ClientConnection()
            connection.inputEnded()
            var output: [UInt8] = []
            connection.startRequest(
                OutgoingRequest(method: .get, target: Array("/".utf8), host: "a"), body: .none, into: &output)
        }
    }

    @Test func `CONNECT cannot be sent`() async {
        await #expect(processExitsWith: .failure) { Self.request(method: .connect) }
    }

    private static func request(
        method: RequestMethod = .get, target: String = "/", host: String = "a", field: String? = nil,
        body: RequestBody = .none, parts: [Int] = [], upgrade: String? = nil
    ) {
        var connection = ClientConnection()
        var output: [UInt8] = []
        var head = OutgoingRequest(method: method, target: Array(target.utf8), host: host, upgrade: upgrade)
        if let field { head.fields.append(field, "1") }
        connection.startRequest(head, body: body, into: &output)
        for part in parts {
            connection.startBodyPart(of: part, into: &output)
            connection.endBodyPart(into: &output)
        }
        connection.endRequest(into: &output)
    }
}
