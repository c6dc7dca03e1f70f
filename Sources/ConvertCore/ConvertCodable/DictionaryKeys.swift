import ConvertFormats

/// The type of the coding keys by which the standard library's dictionaries read and write themselves.
///
/// It is not public. A dictionary shows it to a coder that it is given, once.
enum DictionaryKeys {
    static let type: ObjectIdentifier? = {
        let probe = Probe()
        _ = try? [String: Bool](from: probe)
        return probe.type
    }()

    /// A decoder that has nothing, and notes what it is asked for.
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
