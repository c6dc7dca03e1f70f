/// Any JSON value, as Codable code models a document whose shape it does not know.
enum JSONValue: Codable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// A key that is not known in advance. Unlike for the keys of a dictionary, the decoder applies its key strategy to it.
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Whole numbers up to here are exact as Double.
    static let maxExactDouble = 9_007_199_254_740_992.0

    /// Tries the most common kinds first, since every attempt that fails costs an error.
    init(from decoder: any Decoder) throws {
        let scalar = try decoder.singleValueContainer()
        if scalar.decodeNil() {
            self = .null
        } else if let string = try? scalar.decode(String.self) {
            self = .string(string)
        } else if let number = try? scalar.decode(Double.self) {
            self = Self.exact(number, scalar)
        } else if let container = try? decoder.container(keyedBy: Key.self) {
            var members: [String: JSONValue] = [:]
            for key in container.allKeys {
                members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
            }
            self = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            self = .bool(try scalar.decode(Bool.self))
        }
    }

    /// The number as an integer if a Double would round it.
    private static func exact(_ number: Double, _ container: any SingleValueDecodingContainer) -> JSONValue {
        guard abs(number) >= maxExactDouble, let integer = try? container.decode(Int64.self) else {
            return .number(number)
        }
        return .integer(integer)
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for (name, value) in members { try container.encode(value, forKey: Key(stringValue: name)) }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try Self.encode(value, encoder)
        case .integer(let value): try Self.encode(value, encoder)
        case .number(let value): try Self.encode(value, encoder)
        case .string(let value): try Self.encode(value, encoder)
        }
    }

    private static func encode(_ value: some Encodable, _ encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
