package import ConvertEngine
import Text

// `head` collects the header of a frame. Then `frame` is set, and `remaining` counts down to the end of the frame. The
// bytes of a frame go to one of three targets:
//
// - A control frame is kept whole in `control` and written at its end, also between the fragments of a message.
// - The frames of a text message are kept as they arrived in `unit`. `payload` has the same text unmasked. Nothing is
//   written before the message is complete.
// - Frames of other messages are written as they arrive, with their masking keys. So the output may end inside a frame,
//   and only there.

/// How the messages of one direction are handled.
package struct MessageRule: Sendable, Hashable {
    /// Whether the frames come from the client. Then all frames are masked, those that are read and those that are written.
    package let isFromClient: Bool
    /// Whether text messages are payloads. Otherwise they pass unchanged.
    package let convertsText: Bool
    /// Whether only JSON objects and arrays may pass.
    package let withholds: Bool

    package init(isFromClient: Bool, convertsText: Bool, withholds: Bool = false) {
        self.isFromClient = isFromClient
        self.convertsText = convertsText
        self.withholds = withholds
    }
}

/// Splits one direction of a WebSocket connection (RFC 6455) into messages, and writes converted text messages as one frame.
///
/// Any split of the input into pieces gives the same output, except for masking keys. Frames need no buffer except those of
/// text messages that are payloads. After a close frame, all input is discarded.
package struct MessageStream: ~Copyable, Sendable, PayloadFraming {
    /// The message whose last fragment has not arrived.
    private enum Message { case none, payload, passing }

    private let rule: MessageRule
    private let maxUnitBytes: Int
    private var head: [UInt8] = []
    private var frame: FrameHeader?
    /// Bytes of the frame's payload that have not arrived.
    private var remaining = 0
    private var message = Message.none
    private var control = ByteBuffer()
    private var unit = ByteBuffer()
    /// The current text message, with carriage returns instead of line feeds.
    package private(set) var payload = ByteBuffer()
    private var isFound = false
    private var hasClosed = false

    /// Begins after the handshake.
    ///
    /// - Parameter maxUnitBytes: the limit for a text message that is a payload, with the headers of its frames.
    package init(_ rule: MessageRule, maxUnitBytes: Int) {
        self.rule = rule
        self.maxUnitBytes = maxUnitBytes
    }

    /// Takes bytes from `position` on, up to the end of the next message, and moves `position`.
    package mutating func take(
        _ bytes: Span<UInt8>, at position: inout Int, into output: inout ByteBuffer
    ) throws(WebSocketError) -> PayloadStream.Step {
        precondition(!isFound, "the last payload was neither written, passed nor discarded")
        while position < bytes.count, !hasClosed {
            if frame == nil {
                head.append(bytes[position])
                position += 1
                guard head.count == FrameHeader.count(of: head.span) else { continue }
                try beginFrame(into: &output)
            }
            takePayload(bytes, at: &position, into: &output)
            if remaining == 0, let step = try endFrame(into: &output) { return step }
        }
        if hasClosed { position = bytes.count }
        return .needsInput
    }

    /// Writes the converted text as one frame.
    package mutating func write(_ converted: Span<UInt8>, into output: inout ByteBuffer) {
        writeFrame(.text, converted, into: &output)
        finishUnit()
    }

    /// Writes the frames of the message as they arrived.
    package mutating func pass(into output: inout ByteBuffer) {
        output.append(unit.bytes)
        finishUnit()
    }

    package mutating func discard(into output: inout ByteBuffer) { finishUnit() }

    /// Writes a close frame, unless there was one, or the output ends inside a frame. The unfinished message and all further input are
    /// discarded.
    package mutating func close(_ code: CloseCode, reason: String, into output: inout ByteBuffer) {
        let isInsideFrame = message == .passing && remaining > 0 && frame?.opcode.isControl == false
        if !hasClosed, !isInsideFrame {
            let content = Self.bytes(of: code) + Array(reason.utf8.prefix(FrameHeader.maxShortLength - 2))
            writeFrame(.close, content.span, into: &output)
        }
        hasClosed = true
        finishUnit()
    }

    /// A text message must be UTF-8.
    package var mayPass: Bool { (try? UTF8Span(validating: payload.bytes)) != nil }

    package var heldBytes: Int { unit.capacity + payload.capacity }

    package func position(of offset: Int) -> PayloadStream.Position {
        PayloadStream.Position(line: 1, column: offset + 1, offset: offset)
    }

    // MARK: Frames

    private mutating func beginFrame(into output: inout ByteBuffer) throws(WebSocketError) {
        let header = try FrameHeader(head.span)
        guard (header.key != nil) == rule.isFromClient else {
            throw .badFrame(
                rule.isFromClient ? "a frame of the client is not masked" : "a frame of the server is masked")
        }
        switch header.opcode {
        case .continuation:
            guard message != .none else { throw .badFrame("a continuation frame continues no message") }
        case .text, .binary:
            guard message == .none else { throw .badFrame("a message begins before the end of another one") }
            guard header.opcode == .text || !rule.withholds else { throw .binary }
            message = header.opcode == .text && rule.convertsText ? .payload : .passing
        case .close, .ping, .pong: control.removeAll()
        }
        if header.opcode.isControl {
            control.append(head)
        } else if message == .passing {
            output.append(head)
        } else {
            guard header.length <= maxUnitBytes - unit.count - head.count else { throw .tooLong(maxUnitBytes) }
            unit.append(head)
        }
        frame = header
        remaining = header.length
        head.removeAll(keepingCapacity: true)
    }

    private mutating func takePayload(_ bytes: Span<UInt8>, at position: inout Int, into output: inout ByteBuffer) {
        guard let frame else { return }
        let part = bytes.extracting(position..<position + min(remaining, bytes.count - position))
        if frame.opcode.isControl {
            control.append(part)
        } else if message == .passing {
            output.append(part)
        } else {
            unit.append(part)
            let start = payload.count
            payload.append(part)
            if let key = frame.key {
                let masked = frame.length - remaining
                payload.mask(from: start, with: FrameHeader.Key { key[(masked + $0) & 3] })
            }
            payload.replace(ASCII.lineFeed, with: ASCII.carriageReturn, from: start)
        }
        remaining -= part.count
        position += part.count
    }

    /// Ends the frame. Nil if no message ends with it.
    private mutating func endFrame(into output: inout ByteBuffer) throws(WebSocketError) -> PayloadStream.Step? {
        guard let header = frame.take() else { return nil }
        if header.opcode.isControl {
            try endControl(header, into: &output)
            return nil
        }
        guard header.isFinal else { return nil }
        defer { message = .none }
        guard message == .payload else { return .passed }
        let start = payload.bytes.endOfWhiteSpace(from: 0, to: payload.count)
        guard start < payload.count else {
            pass(into: &output)
            return .passed
        }
        isFound = true
        // A message is not labelled as JSON, so a number or a string may be any text.
        let isContainer = payload[start] == ASCII.openBrace || payload[start] == ASCII.openBracket
        return rule.withholds && !isContainer ? .notJSON : .payload
    }

    /// Writes a control frame. A close frame loses its reason if the rule withholds, because that is any text.
    private mutating func endControl(_ header: FrameHeader, into output: inout ByteBuffer) throws(WebSocketError) {
        guard header.opcode == .close else { return output.append(control.bytes) }
        let key = header.key ?? FrameHeader.Key(repeating: 0)
        let start = control.count - header.length
        var content: [UInt8] = []
        for index in 0..<header.length { content.append(control[start + index] ^ key[index & 3]) }
        if !content.isEmpty {
            guard content.count > 1, CloseCode.isSendable(Int(content[0]) << 8 | Int(content[1])) else {
                throw .badFrame("the code of a close frame is missing or must not be sent")
            }
            guard String(validating: content.dropFirst(2), as: UTF8.self) != nil else { throw .notUTF8 }
        }
        if rule.withholds, content.count > 2 {
            writeFrame(.close, content.span.extracting(0..<2), into: &output)
        } else {
            output.append(control.bytes)
        }
        hasClosed = true
    }

    // MARK: Output

    private func writeFrame(_ opcode: FrameHeader.Opcode, _ content: Span<UInt8>, into output: inout ByteBuffer) {
        output.append(FrameHeader.final | opcode.rawValue)
        let mask = rule.isFromClient ? FrameHeader.masked : 0
        if content.count <= FrameHeader.maxShortLength {
            output.append(mask | UInt8(content.count))
        } else {
            let isShort = content.count <= UInt16.max
            output.append(mask | UInt8(isShort ? FrameHeader.has16Bits : FrameHeader.has64Bits))
            for shift in stride(from: isShort ? 8 : 56, through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: content.count >> shift))
            }
        }
        guard rule.isFromClient else { return output.append(content) }
        // The key must be unpredictable (§5.3): the system's generator is.
        let word = UInt32.random(in: .min ... .max)
        let key = FrameHeader.Key { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        for index in 0..<4 { output.append(key[index]) }
        let start = output.count
        output.append(content)
        output.mask(from: start, with: key)
    }

    private static func bytes(of code: CloseCode) -> [UInt8] {
        [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)]
    }

    private mutating func finishUnit() {
        unit.removeAll(keepingAtMost: PayloadStream.maxKeptBytes)
        payload.removeAll(keepingAtMost: PayloadStream.maxKeptBytes)
        isFound = false
    }
}
