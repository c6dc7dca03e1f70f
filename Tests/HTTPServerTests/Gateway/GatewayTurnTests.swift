import GatewayTestSupport
import HTTPServerTestSupport
import HTTPWire
import TestSupport
import Testing
import Text

@testable import EventLoop
@testable import HTTPServer
@testable import Observability
@testable import Sockets
@testable import Telemetry
@testable import Upstreams

/// The amount of work that one exchange may do before others get their turn.
struct GatewayTurnTests {
    private static let profiles = ["sorted": #"{ "output": { "sortKeys": true } }"#]
    /// The members of an object that is buffered until it ends; `object` is the input and `sorted` the expected output.
    private static let members = (0..<4_000).map {
        "\"k\($0 * 37 % 4_001 + 10_000)\":\"\(String(repeating: "v", count: 500))\""
    }
    private static let object = "{\(members.joined(separator: ","))}"
    private static let sorted = "{\(members.sorted().joined(separator: ","))}"
    /// 6,400 chunks of one byte, and their data.
    private static let chunks = (
        text: (0..<6_400).map { "1\r\n\($0 % 10)\r\n" }.joined() + "0\r\n\r\n",
        data: (0..<6_400).map { "\($0 % 10)" }.joined()
    )

    /// One exchange between a client and a backend, event by event; each reading advances the clock by 0.4 ms.
    private final class Exchange {
        private let listener: Listener
        private let session: Session
        private let client: SocketPair
        private var upstream: UpstreamConnection?
        private var backend: Backend?
        private var buffer = ReadBuffer()
        private let response = WriteBuffer()
        private(set) var received: [UInt8] = []
        private(set) var forwarded: [UInt8] = []
        /// Turns in which the session continued without new input, and those in which the upstream's connection did so.
        private(set) var sessionTurns = 0
        private(set) var upstreamTurns = 0

        init(_ conversions: String) throws {
            listener = try Listener(.tcp(host: "127.0.0.1", port: 0))
            let trial = try GatewayTrial(
                routes: "{ \"match\": \"/\", \"upstream\": \"shop\"\(conversions) }",
                address: "\(listener.address)",
                profiles: GatewayTurnTests.profiles)
            var configuration = ServerConfiguration()
            // No turn ends because a buffer is full.
            configuration.highWaterBytes = 1 << 30
            var readings: Int64 = 0
            let context = HTTPContext(
                configuration,
                clock: {
                    readings += 1
                    return MonotonicTime(nanoseconds: readings * 400_000)
                })
            context.use(trial.gateway)
            session = Session(context, isPublic: true)
            session.token = PollToken(rawValue: 1)
            client = try SocketPair()
        }

        /// Continues until `isDone`, or for more events than any exchange needs.
        func run(_ request: String, response text: String, until isDone: (Exchange) -> Bool) throws {
            var unsent = Array(request.utf8)[...]
            var hasResponded = false
            for _ in 0..<20_000 where !isDone(self) {
                if session.wantsInput, !unsent.isEmpty {
                    let piece = Array(unsent.prefix(ReadBuffer.capacity))
                    unsent = unsent.dropFirst(piece.count)
                    session.receive(piece.span, at: now)
                } else if session.wantsToResume {
                    sessionTurns += 1
                    session.resume(at: now)
                }
                _ = session.send(on: client.server)
                received += client.received()
                try connect()
                handleUpstream()
                readBackend()
                guard !hasResponded, unsent.isEmpty, !forwarded.isEmpty, !session.wantsToResume else { continue }
                hasResponded = true
                response.append(Array(text.utf8).span)
            }
        }

        /// Whether the last chunk of the response has arrived.
        var hasLastChunk: Bool {
            let end = Array("\r\n0\r\n\r\n".utf8)
            return received.count > end.count && Array(received[(received.count - end.count)...]) == end
        }

        private var now: MonotonicTime { session.context.clock() }

        private func connect() throws {
            guard let opened = session.context.loop.takeOpened().first as? UpstreamConnection else { return }
            opened.token = PollToken(rawValue: 2)
            upstream = opened
            for _ in 0..<1_000 where backend == nil {
                switch listener.accept() {
                case .connection(let socket, _): backend = Backend(socket)
                default: break
                }
            }
        }

        private func handleUpstream() {
            guard let upstream, let backend else { return }
            if !response.isEmpty { _ = response.send(on: backend.socket) }
            // The event also says that the backend is gone: the bytes that it sent must still be forwarded.
            let event = PollEvent(
                token: PollToken(rawValue: 2), isReadable: true, isWritable: true, isBroken: upstreamIsQuiet)
            let next = upstream.handle(event, &buffer, at: now)
            // A connection without bytes to send asks for a writable socket in order to continue.
            switch next {
            case .watch(let interest), .watchOnly(let interest):
                if interest.contains(.write), upstreamIsQuiet { upstreamTurns += 1 }
            case .unwatch, .close: break
            }
        }

        private var upstreamIsQuiet: Bool { !forwarded.isEmpty && response.isEmpty }

        private func readBackend() {
            guard let backend else { return }
            while case .bytes(let count) = backend.socket.read(into: &buffer), count > 0 {
                forwarded.append(span: buffer.bytes)
            }
        }
    }

    /// The backend's end of its connection.
    private final class Backend {
        let socket: StreamSocket

        init(_ socket: consuming StreamSocket) { self.socket = socket }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a buffered object of a response is written in pieces, a few each turn`() throws {
        let exchange = try Exchange(#", "response": { "profile": "sorted" }"#)
        let length = Self.object.utf8.count
        try exchange.run(
            HTTPText.message("GET /"),
            response:
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(length)\r\n\r\n\(Self.object)"
        ) { $0.hasLastChunk }
        #expect(exchange.sessionTurns > 20)
        let isWhole = HTTPText.body(Self.text(exchange.received)) == Self.sorted
        #expect(isWhole)
    }

    @Test func `a buffered object of a request is written in pieces, a few each turn`() throws {
        let exchange = try Exchange(#", "request": { "profile": "sorted" }"#)
        try exchange.run(
            HTTPText.message("PUT /", ["Content-Type: application/json"], body: Self.object),
            response: "HTTP/1.1 204 No Content\r\n\r\n"
        ) { !$0.received.isEmpty }
        #expect(exchange.sessionTurns > 20)
        #expect(Self.text(exchange.received).hasPrefix("HTTP/1.1 204 "))
        let isWhole = HTTPText.body(Self.text(exchange.forwarded)) == Self.sorted
        #expect(isWhole)
    }

    @Test func `chunks of one byte use only the turns of their client and backend`() throws {
        let exchange = try Exchange("")
        try exchange.run(
            HTTPText.message("PUT /", ["Transfer-Encoding: chunked"]) + Self.chunks.text,
            response: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(Self.chunks.text)"
        ) { $0.hasLastChunk }
        // Each turn reads the clock after each part, and ends at the third reading.
        #expect(exchange.sessionTurns >= Self.chunks.data.utf8.count / 3 - 1)
        #expect(exchange.upstreamTurns >= Self.chunks.data.utf8.count / 3 - 1)
        #expect(HTTPText.body(Self.text(exchange.forwarded)) == Self.chunks.data)
        #expect(HTTPText.body(Self.text(exchange.received)) == Self.chunks.data)
    }
}
