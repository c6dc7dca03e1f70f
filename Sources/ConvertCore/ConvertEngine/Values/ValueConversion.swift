import ConvertText

/// The conversion of one rule of a profile's `values`. Its input is a string's content, or the source text of a number or boolean.
///
/// A conversion is immutable and shared between threads. It never gets `null`. A container is an error for each conversion but `mask`.
package enum ValueConversion: Sendable, Hashable {
    /// Numbers and booleans become strings of their exact text.
    case string
    /// A string that is exactly a JSON number becomes that number, digit for digit.
    case number
    /// Like `number`, for `-?(0|[1-9][0-9]*)` only.
    case integer
    /// `"true"`, `"false"`, 0 and 1 become booleans.
    case boolean
    /// 8-4-4-4-12 hexadecimal digits (RFC 9562), written in one case.
    case uuid(isUpperCase: Bool)
    /// A URL (RFC 3986). If it begins with `base` and a single slash, it is written from that slash on.
    case url(base: [UInt8])
    /// A path that begins with a single slash gets `base` before it: the inverse of `url`.
    case absoluteURL(base: [UInt8])
    /// A string with one JSON text becomes that JSON.
    case json
    /// Any value becomes a string with its minified JSON text: the inverse of `json`.
    case text
    case table(ValueTable)
    /// The inverse of `table`.
    case reverseTable(ValueTable)
    /// Any value, also an object or array, becomes a text that hides it.
    indirect case mask(ValueMask)
    /// Strings, numbers and booleans become a code that shows only whether two values are equal.
    indirect case hash(ValueHash)
    /// In a string that names keys, the keys are replaced by those that the profile writes. The inverse does the same with its keys.
    indirect case names(NameForm)

    /// Whether new content may have a byte that JSON escapes.
    var contentMayNeedEscaping: Bool {
        switch self {
        case .string, .number, .integer, .boolean, .uuid, .url, .hash: false
        case .absoluteURL, .json, .text, .table, .reverseTable, .mask, .names: true
        }
    }

    package enum Outcome: Sendable, Equatable {
        /// The new content was appended, without quotes.
        case string
        /// A JSON number or literal was appended.
        case token
        /// The string contains a JSON text, which the converter writes with its output options. Nothing was appended.
        case embedded
        /// The string names keys, which the converter looks up. Nothing was appended.
        indirect case names(NameForm)
        /// The value is already in the right form. Nothing was appended.
        case unchanged
        /// The rule does not accept the value. Nothing was appended.
        case bad(String)
    }

    /// Converts the unescaped content of a JSON string. For `text`, the converter does the work itself.
    func convert(string content: Span<UInt8>, into output: inout ByteBuffer) -> Outcome {
        let isValid =
            switch self {
            case .number: NumberText.isNumber(content)
            case .integer: NumberText.isInteger(content)
            case .url: URLText.isURL(content)
            default: true
            }
        return convert(string: content, isValid: isValid, into: &output)
    }

    /// Does the same if it is already known whether the content is valid: a number, an integer or a URL for those rules.
    func convert(string content: Span<UInt8>, isValid: Bool, into output: inout ByteBuffer) -> Outcome {
        switch self {
        case .string: return .unchanged
        case .number:
            guard isValid else { return .bad("expected a number in a string, or a number") }
            output.append(content)
            return .token
        case .integer:
            guard isValid else { return .bad(Self.expectedInteger) }
            output.append(content)
            return .token
        case .boolean:
            guard content.isSpelled("true") || content.isSpelled("false") else { return .bad(Self.expectedBoolean) }
            output.append(content)
            return .token
        case .uuid(let isUpperCase): return Self.convert(uuid: content, isUpperCase, into: &output)
        case .url(let base):
            guard isValid else {
                return .bad(
                    URLText.hasScheme(content)
                        ? "the URL has a character that must be percent-encoded" : "expected a URL with a scheme")
            }
            guard !base.isEmpty, let path = URLText.path(of: content, behind: base) else { return .unchanged }
            output.append(content.extracting(path...))
            return .string
        case .absoluteURL(let base):
            guard URLText.isPath(content) else { return .unchanged }
            output.append(base)
            output.append(content)
            return .string
        case .json: return .embedded
        case .text: return .unchanged
        case .table(let table): return table.convert(content, into: &output)
        case .reverseTable(let table): return table.revert(content, isString: true, into: &output)
        case .mask(let mask):
            mask.write(content, into: &output)
            return .string
        case .hash(let hash):
            hash.write(content, into: &output)
            return .string
        case .names(let form): return .names(form)
        }
    }

    /// Converts a JSON number from its source text.
    func convert(number text: Span<UInt8>, into output: inout ByteBuffer) -> Outcome {
        switch self {
        case .string:
            output.append(text)
            return .string
        case .number: return .unchanged
        case .integer: return NumberText.isInteger(text) ? .unchanged : .bad(Self.expectedInteger)
        case .boolean:
            guard text.isSpelled("0") || text.isSpelled("1") else { return .bad(Self.expectedBoolean) }
            output.append(utf8: text[0] == ASCII.one ? "true" : "false")
            return .token
        case .uuid: return .bad("expected a UUID in a string")
        case .url: return .bad("expected a URL in a string")
        case .absoluteURL, .text: return .unchanged
        case .json: return .bad(Self.expectedJSON)
        case .table(let table): return table.convert(text, into: &output)
        case .reverseTable(let table): return table.revert(text, isString: false, into: &output)
        case .mask(let mask):
            mask.write(text, into: &output)
            return .string
        case .hash(let hash):
            hash.write(text, into: &output)
            return .string
        case .names: return .bad("expected a string that names keys")
        }
    }

    /// Converts `true` or `false`: as a number, except by the rules that tell the two apart.
    func convert(boolean text: Span<UInt8>, into output: inout ByteBuffer) -> Outcome {
        switch self {
        case .boolean: return .unchanged
        case .number: return .bad("expected a number in a string, or a number")
        case .mask(let mask):
            output.append(mask.text)
            return .string
        default: return convert(number: text, into: &output)
        }
    }

    package static let expectedJSON = "expected a string that contains one JSON document"
    private static let expectedInteger = "expected a whole number without fraction, exponent or leading zero"
    private static let expectedBoolean = "expected true, false, 0 or 1, or \"true\" or \"false\" in a string"

    private static func convert(
        uuid content: Span<UInt8>, _ isUpperCase: Bool, into output: inout ByteBuffer
    ) -> Outcome {
        guard KeyCaseRule.isUUID(content) else { return .bad("expected a UUID: 8-4-4-4-12 hexadecimal digits") }
        for index in 0..<content.count {
            output.append(isUpperCase ? ASCII.uppercased(content[index]) : ASCII.lowercased(content[index]))
        }
        return .string
    }
}

extension Span<UInt8> {
    /// Whether the bytes equal those of `text`.
    func isSpelled(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        var index = 0
        for byte in text.description.utf8 {
            if self[index] != byte { return false }
            index += 1
        }
        return true
    }
}
