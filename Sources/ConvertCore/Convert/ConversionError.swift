/// A fault in a payload: what is wrong and where.
public struct ConversionError: Error, Sendable, Hashable {
    /// The kind of fault, as the HTTP answer's `code` and the CLI's message name it.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case json, limit, duplicateKey, require, badValue, collision, lossyKey, move
        /// A payload that is neither JSON nor a proper form or property list.
        case form, plist
    }

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
