/// The type of the coding keys with which the standard library's dictionaries encode and decode themselves.
///
/// The type is not public. A dictionary passes it to its decoder, so one probe finds it.
enum DictionaryKeys {
    static let type: ObjectIdentifier? = {
        let probe = Probe()
        _ = try? [String: Bool](from: probe)
        return probe.type
    }()

    /// A decoder without values that records the type of the requested keys.
    private final class Probe: Decoder {
        var type: ObjectIdentifier?
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        private var nothing: DecodingError { .dataCorrupted(.init(codingPath: [], debugDescription: "")) }

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            self.type = ObjectIdentifier(type)
            throw nothing
        }

        func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw nothing }

        func singleValueContainer() throws -> any SingleValueDecodingContainer { throw nothing }
    }
}
