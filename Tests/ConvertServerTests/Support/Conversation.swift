import TestSupport

@testable import ConvertServer
@testable import EventLoop
@testable import HTTPServer
@testable import Sockets

/// A session that receives bytes and times, and collects its output.
struct Conversation: ~Copyable {
    let session: Session
    private let pair: SocketPair
    private(set) var output: [UInt8] = []
    /// The maximum number of bytes that waited to be sent.
    private(set) var mostWaitingBytes = 0
    var now = MonotonicTime(nanoseconds: 0)

    init(_ configuration: ServerConfiguration = ServerConfiguration()) throws {
        try self.init(HTTPContext(configuration))
    }

    /// A session with services that it shares with others.
    init(_ context: HTTPContext) throws {
        context.accessLog.setWallTime(nanoseconds: 784_111_777_000_000_000)
        context.fields.setWallTime(nanoseconds: 784_111_777_000_000_000)
        session = Session(context)
        pair = try SocketPair()
    }

    var text: String { String(decoding: output, as: UTF8.self) }

    /// Passes the bytes to the session, and sends the output until no work is left.
    mutating func receive(_ text: String) { receive(Array(text.utf8)) }

    mutating func receive(_ bytes: [UInt8]) {
        session.receive(bytes.span, at: now)
        drain()
    }

    mutating func drain() {
        while true {
            mostWaitingBytes = max(mostWaitingBytes, session.writeBuffer.count)
            _ = session.send(on: pair.server)
            let received = pair.received()
            output += received
            if session.wantsToResume { session.resume(at: now) } else if received.isEmpty { return }
        }
    }

    mutating func end() {
        session.inputEnded(at: now)
        drain()
    }
}
