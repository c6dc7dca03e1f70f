import Glibc
import TestSupport
import Testing

@testable import EventLoop
@testable import Sockets
@testable import Upstreams

/// The results of the prober for a server on a Unix socket whose queue is full.
struct HealthProberTests {
    /// The server's end of a probe's connection.
    private final class Peer {
        private let socket: StreamSocket

        init(_ socket: consuming StreamSocket) { self.socket = socket }

        func respond(_ text: String) {
            let writeBuffer = WriteBuffer()
            writeBuffer.append(Array(text.utf8).span)
            _ = writeBuffer.send(on: socket)
        }
    }

    /// A running prober and a server on a Unix socket whose queue is full. It is probed once; one result changes its health.
    private final class Trial {
        let upstream: Upstream
        private var listener: NarrowListener?
        /// The connection that fills the queue.
        private let waiting: StreamSocket
        /// A server that is probed all the time.
        private let other: Listener
        private let directory: TemporaryDirectory
        private let prober: HealthProber
        private var peer: Peer?

        init(timeout: Duration) throws {
            directory = try TemporaryDirectory()
            let path = "\(directory.path)/server"
            let otherPath = "\(directory.path)/other"
            listener = try NarrowListener(at: path)
            waiting = try StreamSocket.connecting(to: SocketAddress(path: path))
            other = try Listener(.unix(path: otherPath))
            let check = HealthCheck(
                path: "/h", interval: .seconds(3600), timeout: timeout, healthyAfter: 1, unhealthyAfter: 1)
            let upstreams = UpstreamDirectory()
            let prepared = upstreams.prepare([
                UpstreamTrial.configuration([.unix(path: "\(path)")], health: check),
                UpstreamTrial.configuration(
                    [.unix(path: "\(otherPath)")], name: "other",
                    health: HealthCheck(path: "/h", interval: .milliseconds(50))),
            ])
            upstreams.use(prepared)
            upstream = prepared[0]
            prober = try HealthProber(upstreams)
            try prober.start()
        }

        deinit { prober.end() }

        var isHealthy: Bool { upstream.health.contains { $0.health.isHealthy } }

        /// Whether the server was probed: the other server is probed in the same round, and then again in another round.
        func wasAsked() -> Bool {
            var count = 0
            return waits {
                if case .connection = other.accept() { count += 1 }
                return count >= 2
            }
        }

        /// Makes room in the queue and responds to the probe that arrives; false if none arrives.
        func respond(_ text: String) throws -> Bool {
            _ = try listener?.accept()
            let hasCome = waits { takesNext() }
            peer?.respond(text)
            return hasCome
        }

        private func takesNext() -> Bool {
            guard let listener else { return false }
            do { peer = Peer(try listener.accept()) } catch { return false }
            return true
        }

        func endListening() { listener = nil }
    }

    @Test func `a Unix socket with a full queue stays healthy, and is used again later`() throws {
        let trial = try Trial(timeout: .seconds(600))
        #expect(trial.wasAsked())
        #expect(trial.isHealthy)
        // The server is marked unhealthy in another way, so that a good result has an effect.
        trial.upstream.probed(trial.upstream.servers[0], isGood: false)
        #expect(!trial.isHealthy)
        #expect(try trial.respond("HTTP/1.1 204 No Content\r\n\r\n"))
        #expect(waits { trial.isHealthy })
    }

    @Test func `after its time, an ejection ends with a response to a check`() throws {
        let trial = try Trial(timeout: .seconds(600))
        #expect(trial.wasAsked())
        let isInUse = { trial.upstream.health.contains { $0.health.isInUse } }
        let past = SystemClock.monotonic().advanced(milliseconds: -20_000)
        for _ in 0..<ServerHealth.maxFailures {
            trial.upstream.connectionFailed(trial.upstream.servers[0], at: past)
        }
        #expect(!isInUse())
        #expect(try trial.respond("HTTP/1.1 204 No Content\r\n\r\n"))
        #expect(waits(until: isInUse))
    }

    @Test func `a local server whose queue stays full during a check is unhealthy`() throws {
        let begin = SystemClock.monotonic()
        let trial = try Trial(timeout: .milliseconds(500))
        #expect(waits { !trial.isHealthy })
        #expect(SystemClock.monotonic() >= begin.advanced(milliseconds: 500))
    }

    @Test func `a local server that ends while a check waits is unhealthy at once`() throws {
        let trial = try Trial(timeout: .seconds(600))
        #expect(trial.wasAsked())
        #expect(trial.isHealthy)
        trial.endListening()
        #expect(waits { !trial.isHealthy })
    }

    /// Waits for a connection to `listener`; nil if none comes.
    private static func connection(to listener: Listener) -> Peer? {
        for _ in 0..<6000 {
            if case .connection(let socket, _) = listener.accept() { return Peer(socket) }
            usleep(10_000)
        }
        return nil
    }

    @Test func `a server is checked as soon as its name has an address`() throws {
        let listener = try Listener(.tcp(host: "127.0.0.1", port: 0))
        guard case .tcp(let host, let port) = listener.address else { throw SystemCallError(call: "listen", number: 0) }
        let server = UpstreamServer.tcp(host: "later.invalid", port: port)
        let upstreams = UpstreamDirectory()
        let check = HealthCheck(path: "/h", interval: .seconds(3600), timeout: .seconds(600))
        let prepared = upstreams.prepare([UpstreamTrial.configuration([server], health: check)])
        upstreams.use(prepared)
        let prober = try HealthProber(upstreams)
        try prober.start()
        defer { prober.end() }
        // Enough time for a prober that does not wait for addresses.
        usleep(100_000)
        let address = try #require(SocketAddress.literal(host: host, port: port))
        prepared[0].resolved(server, to: [ServerAddress(server: server, address: address)])
        #expect(Self.connection(to: listener) != nil)
    }

    @Test func `the first checks are sent at once`() throws {
        let listener = try Listener(.tcp(host: "127.0.0.1", port: 0))
        guard case .tcp(let host, let port) = listener.address else { throw SystemCallError(call: "listen", number: 0) }
        let server = UpstreamServer.tcp(host: host, port: port)
        let upstreams = UpstreamDirectory()
        // This check ends before the prober looks for new addresses.
        let check = HealthCheck(
            path: "/h", interval: .seconds(3600), timeout: .milliseconds(700), healthyAfter: 1, unhealthyAfter: 1)
        let prepared = upstreams.prepare([UpstreamTrial.configuration([server], health: check)])
        prepared[0].probed(prepared[0].servers[0], isGood: false)
        upstreams.use(prepared)
        let prober = try HealthProber(upstreams)
        try prober.start()
        defer { prober.end() }
        let peer = try #require(Self.connection(to: listener))
        peer.respond("HTTP/1.1 204 No Content\r\n\r\n")
        #expect(waits { prepared[0].health.contains { $0.health.isHealthy } })
    }

    @Test func `a server that does not respond has one check at a time`() throws {
        let directory = try TemporaryDirectory()
        // The other server is probed as often, and its connections are closed at once, so each one ends its check.
        let (silent, other) = (
            try Listener(.unix(path: "\(directory.path)/silent")), try Listener(.unix(path: "\(directory.path)/other"))
        )
        let check = HealthCheck(path: "/h", interval: .milliseconds(20), timeout: .seconds(600))
        let upstreams = UpstreamDirectory()
        let servers = ["silent", "other"].map { UpstreamServer.unix(path: "\(directory.path)/\($0)") }
        upstreams.use(upstreams.prepare([UpstreamTrial.configuration(servers, health: check)]))
        let prober = try HealthProber(upstreams)
        try prober.start()
        defer { prober.end() }
        var count = 0
        #expect(
            waits {
                if case .connection = other.accept() { count += 1 }
                return count >= 10
            })
        let peer = try #require(Self.connection(to: silent))
        if case .connection = silent.accept() { Issue.record("a second check has begun") }
        withExtendedLifetime(peer) {}
    }
}
