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
        try reader.expect(ASCII.openBrace, "an object")
        if reader.skip(ASCII.closeBrace) {
            try reader.expectEnd()
            return
        }
        while true {
            let name = try reader.name()
            try reader.expect(ASCII.colon, "a colon")
            let range = try reader.value()
            try place(range, name)
            if reader.skip(ASCII.closeBrace) { break }
            try reader.expect(ASCII.comma, "a comma or the end of the envelope")
        }
        try reader.expectEnd()
    }

    private mutating func place(_ range: Range<Int>, _ name: String) throws(Problem) {
        let member: WritableKeyPath<Envelope, Range<Int>?>
        switch name {
        case "profile": member = \.profile
        case "direction": member = \.direction
        case "payload": member = \.payload
        default:
            var problem = Problem(400, "the envelope has a member that is not known", code: "envelope")
            problem.offset = range.lowerBound
            problem.hint = "known are profile, direction and payload"
            throw problem
        }
        guard self[keyPath: member] == nil else {
            throw Problem(400, "the envelope has two members \(name)", code: "envelope")
        }
        self[keyPath: member] = range
    }
}

/// Reads an envelope from left to right, never a byte twice.
private struct EnvelopeReader {
    private let bytes: [UInt8]
    private var index = 0

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

    mutating func name() throws(Problem) -> String {
        skipSpace()
        let start = index
        guard index < bytes.count, bytes[index] == ASCII.quote else { throw fault("expected the name of a member") }
        try skipString()
        guard let name = JSONString.decode(bytes[start..<index]) else {
            index = start
            throw fault("expected the name of a member")
        }
        return name
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
        guard index > start else { throw fault("expected a value") }
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
        throw fault("expected the end of a string")
    }

    private mutating func skipSpace() {
        while index < bytes.count, ASCII.isSpace(bytes[index]) { index += 1 }
    }

    /// Malformed JSON, with the place counted in the envelope.
    private func fault(_ detail: String) -> Problem {
        var problem = Problem(400, detail + " in the envelope", code: "json")
        let before = bytes[..<min(index, bytes.count)]
        problem.offset = before.count
        problem.line = before.reduce(1) { $1 == ASCII.lineFeed ? $0 + 1 : $0 }
        problem.column = before.count - (before.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0) + 1
        return problem
    }
}
