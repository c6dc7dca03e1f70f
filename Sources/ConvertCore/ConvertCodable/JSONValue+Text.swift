public import ConvertEngine
import ConvertText

/// Parsing and writing JSON text.
extension JSONValue {
    /// The most containers that may be open at one time, even if `Limits` allow more: reading, comparing and freeing a nested value
    /// takes stack.
    public static let maxDepth = 1_024

    /// Parses one JSON text (RFC 8259) as strictly as the engine does; a byte order mark at the very start is skipped.
    ///
    /// - Throws: `ConversionError` with offset, line, column and pointer, for malformed text and for text beyond the limits. A string with
    ///   half of a surrogate pair is an error, too, because a `String` cannot represent it.
    public init(parsing text: Span<UInt8>, limits: Limits = Limits()) throws(ConversionError) {
        var copy = ByteBuffer(capacity: text.count)
        var converter = Converter(.minify(limits: limits.forValues))
        try converter.finish(text, into: &copy)
        // The engine has checked every byte. The tape indexes the original text, so that errors have its offsets.
        copy.removeAll()
        copy.append(text)
        var tape = JSONTape(text: copy)
        tape.index()
        do throws(LoneSurrogate) {
            self = try Self.value(0, of: tape)
        } catch {
            throw Self.describe(error, in: tape)
        }
    }

    /// Parses one JSON text; see `init(parsing:limits:)` over bytes.
    public init(parsing text: [UInt8], limits: Limits = Limits()) throws(ConversionError) {
        try self.init(parsing: text.span, limits: limits)
    }

    /// Parses one JSON text; see `init(parsing:limits:)` over bytes.
    public init(parsing text: String, limits: Limits = Limits()) throws(ConversionError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }

    /// A string with half of a surrogate pair, which a `String` cannot represent.
    struct LoneSurrogate: Error {
        var token: Int
    }

    /// The value that begins at a token. The recursion is as deep as the JSON, whose depth the engine has limited.
    static func value(_ index: Int, of tape: borrowing JSONTape) throws(LoneSurrogate) -> JSONValue {
        let token = tape.tokens[index]
        switch token.kind {
        case .null: return .null
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .number: return .number(JSONNumber(checkedText: tape.source(index)))
        case .string:
            guard let content = tape.string(index) else { throw LoneSurrogate(token: index) }
            return .string(content)
        case .array:
            var elements: [JSONValue] = []
            elements.reserveCapacity(token.count)
            var next = index + 1
            while next < token.next {
                elements.append(try value(next, of: tape))
                next = tape.tokens[next].next
            }
            return .array(elements)
        case .object:
            var members: [JSONObject.Member] = []
            members.reserveCapacity(token.count)
            var next = index + 1
            while next < token.next {
                guard let name = tape.string(next) else { throw LoneSurrogate(token: next) }
                members.append(JSONObject.Member(name: name, value: try value(next + 1, of: tape)))
                next = tape.tokens[next + 1].next
            }
            return .object(JSONObject(members))
        }
    }

    private static func describe(_ surrogate: LoneSurrogate, in tape: borrowing JSONTape) -> ConversionError {
        ConversionError(
            .json, "expected a string of whole characters, found half of a surrogate pair",
            at: tape.tokens[surrogate.token].start, in: tape.text.bytes, pointer: tape.pointer(to: surrogate.token))
    }
}

extension Limits {
    /// These limits, with the depth that Swift values allow.
    var forValues: Limits {
        Limits(maxDepth: min(maxDepth, JSONValue.maxDepth), maxKeyBytes: maxKeyBytes)
    }
}

// MARK: - Writing

extension JSONValue {
    /// The value with the keys of all members, at every level, replaced by `rename`.
    func renamingMembers(_ rename: (String) throws -> String) rethrows -> JSONValue {
        switch self {
        case .array(let elements): return .array(try elements.map { try $0.renamingMembers(rename) })
        case .object(let object):
            return .object(
                JSONObject(
                    try object.members.map { member in
                        JSONObject.Member(
                            name: try rename(member.name), value: try member.value.renamingMembers(rename))
                    }))
        default: return self
        }
    }

    /// The value with the members of every object in the order of their keys' UTF-8 bytes.
    func sortingMembers() -> JSONValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.sortingMembers() })
        case .object(let object):
            .object(
                JSONObject(
                    object.sortedMembers.map { JSONObject.Member(name: $0.name, value: $0.value.sortingMembers()) }))
        default: self
        }
    }

    /// Appends the value as JSON text. Numbers keep their text, and members their order unless `options` sorts them.
    public func write(into output: inout ByteBuffer, options: OutputOptions = OutputOptions()) {
        var formatter = OutputFormatter(options)
        guard !formatter.isIdle else { return writeMinified(into: &output, sortsKeys: options.sortKeys) }
        writeMinified(into: &formatter.text, sortsKeys: options.sortKeys)
        formatter.write(into: &output)
    }

    /// The value as JSON text in UTF-8.
    public func bytes(options: OutputOptions = OutputOptions()) -> [UInt8] {
        var output = ByteBuffer()
        write(into: &output, options: options)
        return Array(output)
    }

    private func writeMinified(into output: inout ByteBuffer, sortsKeys: Bool) {
        switch self {
        case .null: output.append(utf8: "null")
        case .bool(let value): output.append(utf8: value ? "true" : "false")
        case .number(let number): output.append(utf8: number.text)
        case .string(let text): JSONText.appendString(text, to: &output)
        case .array(let elements):
            output.append(ASCII.openBracket)
            for (position, element) in elements.enumerated() {
                if position > 0 { output.append(ASCII.comma) }
                element.writeMinified(into: &output, sortsKeys: sortsKeys)
            }
            output.append(ASCII.closeBracket)
        case .object(let object):
            output.append(ASCII.openBrace)
            let members = sortsKeys ? object.sortedMembers : object.members
            for (position, member) in members.enumerated() {
                if position > 0 { output.append(ASCII.comma) }
                JSONText.appendString(member.name, to: &output)
                output.append(ASCII.colon)
                member.value.writeMinified(into: &output, sortsKeys: sortsKeys)
            }
            output.append(ASCII.closeBrace)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as minified JSON text.
    public var description: String { String(decoding: bytes(), as: UTF8.self) }
}

extension JSONText {
    /// Appends `text` as a JSON string with its quotes.
    static func appendString(_ text: String, to output: inout ByteBuffer) {
        output.append(ASCII.quote)
        appendSpelling(ofText: text.utf8.span, to: &output)
        output.append(ASCII.quote)
    }
}
