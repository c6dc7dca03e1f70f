/// Any JSON value that decodes and encodes its members directly in the container.
///
/// Few programs do it this way, but Foundation is fastest with it: for `JSONValue` it makes a decoder and an encoder for each
/// value.
struct DirectJSONValue: Codable {
    private typealias Key = JSONValue.Key

    private let value: JSONValue

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            value = .object(try Self.members(of: container))
        } else if var container = try? decoder.unkeyedContainer() {
            value = .array(try Self.elements(of: &container))
        } else {
            value = try JSONValue(from: decoder)
        }
    }

    // Members and elements are requested from the container itself, which takes less time than a decoder for each of them. The most
    // common kinds are tried first, since every attempt that fails costs an error.

    private static func members(of container: KeyedDecodingContainer<Key>) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for key in container.allKeys { members[key.stringValue] = try member(key, of: container) }
        return members
    }

    private static func member(_ key: Key, of container: KeyedDecodingContainer<Key>) throws -> JSONValue {
        if try container.decodeNil(forKey: key) { return .null }
        if let string = try? container.decode(String.self, forKey: key) { return .string(string) }
        if let number = try? container.decode(Double.self, forKey: key) {
            return exact(number, try? container.decode(Int64.self, forKey: key))
        }
        if let nested = try? container.nestedContainer(keyedBy: Key.self, forKey: key) {
            return .object(try members(of: nested))
        }
        if var nested = try? container.nestedUnkeyedContainer(forKey: key) { return .array(try elements(of: &nested)) }
        return .bool(try container.decode(Bool.self, forKey: key))
    }

    private static func elements(of container: inout any UnkeyedDecodingContainer) throws -> [JSONValue] {
        var elements: [JSONValue] = []
        while !container.isAtEnd { elements.append(try element(of: &container)) }
        return elements
    }

    private static func element(of container: inout any UnkeyedDecodingContainer) throws -> JSONValue {
        if try container.decodeNil() { return .null }
        if let string = try? container.decode(String.self) { return .string(string) }
        // A container moves on after a successful request.
        var before = container
        if let number = try? container.decode(Double.self) { return exact(number, try? before.decode(Int64.self)) }
        if let nested = try? container.nestedContainer(keyedBy: Key.self) { return .object(try members(of: nested)) }
        if var nested = try? container.nestedUnkeyedContainer() { return .array(try elements(of: &nested)) }
        return .bool(try container.decode(Bool.self))
    }

    /// The number as an integer if a Double would round it.
    private static func exact(_ number: Double, _ integer: @autoclosure () -> Int64?) -> JSONValue {
        guard abs(number) >= JSONValue.maxExactDouble, let integer = integer() else { return .number(number) }
        return .integer(integer)
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            try Self.encode(members, to: &container)
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            try Self.encode(elements, to: &container)
        default: try value.encode(to: encoder)
        }
    }

    private static func encode(_ members: [String: JSONValue], to container: inout KeyedEncodingContainer<Key>) throws {
        for (name, value) in members {
            let key = Key(stringValue: name)
            switch value {
            case .null: try container.encodeNil(forKey: key)
            case .bool(let value): try container.encode(value, forKey: key)
            case .integer(let value): try container.encode(value, forKey: key)
            case .number(let value): try container.encode(value, forKey: key)
            case .string(let value): try container.encode(value, forKey: key)
            case .array(let elements):
                var nested = container.nestedUnkeyedContainer(forKey: key)
                try encode(elements, to: &nested)
            case .object(let members):
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: key)
                try encode(members, to: &nested)
            }
        }
    }

    private static func encode(_ elements: [JSONValue], to container: inout any UnkeyedEncodingContainer) throws {
        for element in elements {
            switch element {
            case .null: try container.encodeNil()
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .array(let elements):
                var nested = container.nestedUnkeyedContainer()
                try encode(elements, to: &nested)
            case .object(let members):
                var nested = container.nestedContainer(keyedBy: Key.self)
                try encode(members, to: &nested)
            }
        }
    }
}
