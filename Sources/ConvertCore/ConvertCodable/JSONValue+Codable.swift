import ConvertEngine
import FoundationEssentials

/// Works with any coder. `ConvertDecoder` and `ConvertEncoder` know the type and pass the JSON through unchanged. Other coders keep no
/// order and no duplicates, and have numbers in their own types only: a number that would lose digits is an error.
extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        if let exact = decoder as? TapeDecoder {
            self = try exact.jsonValue()
            return
        }
        if (try? decoder.container(keyedBy: AnyCodingKey.self)) != nil {
            // As a dictionary, since Foundation's key strategies do not change a dictionary's keys.
            let members = try decoder.singleValueContainer().decode([String: JSONValue].self)
            self = .object(JSONObject(members.map { JSONObject.Member(name: $0.key, value: $0.value) }))
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            self = try Self.scalar(of: decoder)
        }
    }

    private static func scalar(of decoder: any Decoder) throws -> JSONValue {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) {
            return .number(value == 0 ? try zero(in: container, decoder) : JSONNumber(value))
        }
        if let value = try? container.decode(UInt64.self) { return .number(JSONNumber(value)) }
        if let value = try? container.decode(Int128.self) { return .number(JSONNumber(value)) }
        if let value = try? container.decode(UInt128.self) { return .number(JSONNumber(value)) }
        do {
            return .number(try decimal(try container.decode(Decimal.self), decoder))
        } catch DecodingError.dataCorrupted(let context) where context.underlyingError is LostDigits {
            throw DecodingError.dataCorrupted(context)
        } catch DecodingError.typeMismatch {
            // Not a JSON decoder, which would read a number as `Decimal`; or the value is not a number.
            if let value = try? container.decode(Double.self), let number = JSONNumber(value) { return .number(number) }
            return .string(try container.decode(String.self))
        } catch {
            // A number that does not fit into `Decimal`. Only fifteen digits of a `Double` are certain.
            if let text = try? container.decode(String.self) { return .string(text) }
            let number = (try? container.decode(Double.self)).flatMap { JSONNumber($0) }
            let digits = number.flatMap { DecimalValue($0.text) }?.digits.count ?? .max
            guard let number, digits <= 15 else { throw lostDigits(decoder) }
            return .number(number)
        }
    }

    /// The number that a coder reads as 0: zero, perhaps with a sign. A number that is too small for the coder is an error.
    private static func zero(
        in container: any SingleValueDecodingContainer, _ decoder: any Decoder
    ) throws -> JSONNumber {
        if let value = try? container.decode(Double.self), value.sign == .minus, let number = JSONNumber(value) {
            return number
        }
        do {
            _ = try container.decode(Decimal.self)
        } catch DecodingError.typeMismatch {
            // Not a JSON decoder, which would read a number as `Decimal`.
        } catch {
            throw lostDigits(decoder)
        }
        return JSONNumber(0)
    }

    /// The limit of digits below which a `Decimal` is certainly not rounded.
    private static let maxSureDigits = 37

    private static func decimal(_ value: Decimal, _ decoder: any Decoder) throws -> JSONNumber {
        guard let number = JSONNumber(value), let digits = DecimalValue(number.text)?.digits.count,
            digits <= maxSureDigits
        else { throw lostDigits(decoder) }
        return number
    }

    /// Marks the error for a number with more digits than the coder returns.
    private struct LostDigits: Error {}

    private static func lostDigits(_ decoder: any Decoder) -> DecodingError {
        let pointer = JSONPointer(codingPath: decoder.codingPath)
        let message =
            "expected a number that this decoder hands over with all digits, found another at \"\(pointer)\"; "
            + "ConvertDecoder reads every number"
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath, debugDescription: message, underlyingError: LostDigits()))
    }

    public func encode(to encoder: any Encoder) throws {
        if let exact = encoder as? TextEncoder {
            return try exact.encode(self)
        }
        switch self {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let object):
            // As a dictionary, since Foundation's key strategies do not change a dictionary's keys. The first one of equal keys counts.
            let members = object.members.map { ($0.name, $0.value) }
            var container = encoder.singleValueContainer()
            try container.encode([String: JSONValue](members) { first, _ in first })
        case .null, .bool, .number, .string:
            var container = encoder.singleValueContainer()
            try encodeScalar(in: &container, encoder.codingPath)
        }
    }

    private func encodeScalar(
        in container: inout any SingleValueEncodingContainer, _ path: [any CodingKey]
    ) throws {
        switch self {
        case .bool(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .number(let number):
            if let integer: Int64 = number.integer() {
                try container.encode(integer)
            } else if let integer = number.uint64 {
                try container.encode(integer)
            } else if let decimal = number.decimal {
                try container.encode(decimal)
            } else if JSONNumber(number.double) == number {
                try container.encode(number.double)
            } else {
                let message =
                    "expected a number that this encoder takes with all digits; ConvertEncoder takes every number"
                throw EncodingError.invalidValue(
                    number, EncodingError.Context(codingPath: path, debugDescription: message))
            }
        case .null, .array, .object: try container.encodeNil()
        }
    }
}

/// A number of any size and precision as a property of a `Codable` type: exact with `ConvertDecoder` and `ConvertEncoder`.
extension JSONNumber: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        guard let number = value.number else { throw value.mismatch(JSONNumber.self, decoder) }
        self = number
    }

    public func encode(to encoder: any Encoder) throws { try JSONValue.number(self).encode(to: encoder) }
}

/// An object with any members as a property of a `Codable` type: ordered with `ConvertDecoder` and `ConvertEncoder`.
extension JSONObject: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        guard let object = value.object else { throw value.mismatch(JSONObject.self, decoder) }
        self = object
    }

    public func encode(to encoder: any Encoder) throws { try JSONValue.object(self).encode(to: encoder) }
}

extension JSONValue {
    /// The error for a value that is not of `type`: `valueNotFound` for null, `typeMismatch` for the rest.
    fileprivate func mismatch(_ type: any Any.Type, _ decoder: any Decoder) -> DecodingError {
        let kind: JSONTape.Kind =
            switch self {
            case .null: .null
            case .bool(let value): value ? .true : .false
            case .number: .number
            case .string: .string
            case .array: .array
            case .object: .object
            }
        let pointer = JSONPointer(codingPath: decoder.codingPath)
        let context = DecodingError.Context(
            codingPath: decoder.codingPath,
            debugDescription: "expected \(type), found \(kind.noun) at \"\(pointer)\"")
        return isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}

/// Any key or index as a coding key.
struct AnyCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    static let superKey = AnyCodingKey("super")

    init(_ name: String, number: Int? = nil) {
        stringValue = name
        intValue = number
    }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(String(intValue), number: intValue) }
}

/// The index of an element, with the same name as Foundation's key for it.
struct IndexKey: CodingKey {
    let index: Int

    var stringValue: String { "Index \(index)" }
    var intValue: Int? { index }

    init(_ index: Int) { self.index = index }

    init?(stringValue: String) { nil }

    init?(intValue: Int) { index = intValue }
}
