// RFC 6455 §5.2:
//
//      0                   1                   2                   3
//      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//     +-+-+-+-+-------+-+-------------+-------------------------------+
//     |F|R|R|R| opcode|M| Payload len |    Extended payload length    |
//     |I|S|S|S|  (4)  |A|     (7)     |             (16/64)           |
//     |N|V|V|V|       |S|             |   (if payload len==126/127)   |
//     | |1|2|3|       |K|             |                               |
//     +-+-+-+-+-------+-+-------------+ - - - - - - - - - - - - - - - +
//     |    Extended payload length continued, then the masking key    |
//     +---------------------------------------------------------------+

/// The header of a WebSocket frame.
struct FrameHeader: Sendable {
    enum Opcode: UInt8, Sendable {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { rawValue >= Self.close.rawValue }
    }

    typealias Key = InlineArray<4, UInt8>

    /// Whether the frame is the last one of its message.
    let isFinal: Bool
    let opcode: Opcode
    /// Nil if the payload is not masked.
    let key: Key?
    /// Bytes of the payload.
    let length: Int

    static let final: UInt8 = 0b1000_0000
    static let masked: UInt8 = 0b1000_0000
    private static let reserved: UInt8 = 0b0111_0000
    private static let opcodeBits: UInt8 = 0b0000_1111
    private static let lengthBits: UInt8 = 0b0111_1111
    /// Values of the 7 bits that announce a length of 16 or 64 bits.
    static let has16Bits = 126
    static let has64Bits = 127
    private static let keyBytes = 4
    /// The longest payload of a control frame, and of any frame with a length of 7 bits.
    static let maxShortLength = 125

    /// The number of bytes of the header that begins with these bytes; 2 until its second byte has arrived.
    static func count(of bytes: Span<UInt8>) -> Int {
        bytes.count < 2 ? 2 : 2 + lengthBytes(bytes[1]) + (bytes[1] & masked == 0 ? 0 : keyBytes)
    }

    private static func lengthBytes(_ byte: UInt8) -> Int {
        switch Int(byte & lengthBits) {
        case has16Bits: 2
        case has64Bits: 8
        default: 0
        }
    }

    /// Reads a complete header.
    init(_ bytes: Span<UInt8>) throws(WebSocketError) {
        guard bytes[0] & Self.reserved == 0 else { throw .badFrame("a reserved bit is set without an extension") }
        guard let opcode = Opcode(rawValue: bytes[0] & Self.opcodeBits) else {
            throw .badFrame("the opcode is unknown")
        }
        self.opcode = opcode
        isFinal = bytes[0] & Self.final != 0
        let extended = Self.lengthBytes(bytes[1])
        var length = extended == 0 ? UInt64(bytes[1] & Self.lengthBits) : 0
        for index in 0..<extended { length = length << 8 | UInt64(bytes[2 + index]) }
        let least: UInt64 = extended == 0 ? 0 : extended == 2 ? UInt64(Self.maxShortLength) + 1 : UInt64(UInt16.max) + 1
        guard length >= least, let length = Int(exactly: length) else {
            throw .badFrame("the length is too large, or not written in the shortest form")
        }
        self.length = length
        guard !opcode.isControl || isFinal && length <= Self.maxShortLength else {
            throw .badFrame("a control frame is fragmented or longer than \(Self.maxShortLength) bytes")
        }
        let start = 2 + extended
        key = bytes[1] & Self.masked == 0 ? nil : Key { bytes[start + $0] }
    }
}
