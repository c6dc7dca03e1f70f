import EventLoop
import HTTPWire
import Sockets

// queueing → connecting → sent → answered → gone; most begin with connecting. The verdict is reported once: from the
// header of the response, or from whatever ends the question before that. After the header, the rest of the response is
// read, so that the server gets no reset for it. A question that is queueing must not be watched, because its socket
// has no events. It must be sent again when `connectsAgain` says so.

/// One health check of a server, on a connection of its own.
struct HealthQuestion: ~Copyable {
    /// The most bytes of a response that are read.
    private static let maxAnswerBytes = 64 * 1024

    /// The result of a step.
    package enum Outcome: Sendable, Hashable {
        case waiting
        /// The status of the response; nil if there was none.
        case verdict(Int?)
        /// The check has ended.
        case over
    }

    private enum Phase: Equatable {
        /// The queue of the Unix socket is full, so the check connects again later.
        case queueing(ConnectPause, until: MonotonicTime)
        case connecting, connected
    }

    let socket: StreamSocket
    private let address: SocketAddress
    private var phase: Phase
    private var wire = ClientConnection(limits: .upstream)
    private let outbox = Outbox()
    private var receivedBytes = 0

    /// Begins to connect.
    ///
    /// - Throws: the reason if the connection is impossible, for example a Unix socket without a listener.
    init(
        _ server: ServerAddress, _ configuration: UpstreamConfiguration, path: String, at now: MonotonicTime
    ) throws(SystemCallError) {
        let socket = try StreamSocket.unconnected(for: server.address)
        phase = try Self.connect(socket, to: server.address, ConnectPause(), at: now)
        self.socket = socket
        address = server.address
        var fields = Fields()
        fields.append("User-Agent", "convert-server")
        fields.append("Accept", "*/*")
        var host = server.server.authority
        if case .literal(let name) = configuration.host { host = name }
        var request: [UInt8] = []
        wire.startRequest(
            OutgoingRequest(method: .get, target: Array(path.utf8), host: host, fields: fields), body: .none,
            into: &request)
        wire.endRequest(into: &request)
        outbox.append(request)
    }

    /// The time of the next attempt to connect; nil unless the check is queueing.
    var connectsAgain: MonotonicTime? {
        guard case .queueing(_, let moment) = phase else { return nil }
        return moment
    }

    /// Tries again to connect, at the time of `connectsAgain`.
    ///
    /// - Throws: the reason if the connection is no longer possible.
    mutating func connectAgain(at now: MonotonicTime) throws(SystemCallError) {
        guard case .queueing(let pause, _) = phase else { return }
        phase = try Self.connect(socket, to: address, pause.next, at: now)
    }

    private static func connect(
        _ socket: borrowing StreamSocket, to address: SocketAddress, _ pause: ConnectPause, at now: MonotonicTime
    ) throws(SystemCallError) -> Phase {
        if try socket.connect(to: address) { return .connecting }
        return .queueing(pause, until: pause.end(from: now))
    }

    var interest: PollInterest { outbox.isEmpty ? .read : .write }

    /// Sends or reads, as the socket allows.
    mutating func step(_ buffer: inout ReadBuffer) -> Outcome {
        switch phase {
        case .queueing: return .waiting
        case .connecting:
            guard socket.connectFault == nil else { return .verdict(nil) }
            phase = .connected
        case .connected: break
        }
        if !outbox.isEmpty {
            return outbox.send(on: socket) == .failed ? .verdict(nil) : .waiting
        }
        let isAnswered = wire.waitingFor != .head
        switch socket.read(into: &buffer) {
        case .wouldBlock: return .waiting
        case .failed: return isAnswered ? .over : .verdict(nil)
        case .bytes(0):
            return isAnswered ? .over : .verdict(nil)
        case .bytes(let count):
            receivedBytes += count
            return take(buffer.bytes)
        }
    }

    private mutating func take(_ bytes: Span<UInt8>) -> Outcome {
        let isAnswered = wire.waitingFor != .head
        var position = 0
        var outcome = Outcome.waiting
        do throws(WireError) {
            while true {
                switch try wire.next(bytes, at: &position) {
                case .head: outcome = .verdict(wire.response.status)
                case .needMore:
                    let isTooLong = receivedBytes > Self.maxAnswerBytes
                    return isTooLong && outcome == .waiting && wire.waitingFor != .head ? .over : outcome
                case .end: return outcome == .waiting ? .over : outcome
                case .informational, .body, .tunnel: break
                }
            }
        } catch {
            // Anything may follow the header; without a header there is no response.
            guard outcome == .waiting else { return outcome }
            return isAnswered ? .over : .verdict(nil)
        }
    }

    /// Whether the whole response was read.
    var isOver: Bool { phase == .connected && wire.waitingFor == .nothing }
}
