import FoundationEssentials

/// Any JSON value, with every scalar decoded, since JSONDecoder checks numbers and strings only on request.
struct PermissiveValue: Decodable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Name.self) {
            for name in container.allKeys { _ = try container.decode(PermissiveValue.self, forKey: name) }
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            while !container.isAtEnd { _ = try container.decode(PermissiveValue.self) }
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return }
        if (try? container.decode(Bool.self)) != nil { return }
        do {
            _ = try container.decode(Double.self)
        } catch DecodingError.typeMismatch {
            _ = try container.decode(String.self)
        }
    }
}
