/// An error in a payload: its code, message and position.
public struct ConversionError: Error, Sendable, Hashable {
    /// The kind of error, as in the `code` of an HTTP response and in the messages of the command line.
    public enum Code: String, BitwiseCopyable, Sendable, Hashable, CaseIterable {
        /// The payload is not JSON (RFC 8259, strictly), or not UTF-8.
        case json
        /// The payload exceeds one of `Limits`.
        case limit
        /// An object has the same key twice.
        case duplicateKey
        /// A path that the profile requires is missing.
        case require
        /// A rule does not accept the value.
        case badValue
        /// Two values of one object would get the same key.
        case collision
        /// The other direction would not restore a key.
        case lossyKey
        /// A value cannot be moved to the target of a move.
        case move
        /// A value that the profile flattens is not an object, or not in an object.
        case flatten
        /// The form or the property list is malformed.
        case form, plist
    }

    /// The kind of error.
    public var code: Code
    /// The expected and the found input. It contains keys of the payload, but no values.
    public var message: String
    /// Bytes from the start of the payload to the error, from 0.
    public var offset: Int
    /// Line of the error, from 1.
    public var line: Int
    /// Column of the error in bytes, from 1.
    public var column: Int
    /// RFC 6901 JSON Pointer to the value, with the keys of the input.
    public var pointer: String
    /// JSON Pointer into the profile to the broken rule; nil if no rule was broken.
    public var rule: String?

    /// Creates an error from its parts.
    public init(
        code: Code, message: String, offset: Int, line: Int, column: Int, pointer: String, rule: String? = nil
    ) {
        self.code = code
        self.message = message
        self.offset = offset
        self.line = line
        self.column = column
        self.pointer = pointer
        self.rule = rule
    }

    /// Creates an error at an offset of a whole text.
    package init(
        _ code: Code, _ message: String, at offset: Int, in text: Span<UInt8>, pointer: String, rule: String? = nil
    ) {
        let (lineFeeds, lineStart) = text.lines(before: offset)
        self.init(
            code: code, message: message, offset: offset, line: lineFeeds + 1, column: offset - lineStart + 1,
            pointer: pointer, rule: rule)
    }
}

extension ConversionError: CustomStringConvertible {
    /// `LINE:COLUMN: CODE: MESSAGE (POINTER), by the rule RULE`, as the command line writes it after the file's name.
    public var description: String {
        let location = pointer.isEmpty ? "" : " (\(pointer))"
        return "\(line):\(column): \(code.rawValue): \(message)\(location)" + (rule.map { ", by the rule \($0)" } ?? "")
    }
}
