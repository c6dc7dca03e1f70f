// The head parser reads each byte once, in any pieces:
//
//     emptyLine → method → target → version → lineCR → lineLF → fields → complete
//
// `position` is the offset in the head of the next byte to read. All bytes are kept in `head.fields.storage`, so an
// offset in the head is an index into the storage too, and the marks survive any cut. A state that loops stops at the
// offset where its limit is passed, not at the end of the piece. So the same error is found, however the head was cut.

import Text

/// Parses request heads byte by byte (RFC 9112 §2 to §5).
struct RequestHeadParser: ~Copyable, Sendable {
    enum State: Sendable {
        case emptyLine, emptyLineLF
        case method, target, version, lineCR, lineLF
        case fields, complete
    }

    /// The length of `HTTP/1.1`, and the position of its major version.
    private static let versionBytes = 8
    private static let majorVersionOffset = 5

    var head = RequestHead()
    let limits: WireLimits
    private var state = State.emptyLine
    private var position = 0
    private var emptyLineBytes = 0
    private var methodEnd = 0
    private var targetEnd = 0
    private var major = ASCII.one
    private var section: FieldSectionParser

    init(limits: WireLimits) {
        self.limits = limits
        section = FieldSectionParser(limits: limits)
    }

    /// Whether a byte of a request line was seen; empty lines before it are not part of any request.
    var hasStarted: Bool { position > 0 }

    /// Whether `head` has a method and a target. A head that is cut off after them also has them.
    var hasRequestLine: Bool { state == .fields || isComplete }

    /// Whether the method was read. After `giveUp`, `head` then has it, and what was read of the target.
    var hasMethod: Bool { methodEnd > 0 }

    var isComplete: Bool { state == .complete }

    /// Reads from `index` on, up to the end of the head or of the input. Returns whether the head is complete.
    mutating func parse(_ input: Span<UInt8>, at index: inout Int) throws(WireError) -> Bool {
        while index < input.count, state == .emptyLine || state == .emptyLineLF {
            try skipEmptyLine(input[index], &index)
        }
        let first = index
        let base = index - position
        do throws(WireError) {
            try scan(input, &index, base)
        } catch {
            head.fields.keep(input, first..<index)
            throw error
        }
        head.fields.keep(input, first..<index)
        position = index - base
        guard state == .complete else { return false }
        head.method = RequestMethod(head.fields.storage[0..<methodEnd])
        guard position <= limits.maxHeadBytes else { throw WireError(.headTooLong, at: limits.maxHeadBytes) }
        try head.setTarget(methodEnd + 1..<targetEnd)
        return true
    }

    private mutating func scan(_ input: Span<UInt8>, _ index: inout Int, _ base: Int) throws(WireError) {
        while index < input.count, state != .complete {
            switch state {
            case .emptyLine, .emptyLineLF: break
            case .method: try scanMethod(input, &index, base)
            case .target: try scanTarget(input, &index, base)
            case .version: try scanVersion(input, &index, base)
            case .lineCR:
                try input.passReturn(&index, base, else: .badVersion)
                state = .lineLF
            case .lineLF:
                try input.passLineFeed(&index, base)
                state = .fields
            case .fields:
                if try section.scan(input, &index, base, &head.fields) { state = .complete }
            case .complete: break
            }
        }
    }

    /// Keeps what was read of the request line and Host of a refused head, for the log. The response to a HEAD has no
    /// body, even if its fields have an error.
    mutating func giveUp() {
        guard hasMethod else { return }
        if !isComplete {
            let storage = head.fields.storage
            head.method = RequestMethod(storage[0..<methodEnd])
            let target = methodEnd + 1..<(state == .target ? storage.count : targetEnd)
            // If the target is unfinished, only the beginning of a path is certain.
            if state != .target || storage[target].first == ASCII.slash { try? head.setTarget(target) }
        }
        if head.authorityRange.isEmpty, let host = head.fields.bytes(for: "host") { head.authorityRange = host.indices }
    }

    /// Prepares for the next head and keeps a small storage for it.
    mutating func reset() {
        var fields = head.fields
        head = RequestHead()
        fields.removeAll()
        head.fields = fields
        state = .emptyLine
        section = FieldSectionParser(limits: limits)
        methodEnd = 0
        position = 0
        emptyLineBytes = 0
    }

    /// The error of a connection that ends, or of a deadline that passes, inside this head.
    func error(_ code: WireError.Code) -> WireError { WireError(code, at: position) }

    // MARK: Request line

    // HTTP-message = *CRLF request-line CRLF *( field-line CRLF ) CRLF [ message-body ]
    private mutating func skipEmptyLine(_ byte: UInt8, _ index: inout Int) throws(WireError) {
        if state == .emptyLineLF {
            guard byte == ASCII.lineFeed else { throw WireError(.bareLineEnd, at: emptyLineBytes) }
            state = .emptyLine
        } else if byte == ASCII.carriageReturn {
            guard emptyLineBytes < 2 * limits.maxLeadingEmptyLines else {
                throw WireError(.badRequestLine, at: emptyLineBytes)
            }
            state = .emptyLineLF
        } else {
            state = .method
            return
        }
        emptyLineBytes += 1
        index += 1
    }

    // request-line = method SP request-target SP HTTP-version
    private mutating func scanMethod(_ input: Span<UInt8>, _ index: inout Int, _ base: Int) throws(WireError) {
        let bound = base + limits.maxMethodBytes + 1
        let end = min(input.count, bound)
        while index < end, ASCII.isToken(input[index]) { index += 1 }
        if index == bound { throw WireError(.methodTooLong, at: index - base) }
        if index == input.count { return }
        guard input[index] == ASCII.space, index > base else {
            let code: WireError.Code =
                switch input[index] {
                case ASCII.tlsHandshake where index == base: .tlsHello
                case ASCII.lineFeed: .bareLineEnd
                default: .badRequestLine
                }
            throw WireError(code, at: index - base)
        }
        methodEnd = index - base
        index += 1
        state = .target
    }

    private mutating func scanTarget(_ input: Span<UInt8>, _ index: inout Int, _ base: Int) throws(WireError) {
        // A space and a version of eight bytes follow the target.
        let bound = base + limits.maxRequestLineBytes - 8
        let end = min(input.count, bound)
        while index < end, ASCII.isVisible(input[index]) { index += 1 }
        if index >= bound { throw WireError(.requestLineTooLong, at: index - base) }
        if index == input.count { return }
        guard input[index] == ASCII.space, index - base > methodEnd + 1 else {
            throw WireError(.badRequestLine, at: index - base)
        }
        targetEnd = index - base
        index += 1
        state = .version
    }

    // HTTP-version = %s"HTTP" "/" DIGIT "." DIGIT
    private mutating func scanVersion(_ input: Span<UInt8>, _ index: inout Int, _ base: Int) throws(WireError) {
        let start = base + targetEnd + 1
        var byte = ASCII.space
        while index < input.count, index < start + Self.versionBytes {
            byte = input[index]
            let isRight =
                switch index - start {
                case 0: byte == UInt8(ascii: "H")
                case 1, 2: byte == UInt8(ascii: "T")
                case 3: byte == UInt8(ascii: "P")
                case 4: byte == ASCII.slash
                case 6: byte == ASCII.dot
                default: ASCII.isDigit(byte)
                }
            guard isRight else { throw WireError(.badVersion, at: index - base) }
            if index == start + Self.majorVersionOffset { major = byte }
            index += 1
        }
        guard index == start + Self.versionBytes else { return }
        guard major == ASCII.one else { throw WireError(.unsupportedVersion, at: targetEnd + 1) }
        head.minorVersion = byte == ASCII.zero ? 0 : 1
        state = .lineCR
    }
}
