import ConvertEngine
import EventLoop
import HTTPWire
import Sockets

/// One connection: its socket, its wire, the received body and the responses that wait.
final class EchoConnection {
    /// The date is constant, since the server reads no clock.
    private static let date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
    private static let fields: Fields = {
        var fields = Fields()
        fields.append("Content-Type", "application/json")
        return fields
    }()

    private let socket: StreamSocket
    private var wire = ServerConnection()
    private var writeBuffer = WriteBuffer()
    private var body = ByteBuffer()
    /// Whether the connection ends once all responses are sent.
    private var isLast = false

    init(_ socket: consuming StreamSocket) { self.socket = socket }

    var number: Int32 { socket.number }
    /// Whether the peer must take some output before more is read.
    var isBlocked: Bool { !writeBuffer.isEmpty }

    /// Reads, responds and sends; false when the connection is over.
    func handle(_ event: PollEvent, _ buffer: inout ReadBuffer) -> Bool {
        if event.isReadable, !isBlocked {
            switch socket.read(into: &buffer) {
            case .bytes(0), .failed: return false
            case .wouldBlock: break
            case .bytes: isLast = !respondToRequests(buffer.bytes)
            }
        }
        if isBlocked, case .failed = writeBuffer.send(on: socket) { return false }
        return isBlocked || !isLast
    }

    /// Responds to each complete request; false if no further request can follow.
    private func respondToRequests(_ input: Span<UInt8>) -> Bool {
        var position = 0
        // The part of the input that belongs to the body; it is copied only if it has to wait.
        var fresh = 0..<0
        defer { body.append(input.extracting(fresh)) }
        while let event = try? wire.next(input, at: &position) {
            switch event {
            case .head: break
            case .body(let range):
                body.append(input.extracting(fresh))
                fresh = range
            case .end:
                respond(input.extracting(fresh))
                fresh = 0..<0
            case .needMore, .paused: return true
            case .tunnel, .finished: return false
            }
        }
        return false
    }

    /// Responds with the copied body and its last part. The last part goes to the system without a copy if nothing waits.
    private func respond(_ last: Span<UInt8>) {
        let count = body.count + last.count
        var lead: [UInt8] = []
        var trail: [UInt8] = []
        wire.startResponse(
            ResponseHead(status: 200, fields: Self.fields), body: .sized(count), date: Self.date, into: &lead)
        wire.startBodyPart(of: count, into: &lead)
        wire.endBodyPart(into: &trail)
        _ = wire.endResponse(into: &trail)
        var sent = 0
        if writeBuffer.isEmpty, body.isEmpty, case .bytes(let count) = socket.write(lead.span, last, trail.span) {
            sent = count
        }
        writeBuffer.append(lead.span.extracting(droppingFirst: min(sent, lead.count)))
        writeBuffer.take(&body)
        writeBuffer.append(last.extracting(droppingFirst: min(max(sent - lead.count, 0), last.count)))
        writeBuffer.append(trail.span.extracting(droppingFirst: max(sent - lead.count - last.count, 0)))
    }
}
