import TestSupport
import Testing

@testable import ConvertEngine

struct ByteBufferTests {
    @Test func `bytes do not change while the buffer grows and shrinks`() {
        var random = SeededGenerator(seed: 3)
        var buffer = ByteBuffer()
        var model: [UInt8] = []
        for step in 0..<2000 {
            let byte = UInt8(truncatingIfNeeded: step)
            let count = Int.random(in: 0...70, using: &random)
            switch Int.random(in: 0...7, using: &random) {
            case 0, 1:
                buffer.append(byte)
                model.append(byte)
            case 2:
                buffer.append(repeating: byte, count: count)
                model += [UInt8](repeating: byte, count: count)
            case 3:
                let bytes = (0..<count).map { UInt8($0) &+ byte }
                buffer.append(bytes)
                model += bytes
            case 4:
                buffer.append(utf8: "é語😀\(step)")
                model += Array("é語😀\(step)".utf8)
            case 5:
                buffer.truncate(to: max(0, model.count - count))
                model.removeLast(min(count, model.count))
            case 6 where step % 50 == 0:
                buffer.removeAll()
                model.removeAll()
            default:
                let removed = min(count, model.count)
                buffer.removeFirst(removed)
                model.removeFirst(removed)
            }
            #expect(buffer.count == model.count && buffer.capacity >= buffer.count)
        }
        #expect([UInt8](buffer) == model && buffer.bytes.equals(model.span))
        for index in model.indices { #expect(buffer[index] == model[index]) }
    }

    @Test func `any range is appended, without the rest of its blocks`() {
        var source = ByteBuffer()
        source.append((0..<100).map { UInt8($0) })
        source.padWithSlack()
        for start in [0, 1, 15, 16, 50, 100] {
            for length in 0...(100 - start) {
                var target = ByteBuffer()
                target.append(UInt8.max)
                target.append(source, from: start, length: length)
                #expect([UInt8](target) == [UInt8.max] + (start..<(start + length)).map { UInt8($0) })
            }
        }
    }

    /// Example of RFC 6455 §5.7: a masked text message with the content `Hello`.
    @Test func `bytes are masked with a key that repeats, from any position on`() {
        var hello = ByteBuffer()
        hello.append(Array("Hello".utf8))
        hello.mask(from: 0, with: [0x37, 0xFA, 0x21, 0x3D])
        #expect([UInt8](hello) == [0x7F, 0x9F, 0x4D, 0x51, 0x58])

        let bytes = (0..<100).map { UInt8($0) }
        for start in [0, 1, 3, 16, 84, 85, 99, 100] {
            var buffer = ByteBuffer()
            buffer.append(bytes)
            buffer.mask(from: start, with: [1, 2, 4, 8])
            let key = [1, 2, 4, 8] as [UInt8]
            let expected = bytes.indices.map { $0 < start ? bytes[$0] : bytes[$0] ^ key[($0 - start) % 4] }
            #expect([UInt8](buffer) == expected, "\(start)")
            buffer.mask(from: start, with: [1, 2, 4, 8])
            buffer.replace(7, with: 9, from: start)
            #expect([UInt8](buffer) == bytes.map { $0 == 7 && start <= 7 ? 9 : $0 }, "\(start)")
        }
    }

    @Test func `equal bytes have equal hashes at any address, and different bytes have different hashes`() {
        var hashes: Set<UInt64> = []
        for length in 0...40 {
            for variant in 0..<4 {
                var name = [UInt8](repeating: 7, count: length)
                if length > 0, variant > 0 { name[[0, length / 2, length - 1][variant - 1]] ^= 1 }
                var seen: Set<UInt64> = []
                for start in [0, 1, 9] {
                    var buffer = ByteBuffer()
                    buffer.append(repeating: UInt8(start), count: start)
                    buffer.append(name)
                    buffer.append(repeating: UInt8(start) &+ 100, count: 40)
                    buffer.padWithSlack()
                    seen.insert(buffer.hash(from: start, length: length, seed: 42))
                }
                #expect(seen.count == 1, "length \(length)")
                hashes.formUnion(seen)
            }
        }
        // 41 lengths: 1 variant of 0 bytes, 2 of 1 byte, 3 of 2 bytes, and 4 of each longer length.
        #expect(hashes.count == 1 + 2 + 3 + 38 * 4)
    }
}
