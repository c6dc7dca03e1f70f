import TestSupport

@testable import EventLoop
@testable package import HTTPServer
@testable package import Sockets

/// A session that receives bytes and times, and collects its output.
package struct Conversation: ~Copyable {
    package let session: Session
    private let pair: SocketPair
    package private(set) var output: [UInt8] = []
    /// The maximum number of bytes that waited to be sent.
    package private(set) var mostWaitingBytes = 0
    package var now = MonotonicTime(nanoseconds: 0)

    package init(_ configuration: ServerConfiguration = ServerConfiguration()) throws {
        try self.init(HTTPContext(configuration))
    }

    /// A session with services that it shares with others.
    package init(_ context: HTTPContext) throws {
        context.accessLog.setWallTime(nanoseconds: 784_111_777_000_000_000)
        context.fields.setWallTime(nanoseconds: 784_111_777_000_000_000)
        session = Session(context)
        pair = try SocketPair()
    }

    package var text: String { String(decoding: output, as: UTF8.self) }

    /// Passes the bytes to the session, and sends the output until no work is left.
    package mutating func receive(_ text: String) { receive(Array(text.utf8)) }

    package mutating func receive(_ bytes: [UInt8]) {
        session.receive(bytes.span, at: now)
        drain()
    }

    package mutating func drain() {
        while true {
            mostWaitingBytes = max(mostWaitingBytes, session.writeBuffer.count)
            _ = session.send(on: pair.server)
            let received = pair.received()
            output += received
            if session.wantsToResume { session.resume(at: now) } else if received.isEmpty { return }
        }
    }

    package mutating func end() {
        session.inputEnded(at: now)
        drain()
    }
}
