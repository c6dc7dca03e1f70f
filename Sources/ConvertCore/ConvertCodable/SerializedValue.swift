import ConvertEngine
public import FoundationEssentials

/// A value between a Swift type and a file: what JSON and property lists have in common, and what each has alone.
///
/// `null` has no form in property lists, `date` and `data` have none in JSON: a serializer gets the format and gives what
/// that format can hold. From a property list both are read as strings: RFC 3339, Base64.
///
/// Names and text are compared by their UTF-8 bytes: `é` as one scalar and as two are different, which `String` calls equal.
/// Numbers are compared by their text, and members in their order.
public enum SerializedValue: Sendable, Hashable {
    /// A member of an object.
    public struct Member: Sendable, Hashable {
        /// The name, compared by its UTF-8 bytes.
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
    /// A number as JSON spells it: its exact text, never rounded.
    case number(String)
    /// Text.
    case string(String)
    /// A property list's date, whole seconds in XML.
    case date(Date)
    /// A property list's bytes.
    case data([UInt8])
    /// Values in order.
    case array([SerializedValue])
    /// Members in order.
    case object([Member])

    /// An integer's number.
    public static func integer(_ value: some BinaryInteger) -> SerializedValue { .number(String(value)) }

    /// The kind of value with its article, as errors name it.
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

    /// The text of a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The exact text of a number.
    public var number: String? { if case .number(let text) = self { text } else { nil } }

    /// The value of an object's first member of this name; nil when there is none, or this is not an object.
    public subscript(name: String) -> SerializedValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}

extension SerializedValue: CustomStringConvertible {
    /// The value as JSON, a date or data as a string; a value that has no JSON in it by its kind.
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
        UTF8Name(left.name) == UTF8Name(right.name) && left.value == right.value
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(UTF8Name(name))
        hasher.combine(value)
    }
}

extension SerializedValue {
    public static func == (left: SerializedValue, right: SerializedValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)), (.string(let left), .string(let right)):
            UTF8Name(left) == UTF8Name(right)
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
        case .number(let text), .string(let text): hasher.combine(UTF8Name(text))
        case .date(let date): hasher.combine(date)
        case .data(let bytes): hasher.combine(bytes)
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}

// MARK: - JSON values

extension SerializedValue {
    /// A JSON value: numbers with their text, members in order, with duplicates.
    ///
    /// - Throws: where it nests deeper than 512 containers.
    public init(_ value: JSONValue) throws(SerializationError) { try self.init(parsingJSON: value.bytes()) }
}

extension JSONValue {
    /// The value as JSON.
    ///
    /// - Throws: for dates and data, which JSON has no form for, with a pointer to them.
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

extension SerializedValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
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

    /// An object, its members in the order of the literal.
    public init(dictionaryLiteral elements: (String, SerializedValue)...) {
        self = .object(elements.map { Member($0, $1) })
    }
}

/// What a value is serialized for.
public enum SerializationFormat: Sendable, Hashable, CaseIterable {
    /// RFC 8259.
    case json
    /// Apple's property lists, XML or binary.
    case propertyList
}
