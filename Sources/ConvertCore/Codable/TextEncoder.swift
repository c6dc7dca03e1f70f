/// The encoder of one value.
struct TextEncoder: Encoder {
    let session: EncodingSession
    let node: EncodingNode
    let path: CodingPathNode?

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.begin(.object)
        return KeyedEncodingContainer(TextKeyedContainer(session: session, node: node, path: path))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.begin(.array)
        return TextUnkeyedContainer(session: session, node: node, path: path)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Encodes the value with every digit, member and duplicate.
    func encode(_ value: JSONValue) { node.setScalar(session.json(value)) }
}

extension TextEncoder: SingleValueEncodingContainer {
    func encodeNil() { node.setScalar(session.text("null")) }

    func encode(_ value: some Encodable) throws { try session.encode(value, into: node, path: path) }
}

/// The members of an object, in the order of their first encoding.
struct TextKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let session: EncodingSession
    let node: EncodingNode
    let path: CodingPathNode?

    var codingPath: [any CodingKey] { path.keys }

    func encodeNil(forKey key: Key) { node.set(key.stringValue, session.text("null")) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        node.set(key.stringValue, try session.part(value, path: path.appending(key)))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(for: key, reopening: .object).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: key, reopening: .array).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(for: AnyCodingKey.superKey, reopening: nil) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key, reopening: nil) }

    /// The encoder of a member; of the container that is there already where it has the shape asked for.
    private func encoder(for key: some CodingKey, reopening shape: EncodingNode.Shape?) -> TextEncoder {
        if let shape, let standing = node.node(named: key.stringValue), standing.shape == shape {
            return TextEncoder(session: session, node: standing, path: path.appending(key))
        }
        let child = EncodingNode()
        node.set(key.stringValue, .node(child))
        return TextEncoder(session: session, node: child, path: path.appending(key))
    }
}

/// The elements of an array.
struct TextUnkeyedContainer: UnkeyedEncodingContainer {
    let session: EncodingSession
    let node: EncodingNode
    let path: CodingPathNode?

    var codingPath: [any CodingKey] { path.keys }
    var count: Int { node.parts.count }

    private var elementPath: CodingPathNode { path.appending(AnyCodingKey(index: count)) }

    func encodeNil() { node.append(session.text("null")) }

    func encode(_ value: some Encodable) throws {
        node.append(try session.part(value, path: elementPath))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        appendEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { appendEncoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { appendEncoder() }

    private func appendEncoder() -> TextEncoder {
        let child = EncodingNode()
        let encoder = TextEncoder(session: session, node: child, path: elementPath)
        node.append(.node(child))
        return encoder
    }
}
