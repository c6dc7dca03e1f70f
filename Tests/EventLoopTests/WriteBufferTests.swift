import ConvertEngine
import Sockets
import TestSupport
import Testing

@testable import EventLoop

struct WriteBufferTests {
    @Test func `bytes are sent in order, however few the socket accepts at once`() throws {
        let pair = try SocketPair()
        let writeBuffer = WriteBuffer()
        var expected: [UInt8] = []
        var received: [UInt8] = []
        var random = SeededGenerator(seed: 1)
        for round in 0..<400 {
            let bytes = [UInt8](
                repeating: UInt8(truncatingIfNeeded: round), count: .random(in: 0...60_000, using: &random))
            expected += bytes
            if round % 3 == 0 {
                writeBuffer.append(bytes.span)
            } else {
                var buffer = ByteBuffer()
                buffer.append(bytes)
                writeBuffer.take(&buffer)
                let left = buffer.count
                #expect(left == 0)
            }
            // Several rounds are buffered, so that a Unix socket accepts only a part at once.
            guard round % 5 == 4 else { continue }
            _ = writeBuffer.send(on: pair.server)
            received += pair.received()
            #expect(writeBuffer.count == expected.count - received.count)
        }
        while !writeBuffer.isEmpty {
            _ = writeBuffer.send(on: pair.server)
            received += pair.received()
        }
        #expect(received == expected)
    }

    @Test func `a disconnected peer is reported as a failure only`() throws {
        let writeBuffer = WriteBuffer()
        writeBuffer.append(Array("x".utf8).span)
        let pair = try SocketPair()
        pair.closeClient()
        #expect(writeBuffer.send(on: pair.server) == .failed)
        #expect(writeBuffer.count == 1)
    }

    /// The bytes that a slow but steady peer has read are released, although some bytes always wait for it.
    @Test func `a queue that is never empty stores little more than the waiting bytes`() throws {
        let pair = try SocketPair()
        let writeBuffer = WriteBuffer()
        let piece = [UInt8](repeating: 7, count: 8 * 1024)
        while writeBuffer.count < 64 * 1024 {
            writeBuffer.append(piece.span)
            _ = writeBuffer.send(on: pair.server)
        }
        var received = 0
        while received < 64 << 20 {
            received += pair.received().count
            repeat {
                writeBuffer.append(piece.span)
                _ = writeBuffer.send(on: pair.server)
            } while writeBuffer.count < 64 * 1024
            try #require(writeBuffer.storedBytes < 512 * 1024, "\(writeBuffer.storedBytes) after \(received) bytes")
        }
    }
}
