import ConvertCore
import Sockets
import Testing

@testable import ConvertServer
@testable import EventLoop

struct OutboxTests {
    @Test func `bytes leave in the order they came, however little the socket takes`() throws {
        let pair = try SocketPair()
        let outbox = Outbox()
        var expected: [UInt8] = []
        var received: [UInt8] = []
        var random = SystemRandomNumberGenerator()
        for round in 0..<400 {
            let bytes = [UInt8](
                repeating: UInt8(truncatingIfNeeded: round), count: .random(in: 0...60_000, using: &random))
            expected += bytes
            if round % 3 == 0 {
                outbox.append(bytes)
            } else {
                var buffer = ByteBuffer()
                buffer.append(bytes)
                outbox.take(&buffer)
                let left = buffer.count
                #expect(left == 0)
            }
            // Some rounds pile up; a local socket then takes only a part at once.
            guard round % 5 == 4 else { continue }
            _ = outbox.send(on: pair.server)
            received += pair.received()
            #expect(outbox.count == expected.count - received.count)
        }
        while !outbox.isEmpty {
            _ = outbox.send(on: pair.server)
            received += pair.received()
        }
        #expect(received == expected)
    }

    @Test func `a peer that is gone is told as a failure and nothing else`() throws {
        let outbox = Outbox()
        outbox.append(Array("x".utf8))
        let pair = try SocketPair()
        pair.closeClient()
        #expect(outbox.send(on: pair.server) == .failed)
        #expect(outbox.count == 1)
    }

    /// What a slow but steady peer has taken is let go, though something always waits for it.
    @Test func `a queue that never empties keeps little more than what waits`() throws {
        let pair = try SocketPair()
        let outbox = Outbox()
        let piece = [UInt8](repeating: 7, count: 8 * 1024)
        while outbox.count < 64 * 1024 {
            outbox.append(piece)
            _ = outbox.send(on: pair.server)
        }
        var received = 0
        while received < 64 << 20 {
            received += pair.received().count
            repeat {
                outbox.append(piece)
                _ = outbox.send(on: pair.server)
            } while outbox.count < 64 * 1024
            try #require(outbox.storedBytes < 512 * 1024, "\(outbox.storedBytes) after \(received) bytes")
        }
    }
}
