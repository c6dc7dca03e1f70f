import ConvertCore
import HTTPWire

/// One connection: its socket, its wire, the body that has come and the answers that wait.
final class EchoConnection {
    /// As long as no clock is read it is always the same.
    private static let date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
    private static let fields: Fields = {
        var fields = Fields()
        fields.append("Content-Type", "application/json")
        return fields
    }()

    private let socket: StreamSocket
    private var wire = ServerConnection()
    private var outbox = Outbox()
    private var body = ByteBuffer()
    /// Whether the connection ends once all answers are sent.
    private var isLast = false

    init(_ socket: consuming StreamSocket) { self.socket = socket }

    var number: Int32 { socket.number }
    /// Whether the peer has to take something before more is read.
    var isBlocked: Bool { !outbox.isEmpty }

    /// Reads, answers and sends; false when the connection is over.
    func handle(_ event: PollEvent, _ buffer: inout ReadBuffer) -> Bool {
        if event.isReadable, !isBlocked {
            switch socket.read(into: &buffer) {
            case .bytes(0), .failed: return false
            case .wouldBlock: break
            case .bytes: isLast = !answer(buffer.bytes)
            }
        }
        if isBlocked, case .failed = outbox.send(on: socket) { return false }
        return isBlocked || !isLast
    }

    /// Answers what has come in full; false where nothing more is to be answered.
    private func answer(_ input: Span<UInt8>) -> Bool {
        var position = 0
        while let event = try? wire.next(input, at: &position) {
            switch event {
            case .head: body.removeAll()
            case .body(let range): body.append(input.extracting(range))
            case .end: respond()
            case .needMore, .paused: return true
            case .tunnel, .finished: return false
            }
        }
        return false
    }

    private func respond() {
        let count = body.count
        let head = ResponseHead(status: 200, fields: Self.fields)
        outbox.write { wire.startResponse(head, body: .sized(count), date: Self.date, into: &$0) }
        outbox.write { wire.startBodyPart(of: count, into: &$0) }
        outbox.take(&body)
        outbox.write { wire.endBodyPart(into: &$0) }
        _ = outbox.write { wire.endResponse(into: &$0) }
    }
}
