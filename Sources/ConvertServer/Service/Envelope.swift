// envelope = { "profile": name or document, "direction": "forward" or "inverse", "payload": any value }
//
// Only the envelope itself is read here. A value is skipped by counting brackets outside of strings. The consumer of
// the value checks all of it: the payload goes to the converter with exactly the bytes that were sent.

import ConvertEngine
import ConvertProfiles
package import HTTPSemantics
import Text

/// The positions of the keys and values of an envelope in its bytes.
package struct Envelope: Sendable, Hashable {
    fileprivate(set) var profile: Range<Int>?
    fileprivate(set) var direction: Range<Int>?
    package fileprivate(set) var payload: Range<Int>?

    /// The content of a JSON string with its quotes; nil for any other text, and for a lone surrogate.
    package static func string(_ text: ArraySlice<UInt8>) -> String? {
        // The parser skips a byte order mark and white space before a value.
        guard text.first == ASCII.quote, let document = try? JSONDocumentParser.parse(Array(text)),
            case .string(let content) = document[JSONDocument.root].kind
        else { return nil }
        return String(validating: content, as: UTF8.self)
    }
}

/// Locates the keys and values of an envelope while its bytes arrive. It reads each byte once, because tens of
/// megabytes at once would block others.
package struct EnvelopeReader {
    private typealias Member = WritableKeyPath<Envelope, Range<Int>?>

    fileprivate enum State {
        case start, opening, firstName, name, inName, colon, value, inValue, next, end
    }

    private var envelope = Envelope()
    private var state = State.start
    private var index = 0
    /// The start of the current key or value.
    private var start = 0
    /// The key whose value comes next.
    private var member: Member = \.payload
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    /// The first error, which is reported once everything has arrived.
    private var problem: Problem?

    /// Continues to read.
    ///
    /// - Parameter bytes: all bytes so far, including those that were read before.
    package mutating func read(_ bytes: [UInt8]) {
        guard problem == nil else { return }
        do throws(Problem) {
            while try advance(bytes) {}
        } catch {
            problem = error
        }
    }

    /// The keys and values, after all of `bytes` was read.
    ///
    /// - Throws: 400 if it is not an envelope.
    package func finish(_ bytes: [UInt8]) throws(Problem) -> Envelope {
        if let problem { throw problem }
        guard state == .end else { throw malformed(bytes) }
        return envelope
    }

    /// Takes a step. False if more bytes must arrive first.
    private mutating func advance(_ bytes: [UInt8]) throws(Problem) -> Bool {
        switch state {
        case .start:
            let mark = ASCII.byteOrderMark
            if bytes.starts(with: mark) { index = mark.count }
            if bytes.count < mark.count, mark.starts(with: bytes) { return false }
            state = .opening
        case .inName:
            guard passString(bytes) else { return false }
            try endName(bytes)
        case .inValue:
            guard try passValue(bytes) else { return false }
            envelope[keyPath: member] = start..<index
            state = .next
        default:
            while index < bytes.count, ASCII.isSpace(bytes[index]) { index += 1 }
            guard index < bytes.count else { return false }
            try take(bytes[index], bytes)
        }
        return true
    }

    /// Takes the byte between keys and values, or the first byte of one.
    private mutating func take(_ byte: UInt8, _ bytes: [UInt8]) throws(Problem) {
        switch (state, byte) {
        case (.opening, ASCII.openBrace): state = .firstName
        case (.firstName, ASCII.closeBrace), (.next, ASCII.closeBrace): state = .end
        case (.firstName, ASCII.quote), (.name, ASCII.quote): (state, start) = (.inName, index)
        case (.colon, ASCII.colon): state = .value
        case (.next, ASCII.comma): state = .name
        case (.value, _):
            (state, start) = (.inValue, index)
            return
        default: throw malformed(bytes)
        }
        index += 1
    }

    private mutating func endName(_ bytes: [UInt8]) throws(Problem) {
        guard let name = Envelope.string(bytes[start..<index]) else {
            throw problem(bytes, "expected \(State.name.expected)", code: "json", at: start)
        }
        switch name {
        case "profile": member = \.profile
        case "direction": member = \.direction
        case "payload": member = \.payload
        default:
            var problem = problem(
                bytes, "the envelope has an unknown key", code: "envelope", at: start)
            problem.hint = "the keys are profile, direction and payload"
            throw problem
        }
        guard envelope[keyPath: member] == nil else {
            throw problem(bytes, "the envelope has the key \(name) twice", code: "envelope", at: start)
        }
        state = .colon
    }

    /// Skips a value. For a container it looks only for the closing bracket. False if more bytes must arrive.
    private mutating func passValue(_ bytes: [UInt8]) throws(Problem) -> Bool {
        while index < bytes.count {
            if isInString {
                guard passString(bytes) else { return false }
                isInString = false
                if depth == 0 { return true }
                continue
            }
            switch bytes[index] {
            case ASCII.quote: isInString = true
            case ASCII.openBrace, ASCII.openBracket: depth += 1
            case ASCII.closeBrace where depth > 0, ASCII.closeBracket where depth > 0:
                depth -= 1
                if depth == 0 {
                    index += 1
                    return true
                }
            case let byte where depth == 0 && Self.endsScalar(byte):
                guard index > start else {
                    throw problem(bytes, "expected \(State.value.expected)", code: "json", at: index)
                }
                return true
            default: break
            }
            index += 1
        }
        return false
    }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        byte == ASCII.comma || byte == ASCII.closeBrace || byte == ASCII.closeBracket || ASCII.isSpace(byte)
    }

    /// Skips the rest of a string. False if more bytes must arrive.
    private mutating func passString(_ bytes: [UInt8]) -> Bool {
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isEscaped {
                isEscaped = false
            } else if byte == ASCII.backslash {
                isEscaped = true
            } else if byte == ASCII.quote {
                return true
            }
        }
        return false
    }

    // MARK: Errors

    /// Malformed JSON at the next byte.
    private func malformed(_ bytes: [UInt8]) -> Problem {
        let expected = isInString || state == .inName ? "the end of a string in the envelope" : state.expected
        return problem(bytes, "expected \(expected)", code: "json", at: index)
    }

    /// An error with its position in the envelope.
    private func problem(_ bytes: [UInt8], _ detail: String, code: String, at offset: Int) -> Problem {
        var problem = Problem(400, detail, code: code)
        let before = bytes[..<min(offset, bytes.count)]
        problem.offset = before.count
        problem.line = before.reduce(1) { $1 == ASCII.lineFeed ? $0 + 1 : $0 }
        problem.column = before.count - (before.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0) + 1
        return problem
    }

    package init() {}
}

extension EnvelopeReader.State {
    /// The expected token at this position.
    fileprivate var expected: String {
        switch self {
        case .start, .opening: "an object as the envelope"
        case .firstName, .name, .inName: "a key of the envelope"
        case .colon: "a colon in the envelope"
        case .value: "a value in the envelope"
        case .inValue: "the end of the envelope's value"
        case .next: "a comma or the end of the envelope"
        case .end: "nothing after the envelope"
        }
    }
}
