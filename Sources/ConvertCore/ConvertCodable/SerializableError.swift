import ConvertEngine

/// An error of saving a value or of reading it back.
public struct SerializableError: Error, Sendable, Hashable {
    /// The step that failed.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The file could not be read.
        case read
        /// The JSON is malformed or does not match the type.
        case decode
        /// JSON cannot represent the value, such as an infinite number.
        case encode
        /// The file could not be written; the old file, if any, still exists.
        ///
        /// If the message begins with `fsync of the directory`, the new file is complete and in place, but a loss of
        /// power may undo that.
        case write
    }

    /// The step that failed.
    public var code: Code
    /// The expected and the found value, without values of the file; for a system call, its name and `errno`.
    ///
    /// It includes the full text of an error that the type itself threw, or that Foundation threw for the file.
    public var message: String
    /// RFC 6901 JSON Pointer to the value in the JSON; empty for the whole document.
    public var pointer: String
    /// The line of malformed JSON, from 1; nil if the JSON is well formed.
    public var line: Int?
    /// The column of malformed JSON in bytes, from 1; nil if the JSON is well formed.
    public var column: Int?

    /// Creates an error.
    public init(code: Code, message: String, pointer: String = "", line: Int? = nil, column: Int? = nil) {
        self.code = code
        self.message = message
        self.pointer = pointer
        self.line = line
        self.column = column
    }
}

extension SerializableError: CustomStringConvertible {
    /// `decode: expected a key, found nothing at /orders/0/id`, or `decode: 3:14: expected a value, found a comma`.
    public var description: String {
        let position = if let line, let column { "\(line):\(column): " } else { "" }
        return "\(code.rawValue): \(position)\(message)" + (pointer.isEmpty ? "" : " at \(pointer)")
    }
}

extension SerializableError {
    init(_ error: DecodingError) {
        switch error {
        case .typeMismatch(_, let context): self.init(context, context.debugDescription)
        case .valueNotFound(let type, let context): self.init(context, "expected \(type), found null")
        case .keyNotFound(let key, let context):
            self.init(code: .decode, message: "expected a key, found nothing", pointer: context.codingPath + [key])
        case .dataCorrupted(let context):
            guard let cause = context.underlyingError as? ConversionError else {
                self.init(context, context.debugDescription)
                break
            }
            self.init(
                code: .decode, message: cause.message, pointer: cause.pointer, line: cause.line, column: cause.column)
        @unknown default: self.init(code: .decode, message: "expected other JSON")
        }
    }

    init(_ error: EncodingError) {
        if case .invalidValue(_, let context) = error {
            self.init(code: .encode, message: context.debugDescription, pointer: context.codingPath)
        } else {
            self.init(code: .encode, message: "expected a value that JSON can hold")
        }
    }

    private init(_ context: DecodingError.Context, _ message: String) {
        self.init(code: .decode, message: message, pointer: context.codingPath)
    }

    private init(code: Code, message: String, pointer path: [any CodingKey]) {
        let pointer = JSONPointer(codingPath: path).description
        // The message of a coder's error has the pointer, too, which this error has in a property.
        var message = message
        if let range = message.ranges(of: " at \"\(pointer)\"").last { message.removeSubrange(range) }
        self.init(code: code, message: message, pointer: pointer)
    }
}
