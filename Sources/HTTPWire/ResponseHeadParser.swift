// The counterpart of `RequestHeadParser`, with the same rules. Each byte is read once. All are kept in `head.fields.storage`. The
// same error is found at the same offset, however the head was cut.
//
//     start (13 bytes, each at its offset) → reason → lineLF → fields → complete
//
// No empty line is skipped before the status line, because RFC 9112 §2.2 allows that to servers only.

import Text

/// Parses response heads byte by byte (RFC 9112 §4 and §5).
struct ResponseHeadParser: ~Copyable, Sendable {
    enum State: Sendable {
        case start, reason, lineLF, fields, complete
    }

    /// The positions of the parts of `HTTP/1.1 200 OK`.
    private static let majorOffset = 5
    private static let minorOffset = 7
    private static let statusOffset = 9
    private static let reasonOffset = 13

    var head = ReceivedResponseHead()
    private let limits: WireLimits
    private var state = State.start
    private var position = 0
    private var section: FieldSectionParser

    init(limits: WireLimits) {
        self.limits = limits
        section = FieldSectionParser(limits: limits)
    }

    var isComplete: Bool { state == .complete }

    /// Reads from `index` on, up to the end of the head or of the input. Returns whether the head is complete.
    mutating func parse(_ input: Span<UInt8>, at index: inout Int) throws(WireError) -> Bool {
        let first = index
        let base = index - position
        while index < input.count, state == .start { try scanStart(input[index], &index, base) }
        if index < input.count, state == .reason { try scanReason(input, &index, base) }
        if index < input.count, state == .lineLF {
            try input.passLineFeed(&index, base)
            state = .fields
        }
        if state == .fields, try section.scan(input, &index, base, &head.fields) { state = .complete }
        head.fields.keep(input, first..<index)
        position = index - base
        guard isComplete else { return false }
        guard position <= limits.maxHeadBytes else { throw WireError(.headTooLong, at: limits.maxHeadBytes) }
        return true
    }

    /// Prepares for the next head and keeps a small storage for it.
    mutating func reset() {
        var fields = head.fields
        head = ReceivedResponseHead()
        fields.removeAll()
        head.fields = fields
        state = .start
        section = FieldSectionParser(limits: limits)
        position = 0
    }

    /// The error of a connection that ends, or of a deadline that passes, inside this head or before the next one.
    func error(_ code: WireError.Code) -> WireError { WireError(code, at: isComplete ? 0 : position) }

    // status-line = HTTP-version SP status-code SP [ reason-phrase ]
    //
    // The space after the status is required even without a reason (RFC 9112 §4). Old backends omit it together with
    // the reason. A line that ends there has no other meaning, so it is accepted.
    private mutating func scanStart(_ byte: UInt8, _ index: inout Int, _ base: Int) throws(WireError) {
        let offset = index - base
        let isRight =
            switch offset {
            case 0: byte == UInt8(ascii: "H")
            case 1, 2: byte == UInt8(ascii: "T")
            case 3: byte == UInt8(ascii: "P")
            case 4: byte == ASCII.slash
            case 6: byte == ASCII.dot
            case 8: byte == ASCII.space
            case Self.reasonOffset - 1: byte == ASCII.space || byte == ASCII.carriageReturn
            default: ASCII.isDigit(byte)
            }
        guard isRight else {
            if byte == ASCII.lineFeed { throw WireError(.bareLineEnd, at: offset) }
            throw WireError(4...7 ~= offset ? .badVersion : .badStatusLine, at: offset)
        }
        switch offset {
        case Self.majorOffset where byte != ASCII.one: throw WireError(.unsupportedVersion, at: offset)
        case Self.minorOffset: head.minorVersion = byte == ASCII.zero ? 0 : 1
        case Self.statusOffset:
            // RFC 9110 §15 defines no other first digits.
            guard ASCII.one..<ASCII.one + 5 ~= byte else { throw WireError(.badStatus, at: offset) }
            head.status = Int(byte - ASCII.zero)
        case Self.statusOffset + 1, Self.statusOffset + 2: head.status = head.status * 10 + Int(byte - ASCII.zero)
        default: break
        }
        index += 1
        if offset + 1 == Self.reasonOffset { state = byte == ASCII.space ? .reason : .lineLF }
    }

    // reason-phrase = 1*( HTAB / SP / VCHAR / obs-text )
    private mutating func scanReason(_ input: Span<UInt8>, _ index: inout Int, _ base: Int) throws(WireError) {
        let bound = base + limits.maxRequestLineBytes + 1
        let end = min(input.count, bound)
        while index < end, ASCII.isFieldContent(input[index]) { index += 1 }
        if index >= bound { throw WireError(.statusLineTooLong, at: index - base) }
        if index == input.count { return }
        try input.passReturn(&index, base, else: .badStatusLine)
        state = .lineLF
    }
}
