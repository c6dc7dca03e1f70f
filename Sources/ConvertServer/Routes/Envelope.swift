// envelope = { "profile": name or document, "direction": "forward" or "inverse", "payload": any value }
//
// Only the envelope itself is read here. A member's value is passed over by counting brackets outside of strings, and
// whoever takes the value checks it whole: the payload goes to the converter from exactly the bytes that were sent.

/// Where the members of an envelope stand in its bytes.
struct Envelope: Sendable, Hashable {
    private(set) var profile: Range<Int>?
    private(set) var direction: Range<Int>?
    private(set) var payload: Range<Int>?

    init(locating bytes: [UInt8]) throws(Problem) {
        var reader = EnvelopeReader(bytes)
        try reader.expect(ASCII.openBrace, "an object as the envelope")
        if reader.skip(ASCII.closeBrace) {
            try reader.expectEnd()
            return
        }
        while true {
            let (name, start) = try reader.name()
            guard let member = Self.member(name) else {
                var problem = reader.problem("the envelope has a member that is not known", code: "envelope", at: start)
                problem.hint = "known are profile, direction and payload"
                throw problem
            }
            guard self[keyPath: member] == nil else {
                throw reader.problem("the envelope has two members \(name)", code: "envelope", at: start)
            }
            try reader.expect(ASCII.colon, "a colon in the envelope")
            self[keyPath: member] = try reader.value()
            if reader.skip(ASCII.closeBrace) { break }
            try reader.expect(ASCII.comma, "a comma or the end of the envelope")
        }
        try reader.expectEnd()
    }

    private static func member(_ name: String) -> WritableKeyPath<Envelope, Range<Int>?>? {
        switch name {
        case "profile": \.profile
        case "direction": \.direction
        case "payload": \.payload
        default: nil
        }
    }
}

/// Reads an envelope from left to right, never a byte twice.
private struct EnvelopeReader {
    private let bytes: [UInt8]
    private var index = 0

    private static let memberName = "the name of a member of the envelope"

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: ASCII.byteOrderMark) { index = ASCII.byteOrderMark.count }
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    mutating func expect(_ byte: UInt8, _ expected: String) throws(Problem) {
        guard skip(byte) else { throw fault("expected \(expected)") }
    }

    mutating func expectEnd() throws(Problem) {
        skipSpace()
        guard index == bytes.count else { throw fault("expected nothing after the envelope") }
    }

    /// The name of a member, and where it begins.
    mutating func name() throws(Problem) -> (String, start: Int) {
        skipSpace()
        let start = index
        guard index < bytes.count, bytes[index] == ASCII.quote else { throw fault("expected \(Self.memberName)") }
        try skipString()
        guard let name = JSONString.decode(bytes[start..<index]) else {
            throw problem("expected \(Self.memberName)", code: "json", at: start)
        }
        return (name, start)
    }

    /// Passes over one value; for a container it looks only for the bracket that closes it.
    mutating func value() throws(Problem) -> Range<Int> {
        skipSpace()
        let start = index
        var depth = 0
        while index < bytes.count {
            switch bytes[index] {
            case ASCII.quote: try skipString()
            case ASCII.openBrace, ASCII.openBracket:
                depth += 1
                index += 1
            case ASCII.closeBrace, ASCII.closeBracket:
                guard depth > 0 else { return try nonEmpty(start) }
                depth -= 1
                index += 1
            case ASCII.comma where depth == 0: return try nonEmpty(start)
            case let byte where depth == 0 && ASCII.isSpace(byte): return try nonEmpty(start)
            default:
                index += 1
                continue
            }
            if depth == 0 { return start..<index }
        }
        throw fault("expected the end of the envelope's member")
    }

    private func nonEmpty(_ start: Int) throws(Problem) -> Range<Int> {
        guard index > start else { throw fault("expected a value in the envelope") }
        return start..<index
    }

    private mutating func skipString() throws(Problem) {
        index += 1
        while index < bytes.count {
            switch bytes[index] {
            case ASCII.quote:
                index += 1
                return
            case ASCII.backslash: index += 2
            default: index += 1
            }
        }
        index = bytes.count
        throw fault("expected the end of a string in the envelope")
    }

    private mutating func skipSpace() {
        while index < bytes.count, ASCII.isSpace(bytes[index]) { index += 1 }
    }

    /// Malformed JSON at the byte that comes next.
    private func fault(_ detail: String) -> Problem { problem(detail, code: "json", at: index) }

    /// A fault with its place, counted in the envelope.
    func problem(_ detail: String, code: String, at offset: Int) -> Problem {
        var problem = Problem(400, detail, code: code)
        let before = bytes[..<min(offset, bytes.count)]
        problem.offset = before.count
        problem.line = before.reduce(1) { $1 == ASCII.lineFeed ? $0 + 1 : $0 }
        problem.column = before.count - (before.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0) + 1
        return problem
    }
}
