import HTTPWire

// connecting → sent → answered → gone. The verdict is told once: by the answer's head, or by whatever ends the question before
// that. After the head the rest of the answer is read, so that the server is not reset for having answered.

/// One question for a server's health, on a connection of its own.
struct HealthQuestion: ~Copyable {
    /// Of an answer, beyond which it is not read on.
    private static let maxAnswerBytes = 64 * 1024

    /// What a step has led to.
    enum Outcome: Sendable, Hashable {
        case waiting
        /// The status that was answered; nil for none.
        case verdict(Int?)
        /// Nothing more is to come.
        case over
    }

    let socket: StreamSocket
    private var wire = ClientConnection(limits: .upstream)
    private let outbox = Outbox()
    private var isConnected = false
    private var receivedBytes = 0

    /// Begins to connect.
    init(_ server: ServerAddress, _ configuration: UpstreamConfiguration, path: String) throws(SystemCallError) {
        socket = try StreamSocket.connecting(to: server.address)
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

    var interest: PollInterest { outbox.isEmpty ? .read : .write }

    /// Goes on with what the socket is ready for.
    mutating func step(_ buffer: inout ReadBuffer) -> Outcome {
        if !isConnected {
            guard socket.connectFault == nil else { return .verdict(nil) }
            isConnected = true
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
            return outcome == .waiting && wire.waitingFor == .head ? .verdict(nil) : .over
        }
    }

    /// Whether there is nothing more to be read.
    var isOver: Bool { isConnected && wire.waitingFor == .nothing }
}
