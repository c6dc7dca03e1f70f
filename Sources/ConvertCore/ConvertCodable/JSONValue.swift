import ConvertText
public import FoundationEssentials

/// Any JSON value, with exact numbers, ordered members and all duplicates.
///
/// Use it for values whose type is not known, instead of a hand-written `AnyDecodable`:
///
///     let value = try JSONValue(parsing: #"{"id": 12345678901234567890.10, "tags": ["a"]}"#)
///     value["id"]?.number?.text          // "12345678901234567890.10"
///     value["tags"]?[0]                  // "a"
///     value[pointer: "/tags/0"]?.string  // "a"
///
/// Equality is that of JSON: numbers by value (`1.0` is `1`), strings by their UTF-8 bytes, arrays in order, objects
/// whatever the order of their keys. As a property of a `Codable` type it keeps all of this with `ConvertDecoder` and
/// `ConvertEncoder`; duplicates stay if the profile's `on.duplicateKey` keeps them. Other coders keep less.
public enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number, as its exact text.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// Elements in order.
    case array([JSONValue])
    /// Members in order, including duplicates.
    case object(JSONObject)
}

// MARK: - Views

extension JSONValue {
    /// Whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The boolean, or nil for any other kind of value.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, or nil for any other kind of value.
    public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }

    /// The number as an `Int`; nil if it has a fraction or does not fit.
    public var int: Int? { number?.int }

    /// The `Double` nearest to the number.
    public var double: Double? { number?.double }

    /// The number as a `Decimal`; nil if it would lose digits.
    public var decimal: Decimal? { number?.decimal }

    /// The string, or nil for any other kind of value.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The elements, or nil for any other kind of value.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// The members, or nil for any other kind of value.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
}

// MARK: - Parts

extension JSONValue {
    /// The value of the first member with this key; nil if there is none or this is not an object.
    ///
    /// Setting does nothing unless this is an object; see `JSONObject`.
    public subscript(name: String) -> JSONValue? {
        get { object?[name] }
        set {
            guard case .object(var object) = self else { return }
            // With one reference, the members are changed in place; with two, all of them would be copied.
            self = .null
            object[name] = newValue
            self = .object(object)
        }
    }

    /// The element at `index`; nil if there is none or this is not an array.
    ///
    /// Setting a value replaces the element, and setting nil removes it. If there is no such element, nothing happens.
    public subscript(index: Int) -> JSONValue? {
        get {
            guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
            return elements[index]
        }
        set {
            guard case .array(var elements) = self, elements.indices.contains(index) else { return }
            self = .null
            if let newValue { elements[index] = newValue } else { elements.remove(at: index) }
            self = .array(elements)
        }
    }

    /// The value at an RFC 6901 JSON Pointer such as `/items/0/name`; nil if there is none or the text is not a pointer.
    public subscript(pointer text: String) -> JSONValue? { JSONPointer(text).flatMap { self[$0] } }

    /// The value at a pointer; nil if there is none. The first one of duplicate keys counts.
    public subscript(pointer: JSONPointer) -> JSONValue? {
        var value = self
        for segment in pointer.segments {
            let part: JSONValue?
            switch value {
            case .object(let object): part = object[segment]
            case .array(let elements):
                // RFC 6901 section 4: digits without a leading zero.
                guard let index = Int(segment), String(index) == segment, elements.indices.contains(index) else {
                    return nil
                }
                part = elements[index]
            default: part = nil
            }
            guard let part else { return nil }
            value = part
        }
        return value
    }
}

// MARK: - Equality

extension JSONValue: Hashable {
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(ExactText(value))
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

// MARK: - Literals

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
    /// A number; null for a literal beyond the range of `Double`.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Elements in order.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Members in the order of the literal, including duplicates.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }
}
