// Like the request's parser, this one reads each byte once, in whatever pieces it comes:
//
//     version → status → reasonStart → reason → lineLF → fields → complete
//
// `position` is the offset in the head of the next byte to read; all that was read is kept in `head.fields.storage`.

/// Parses response heads byte by byte (RFC 9112 §2, §4 and §5); what is malformed is refused, never repaired.
struct ResponseHeadParser: ~Copyable, Sendable {
    private enum State: Sendable {
        case version, status, reasonStart, reason, lineLF, fields, complete
    }

    /// Storage above this is given back between responses, so that idle connections stay small.
    private static let maxKeptBytes = 4 * 1024
    // status-line = HTTP-version SP status-code SP [ reason-phrase ]
    private static let versionStart = Array("HTTP/1.".utf8)
    private static let statusStart = versionStart.count + 2
    private static let statusEnd = statusStart + 3

    var head = ReceivedResponseHead()
    private let limits: WireLimits
    private var state = State.version
    private var section: FieldSectionParser
    private(set) var position = 0

    init(limits: WireLimits) {
        self.limits = limits
        section = FieldSectionParser(limits: limits)
    }

    /// Whether a byte of the head was seen.
    var hasStarted: Bool { position > 0 }

    /// Reads from `index` on, up to the end of the head or of the input; returns whether the head is complete.
    mutating func parse(_ input: Span<UInt8>, at index: inout Int) throws(WireError) -> Bool {
        let first = index
        let base = index - position
        defer {
            head.fields.keep(input, first..<index)
            position = index - base
        }
        while index < input.count, state != .complete {
            switch state {
            case .version: try scanVersion(input[index], &index, base)
            case .status: try scanStatus(input[index], &index, base)
            case .reasonStart: try startReason(input[index], &index, base)
            case .reason: try scanReason(input, &index, base)
            case .lineLF:
                guard input[index] == ASCII.lineFeed else { throw WireError(.bareLineEnd, at: index - base) }
                index += 1
                state = .fields
            case .fields:
                if try section.scan(input, &index, base, &head.fields) { state = .complete }
            case .complete: break
            }
        }
        guard state == .complete else { return false }
        guard index - base <= limits.maxHeadBytes else { throw WireError(.headTooLong, at: limits.maxHeadBytes) }
        return true
    }

    /// Makes ready for the next head.
    mutating func reset() {
        head.removeAll(keeping: Self.maxKeptBytes)
        state = .version
        section = FieldSectionParser(limits: limits)
        position = 0
    }

    /// The fault of a connection that ends, or of a deadline that passes, inside this head.
    func fault(_ code: WireError.Code) -> WireError { WireError(code, at: position) }

    // MARK: Status line

    private mutating func scanVersion(_ byte: UInt8, _ index: inout Int, _ base: Int) throws(WireError) {
        let offset = index - base
        if offset < Self.versionStart.count {
            guard byte == Self.versionStart[offset] else {
                let isMajor = offset == Self.versionStart.count - 2 && ASCII.isDigit(byte)
                throw WireError(isMajor ? .unsupportedVersion : .badStatusLine, at: offset)
            }
        } else if offset == Self.versionStart.count {
            guard ASCII.isDigit(byte) else { throw WireError(.badStatusLine, at: offset) }
            head.minorVersion = byte == ASCII.zero ? 0 : 1
        } else {
            guard byte == ASCII.space else { throw WireError(.badStatusLine, at: offset) }
            head.status = 0
            state = .status
        }
        index += 1
    }

    private mutating func scanStatus(_ byte: UInt8, _ index: inout Int, _ base: Int) throws(WireError) {
        guard ASCII.isDigit(byte) else { throw WireError(.badStatusLine, at: index - base) }
        head.status = head.status * 10 + Int(byte &- ASCII.zero)
        index += 1
        guard index - base == Self.statusEnd else { return }
        guard 100...599 ~= head.status else { throw WireError(.badStatusLine, at: Self.statusStart) }
        state = .reasonStart
    }

    /// Servers that have no reason phrase often leave out the space before it, too; nothing else can be meant.
    private mutating func startReason(_ byte: UInt8, _ index: inout Int, _ base: Int) throws(WireError) {
        switch byte {
        case ASCII.space: state = .reason
        case ASCII.carriageReturn: state = .lineLF
        default: throw WireError(byte == ASCII.lineFeed ? .bareLineEnd : .badStatusLine, at: index - base)
        }
        index += 1
    }

    private mutating func scanReason(_ input: Span<UInt8>, _ index: inout Int, _ base: Int) throws(WireError) {
        let bound = base + limits.maxHeadBytes
        let end = min(input.count, bound)
        while index < end, ASCII.isFieldContent(input[index]) { index += 1 }
        if index >= bound { throw WireError(.headTooLong, at: index - base) }
        if index == input.count { return }
        guard input[index] == ASCII.carriageReturn else {
            throw WireError(input[index] == ASCII.lineFeed ? .bareLineEnd : .badStatusLine, at: index - base)
        }
        index += 1
        state = .lineLF
    }
}
