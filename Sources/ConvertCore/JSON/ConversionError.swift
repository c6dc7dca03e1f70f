/// A fault in a payload: what is wrong and where.
public struct ConversionError: Error, Sendable, Hashable {
    /// The kind of fault, as the HTTP answer's `code` and the CLI's message name it.
    public enum Code: String, BitwiseCopyable, Sendable, Hashable, CaseIterable {
        /// The payload is not JSON (RFC 8259, strictly), or not UTF-8.
        case json
        /// The payload goes beyond one of `Limits`.
        case limit
        /// An object has two members of one name.
        case duplicateKey
        /// A place that the profile requires is not there.
        case require
        /// A rule cannot read the value.
        case badValue
        /// Two members of one object would have one name.
        case collision
        /// A name would not come back from the other direction.
        case lossyKey
        /// A value cannot go where the profile moves it.
        case move
        /// A value that the profile flattens is not an object, or not in one.
        case flatten
        /// A payload that is neither JSON nor a proper form or property list.
        case form, plist
    }

    /// The kind of fault.
    public var code: Code
    /// What was expected and what was found, without payload text except names.
    public var message: String
    /// Bytes from the start of the payload to the fault, from 0.
    public var offset: Int
    /// Line of the fault, from 1.
    public var line: Int
    /// Column of the fault in bytes, from 1.
    public var column: Int
    /// RFC 6901 JSON Pointer to the place, in the names of the payload as given.
    public var pointer: String
    /// JSON Pointer into the profile to the rule that was broken, if a rule was.
    public var rule: String?

    /// Creates an error of its parts.
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
}

extension ConversionError: CustomStringConvertible {
    /// `LINE:COLUMN: CODE: MESSAGE (POINTER), by the rule RULE`, as the command line writes it after the file's name.
    public var description: String {
        let place = pointer.isEmpty ? "" : " (\(pointer))"
        return "\(line):\(column): \(code.rawValue): \(message)\(place)" + (rule.map { ", by the rule \($0)" } ?? "")
    }
}
