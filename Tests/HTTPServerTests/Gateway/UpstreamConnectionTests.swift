import GatewayTestSupport
import Glibc
import HTTPServerTestSupport
import HTTPWire
import TestSupport
import Testing

@testable import Conversions
@testable import EventLoop
@testable import Gateway
@testable import HTTPServer
@testable import Sockets
@testable import Upstreams

/// One connection to a server, event by event.
struct UpstreamConnectionTests {
    /// A client's session whose request goes to a listener, without a loop.
    private final class Exchange {
        let context: HTTPContext
        private let session: Session
        private let client: SocketPair
        private var buffer = ReadBuffer()
        private let now = UpstreamTrial.second(0)

        init(_ address: ListenAddress) throws {
            context = HTTPContext(ServerConfiguration())
            context.use(
                try GatewayTrial(routes: #"{ "match": "/", "upstream": "shop" }"#, address: "\(address)").gateway)
            session = Session(context, isPublic: true)
            session.token = PollToken(rawValue: 1)
            client = try SocketPair()
        }

        /// Sends a request of the client; returns the connection that is opened for it.
        func ask(_ request: String) throws -> UpstreamConnection {
            session.receive(Array(request.utf8).span, at: now)
            return try opened()
        }

        /// The same as `ask(_:)`, followed by a response from the listener's server.
        func ask(_ request: String, of listener: Listener, response: String) throws -> (UpstreamConnection, Server) {
            let connection = try ask(request)
            let server = try Server(acceptedBy: listener)
            handle(connection)
            server.send(response)
            handle(connection)
            return (connection, server)
        }

        /// The connection that was opened last.
        func opened() throws -> UpstreamConnection {
            let connection = try #require(context.loop.takeOpened().first as? UpstreamConnection)
            connection.token = PollToken(rawValue: 2)
            return connection
        }

        /// Handles an event which says that the connection can be written and read.
        func handle(_ connection: UpstreamConnection) {
            let event = PollEvent(token: PollToken(rawValue: 2), isReadable: true, isWritable: true, isBroken: false)
            _ = connection.handle(event, &buffer, at: now)
        }

        /// The bytes that the client has received.
        func response() -> String {
            _ = session.send(on: client.server)
            return String(decoding: client.received(), as: UTF8.self)
        }

        /// Whether the session asked for another turn: it reads no input while too many bytes wait.
        func isSessionTouched() -> Bool {
            var touched: [PollToken] = []
            context.loop.takeTouched(into: &touched)
            return touched.contains(PollToken(rawValue: 1))
        }

        var wantsInput: Bool { session.wantsInput }

        func take(_ server: ServerAddress, afterMilliseconds milliseconds: Int64 = 0) -> UpstreamConnection? {
            context.forwarding.pool.take(server, for: .get, at: now.advanced(milliseconds: milliseconds))
        }
    }

    /// The server's end of a connection.
    private final class Server {
        private let socket: StreamSocket

        init(_ socket: consuming StreamSocket) { self.socket = socket }

        /// The server's end of the next connection.
        init(acceptedBy listener: Listener) throws {
            for _ in 0..<5_000 {
                if case .connection(let socket, _) = listener.accept() {
                    self.socket = socket
                    return
                }
                usleep(1_000)
            }
            throw RawClient.Failure.silence
        }

        func send(_ text: String) {
            let writeBuffer = WriteBuffer()
            writeBuffer.append(Array(text.utf8).span)
            _ = writeBuffer.send(on: socket)
        }

        func end() { socket.endSending() }
    }

    @Test func `an upload that waits because of others continues when its own bytes are sent`() throws {
        let listener = try Listener(.tcp(host: "127.0.0.1", port: 0))
        let exchange = try Exchange(listener.address)
        let body = String(repeating: "x", count: 110_000)
        let connection = try exchange.ask(HTTPText.message("POST /", ["Content-Length: 1000000"]) + body)
        let server = try Server(acceptedBy: listener)
        exchange.handle(connection)
        connection.send(Array(body.utf8).span)
        exchange.context.heldBytes.addWaiting(exchange.context.configuration.gateway.maxBufferedBytes)
        #expect(!exchange.wantsInput)
        _ = exchange.isSessionTouched()
        exchange.context.heldBytes.addWaiting(-exchange.context.configuration.gateway.maxBufferedBytes)
        exchange.handle(connection)
        #expect(exchange.isSessionTouched())
        withExtendedLifetime(server) {}
    }

    private static let response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test func `a connection with bytes that the event loop has not seen is not used again`() throws {
        let rows: [(String, (Server) -> Void)] = [
            ("nothing", { _ in }), ("bytes", { $0.send(Self.response) }), ("the end", { $0.end() }),
        ]
        for (name, act) in rows {
            let listener = try Listener(.tcp(host: "127.0.0.1", port: 0))
            let exchange = try Exchange(listener.address)
            let (connection, server) = try exchange.ask(
                HTTPText.message("GET /"), of: listener, response: Self.response)
            #expect(exchange.response().hasSuffix("ok"))
            act(server)
            #expect((exchange.take(connection.server) === connection) == (name == "nothing"), "\(name)")
            #expect(exchange.take(connection.server) == nil)
        }
    }

    @Test
    func `after stray bytes, the connection does not wait for a missing body`()
        throws
    {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        for isTrusted in [true, false] {
            let listener = try Listener(.tcp(host: "127.0.0.1", port: 0))
            let exchange = try Exchange(listener.address)
            let (first, server) = try exchange.ask(
                HTTPText.message("GET /"), of: listener, response: Self.response)
            if isTrusted { server.end() } else { server.send("ok") }
            exchange.handle(first)
            // `other` stays open until the end of this test.
            let (second, other) = try exchange.ask(HTTPText.message("HEAD /"), of: listener, response: head)
            #expect(exchange.take(second.server) == nil)
            let rested = exchange.take(second.server, afterMilliseconds: 50)
            #expect((rested === second) == isTrusted)
            withExtendedLifetime(other) {}
        }
    }

    @Test func `an unsent request is sent on another connection, whatever its method`() throws {
        let directory = try TemporaryDirectory()
        for method in ["POST", "GET"] {
            let listener = try Listener(.unix(path: "\(directory.path)/\(method)"))
            let exchange = try Exchange(listener.address)
            let connection = try exchange.ask(HTTPText.message("\(method) /", body: "ab"))
            // A Unix socket reports at once that the server is gone, even if it has sent bytes before.
            do {
                let server = try Server(acceptedBy: listener)
                if method == "GET" { server.send("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n") }
            }
            exchange.handle(connection)
            exchange.handle(connection)
            let second = try exchange.opened()
            let last = try Server(acceptedBy: listener)
            exchange.handle(second)
            last.send(Self.response)
            exchange.handle(second)
            #expect(exchange.response().hasSuffix("ok"), "\(method)")
        }
    }

    @Test func `a Unix socket with a full queue is tried again until the connect timeout`() throws {
        let directory = try TemporaryDirectory()
        let begin = UpstreamTrial.second(0)
        for isTooLate in [false, true] {
            let path = "\(directory.path)/\(isTooLate)"
            let listener = try NarrowListener(at: path)
            let address = try SocketAddress(path: path)
            let waiting = try StreamSocket.connecting(to: address)
            let exchange = try Exchange(.unix(path: path))
            let connection = try exchange.ask(HTTPText.message("POST /", body: "ab"))
            #expect(connection.update(at: begin) == .unwatch)
            var moment = begin
            // The pauses are 1, 2, 4, 8 and then 16 milliseconds.
            for milliseconds in [1, 3, 7, 15, 31, 47, 63] {
                moment = try #require(connection.deadline(at: moment))
                #expect(moment == begin.advanced(milliseconds: Int64(milliseconds)))
                #expect(connection.expire(at: moment) == .unwatch)
            }
            if isTooLate {
                #expect(connection.expire(at: begin.advanced(milliseconds: 1_999)) == .unwatch)
                #expect(connection.deadline(at: begin.advanced(milliseconds: 1_999)) == UpstreamTrial.second(2))
                #expect(connection.expire(at: UpstreamTrial.second(2)) == .close)
                #expect(exchange.response().hasPrefix("HTTP/1.1 504 "))
            } else {
                _ = try listener.accept()
                #expect(connection.expire(at: begin.advanced(milliseconds: 79)) == .watch(.write))
                let server = Server(try listener.accept())
                exchange.handle(connection)
                server.send(Self.response)
                exchange.handle(connection)
                #expect(exchange.response().hasSuffix("ok"))
            }
            #expect(waiting.connectError == nil)
        }
    }
}
