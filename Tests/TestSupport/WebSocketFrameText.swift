/// WebSocket frames, built and read as RFC 6455 §5.2 draws them, independently of the program.
package struct WebSocketFrameText: Equatable, CustomStringConvertible {
    package var isFinal = true
    package var opcode: UInt8
    package var payload: [UInt8]
    package var key: [UInt8]?

    package init(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, key: [UInt8]? = nil) {
        (self.opcode, self.payload, self.isFinal, self.key) = (opcode, payload, isFinal, key)
    }

    package init(_ opcode: UInt8, _ text: String, isFinal: Bool = true, key: [UInt8]? = nil) {
        self.init(opcode, Array(text.utf8), isFinal: isFinal, key: key)
    }

    /// A close frame.
    package init(closing code: Int, _ reason: String = "", key: [UInt8]? = nil) {
        self.init(8, [UInt8(code / 256), UInt8(code % 256)] + Array(reason.utf8), key: key)
    }

    package var description: String {
        "\(opcode)\(isFinal ? "" : "…") \(String(decoding: payload, as: UTF8.self).prefix(60))"
    }

    /// The frame without its key, for comparisons.
    package var unmasked: Self { Self(opcode, payload, isFinal: isFinal) }

    package var bytes: [UInt8] {
        var bytes = [(isFinal ? 128 : 0) + opcode]
        let mask: UInt8 = key == nil ? 0 : 128
        let count = payload.count
        if count < 126 {
            bytes.append(mask + UInt8(count))
        } else if count < 65536 {
            bytes += [mask + 126, UInt8(count / 256), UInt8(count % 256)]
        } else {
            bytes.append(mask + 127)
            bytes += (0..<8).reversed().map { UInt8(count / (1 << (8 * $0)) % 256) }
        }
        guard let key else { return bytes + payload }
        return bytes + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    /// The first frame of some bytes and its length; nil if it is incomplete.
    package static func first(of bytes: ArraySlice<UInt8>) -> (frame: Self, count: Int)? {
        let bytes = Array(bytes)
        guard bytes.count >= 2 else { return nil }
        var start = 2
        var count = Int(bytes[1] % 128)
        if count > 125 {
            let width = count == 126 ? 2 : 8
            guard bytes.count >= 2 + width else { return nil }
            count = bytes[2..<2 + width].reduce(0) { $0 * 256 + Int($1) }
            start += width
        }
        let isMasked = bytes[1] >= 128
        if isMasked { start += 4 }
        guard bytes.count >= start + count else { return nil }
        let key = isMasked ? Array(bytes[start - 4..<start]) : nil
        let payload = bytes[start..<start + count].enumerated().map { offset, byte in
            key.map { byte ^ $0[offset % 4] } ?? byte
        }
        return (Self(bytes[0] % 16, payload, isFinal: bytes[0] >= 128, key: key), start + count)
    }

    /// All frames of some bytes; nil if they end inside a frame.
    package static func all(of bytes: [UInt8]) -> [Self]? {
        var rest = bytes[...]
        var frames: [Self] = []
        while !rest.isEmpty {
            guard let (frame, count) = first(of: rest) else { return nil }
            frames.append(frame)
            rest = rest.dropFirst(count)
        }
        return frames
    }
}
