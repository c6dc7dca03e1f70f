import ConvertEngine
import ConvertText
public import FoundationEssentials

/// A value between a Swift type and a file. It covers JSON and property lists, with the values that only one of them has.
///
/// Property lists cannot represent `null`, and JSON cannot represent `date` and `data`. So a serializer gets the format and returns a
/// value that the format allows. Dates and data of a property list are read as strings: RFC 3339 and Base64.
///
/// Keys and strings are compared by their UTF-8 bytes: `é` as one scalar and as two are different, which `String` calls equal.
/// Numbers are compared by their text, and members in their order.
public enum SerializedValue: Sendable, Hashable {
    /// A member of an object.
    public struct Member: Sendable, Hashable {
        /// The key, compared by its UTF-8 bytes.
        public var name: String
        /// The value.
        public var value: SerializedValue

        /// Creates a member.
        public init(_ name: String, _ value: SerializedValue) {
            self.name = name
            self.value = value
        }
    }

    /// JSON's null.
    case null
    /// True or false.
    case boolean(Bool)
    /// A number as JSON writes it: its exact text, never rounded.
    case number(String)
    /// A string.
    case string(String)
    /// A date of a property list, in whole seconds in XML.
    case date(Date)
    /// The bytes of a property list's data.
    case data([UInt8])
    /// Elements in order.
    case array([SerializedValue])
    /// Members in order.
    case object([Member])

    /// A number from an integer.
    public static func integer(_ value: some BinaryInteger) -> SerializedValue { .number(String(value)) }

    /// The kind of value with its article, for error messages.
    public var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The text of a string; nil for any other kind of value.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The exact text of a number; nil for any other kind of value.
    public var number: String? { if case .number(let text) = self { text } else { nil } }

    /// The value of an object's first member with this key; nil if there is none, or this is not an object.
    public subscript(name: String) -> SerializedValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}

extension SerializedValue: CustomStringConvertible {
    /// The value as JSON, with a date or data as a string. A value that contains dates or data is described by its kind.
    public var description: String {
        switch self {
        case .date(let date): DateText.utc.value(date)?.description ?? kind
        case .data(let bytes): "\"\(Data(bytes).base64EncodedString())\""
        default: (try? json()).map { String(decoding: $0, as: UTF8.self) } ?? kind
        }
    }
}

// MARK: - Equality

extension SerializedValue.Member {
    public static func == (left: SerializedValue.Member, right: SerializedValue.Member) -> Bool {
        ExactText(left.name) == ExactText(right.name) && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(name))
        hasher.combine(value)
    }
}

extension SerializedValue {
    public static func == (left: SerializedValue, right: SerializedValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)), (.string(let left), .string(let right)):
            ExactText(left) == ExactText(right)
        case (.date(let left), .date(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let isTrue): hasher.combine(isTrue)
        case .number(let text), .string(let text): hasher.combine(ExactText(text))
        case .date(let date): hasher.combine(date)
        case .data(let bytes): hasher.combine(bytes)
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}

// MARK: - JSON values

extension SerializedValue {
    /// Creates a value from JSON: numbers keep their text, members their order, and duplicates are kept.
    ///
    /// - Throws: an error if it nests deeper than 512 containers.
    public init(_ value: JSONValue) throws(SerializationError) { try self.init(parsingJSON: value.bytes()) }
}

extension JSONValue {
    /// The value as JSON.
    ///
    /// - Throws: an error with a pointer for dates and data, which JSON cannot represent.
    public init(_ value: SerializedValue) throws(SerializationError) {
        let text = try value.json()
        do throws(ConversionError) {
            try self.init(parsing: text)
        } catch {
            throw SerializationError(expected: "JSON", found: error.message, pointer: error.pointer)
        }
    }
}

// MARK: - Literals

extension SerializedValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A number.
    public init(integerLiteral value: Int) { self = .integer(value) }

    /// A number, in the shortest text that is read as the same double.
    public init(floatLiteral value: Double) { self = .number(value.description) }
}

extension SerializedValue: ExpressibleByBooleanLiteral, ExpressibleByNilLiteral {
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// Null.
    public init(nilLiteral: ()) { self = .null }
}

extension SerializedValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    /// An array.
    public init(arrayLiteral elements: SerializedValue...) { self = .array(elements) }

    /// An object with the members in the order of the literal.
    public init(dictionaryLiteral elements: (String, SerializedValue)...) {
        self = .object(elements.map { Member($0, $1) })
    }
}

/// The file format that a value is serialized for.
public enum SerializationFormat: Sendable, Hashable, CaseIterable {
    /// RFC 8259.
    case json
    /// Apple's property lists, XML or binary.
    case propertyList
}
