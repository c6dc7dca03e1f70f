import ConvertEngine
import ConvertFormats
import FoundationEssentials

/// Through any coder. `ConvertDecoder` and `ConvertEncoder` know the type and hand the text over as it is. Other coders give no
/// order and no duplicates, and numbers in the types they have: one that would lose digits is an error.
extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        if let exact = decoder as? TapeDecoder {
            self = try exact.jsonValue()
            return
        }
        if (try? decoder.container(keyedBy: AnyCodingKey.self)) != nil {
            // Foundation's key strategies leave the keys of a dictionary alone.
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
            // Not JSON's decoder, which has a `Decimal` for a number, or no number.
            if let value = try? container.decode(Double.self), let number = JSONNumber(value) { return .number(number) }
            return .string(try container.decode(String.self))
        } catch {
            // A number that `Decimal` does not hold; of its double fifteen digits are sure.
            if let text = try? container.decode(String.self) { return .string(text) }
            let number = (try? container.decode(Double.self)).flatMap { JSONNumber($0) }
            let digits = number.flatMap { DecimalValue($0.text) }?.digits.count ?? .max
            guard let number, digits <= 15 else { throw lostDigits(decoder) }
            return .number(number)
        }
    }

    /// What a coder reads as 0: it has a sign, or is too small for the coder's numbers, which is an error.
    private static func zero(
        in container: any SingleValueDecodingContainer, _ decoder: any Decoder
    ) throws -> JSONNumber {
        if let value = try? container.decode(Double.self), value.sign == .minus, let number = JSONNumber(value) {
            return number
        }
        do {
            _ = try container.decode(Decimal.self)
        } catch DecodingError.typeMismatch {
            // Not JSON's decoder, which has a `Decimal` for a number.
        } catch {
            throw lostDigits(decoder)
        }
        return JSONNumber(0)
    }

    /// The most digits with which a `Decimal` is certain not to be rounded.
    private static let maxSureDigits = 37

    private static func decimal(_ value: Decimal, _ decoder: any Decoder) throws -> JSONNumber {
        guard let number = JSONNumber(value), let digits = DecimalValue(number.text)?.digits.count,
            digits <= maxSureDigits
        else { throw lostDigits(decoder) }
        return number
    }

    /// Marks the error of a number with more digits than a coder hands over.
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
            // Foundation's key strategies leave the keys of a dictionary alone. Of equal names the first one counts.
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

/// A member that is a number whatever its size or digits: exact through `ConvertDecoder` and `ConvertEncoder`.
extension JSONNumber: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        guard let number = value.number else { throw value.mismatch(JSONNumber.self, decoder) }
        self = number
    }

    public func encode(to encoder: any Encoder) throws { try JSONValue.number(self).encode(to: encoder) }
}

/// A member that is an object of any kind: ordered through `ConvertDecoder` and `ConvertEncoder`.
extension JSONObject: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        guard let object = value.object else { throw value.mismatch(JSONObject.self, decoder) }
        self = object
    }

    public func encode(to encoder: any Encoder) throws { try JSONValue.object(self).encode(to: encoder) }
}

extension JSONValue {
    /// This value is of another kind than `type`: `valueNotFound` for null, `typeMismatch` for the rest.
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

/// Any name or index as a coding key.
struct AnyCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    static let superKey = AnyCodingKey("super")

    init(_ name: String, number: Int? = nil) {
        stringValue = name
        intValue = number
    }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

/// The index of an element, named as Foundation names it.
struct IndexKey: CodingKey {
    let index: Int

    var stringValue: String { "Index \(index)" }
    var intValue: Int? { index }

    init(_ index: Int) { self.index = index }

    init?(stringValue: String) { nil }

    init?(intValue: Int) { index = intValue }
}
