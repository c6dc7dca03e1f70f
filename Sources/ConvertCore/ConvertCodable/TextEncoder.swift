import ConvertEngine

/// The encoder of one value. It has three words, so that passing it on needs no allocation.
struct TextEncoder: Encoder {
    let session: EncodingSession
    let target: Int
    let path: CodingPathNode?

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        session.begin(.object, isData: ObjectIdentifier(type) == DictionaryKeys.type, in: target)
        return KeyedEncodingContainer(TextKeyedContainer(session: session, target: target, path: path))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        session.begin(.array, in: target)
        return TextUnkeyedContainer(session: session, target: target, path: path)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension TextEncoder: SingleValueEncodingContainer {
    func encodeNil() { session.single(target) { $0.append(wholeText: "null") } }

    /// Encodes the value: a dynamic one with every digit, member and duplicate.
    func encode(_ value: some Encodable) throws { try session.single(target, value, path) }

    // The standard library's defaults for these two throw.
    func encode(_ value: Int128) { session.single(target) { $0.append(integer: value) } }
    func encode(_ value: UInt128) { session.single(target) { $0.append(integer: value) } }
}

/// The members of an object, in the order of their first encoding.
struct TextKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let session: EncodingSession
    let target: Int
    let path: CodingPathNode?

    var codingPath: [any CodingKey] { path.keys }

    func encodeNil(forKey key: Key) throws {
        try session.member(key.stringValue, target) { $0.append(wholeText: "null") }
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        try session.member(key.stringValue, target, value) { path.appending(key) }
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try session.member(key.stringValue, target) { $0.append(value) }
    }

    func encode(_ value: String, forKey key: Key) throws {
        try session.member(key.stringValue, target) { JSONText.appendString(value, to: &$0) }
    }

    @inline(__always)
    private func number(_ value: some BinaryFloatingPoint & Encodable & CustomStringConvertible, _ key: Key) throws {
        guard value.isFinite else {
            return try encode(session.nonConforming(value) { path.appending(key) }, forKey: key)
        }
        try session.member(key.stringValue, target) { $0.append(wholeText: JSONNumber.shortest(value.description)) }
    }

    func encode(_ value: Double, forKey key: Key) throws { try number(value, key) }
    func encode(_ value: Float, forKey key: Key) throws { try number(value, key) }

    @inline(__always)
    private func integer(_ value: some FixedWidthInteger, _ key: Key) throws {
        try session.member(key.stringValue, target) { $0.append(integer: value) }
    }

    func encode(_ value: Int, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try integer(value, key) }

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

    /// The encoder of a member. If the member already is a container of the requested shape, the encoder continues that container.
    private func encoder(for key: some CodingKey, reopening shape: EncodingText.Shape?) -> TextEncoder {
        let member = session.memberNode(key.stringValue, of: target, reopening: shape)
        return TextEncoder(session: session, target: member, path: path.appending(key))
    }
}

/// The elements of an array.
struct TextUnkeyedContainer: UnkeyedEncodingContainer {
    let session: EncodingSession
    let target: Int
    let path: CodingPathNode?

    var codingPath: [any CodingKey] { path.keys }
    var count: Int { session.count(of: target) }

    private var elementPath: CodingPathNode { path.appending(IndexKey(count)) }

    func encodeNil() { session.element(target) { $0.append(wholeText: "null") } }

    func encode(_ value: some Encodable) throws {
        // Read before: the scope counts the element before its path is requested.
        let index = count
        try session.element(target, value) { path.appending(IndexKey(index)) }
    }

    func encode(_ value: Bool) { session.element(target) { $0.append(value) } }

    func encode(_ value: String) { session.element(target) { JSONText.appendString(value, to: &$0) } }

    @inline(__always)
    private func number(_ value: some BinaryFloatingPoint & Encodable & CustomStringConvertible) throws {
        guard value.isFinite else { return encode(try session.nonConforming(value) { elementPath }) }
        session.element(target) { $0.append(wholeText: JSONNumber.shortest(value.description)) }
    }

    func encode(_ value: Double) throws { try number(value) }
    func encode(_ value: Float) throws { try number(value) }

    @inline(__always)
    private func integer(_ value: some FixedWidthInteger) { session.element(target) { $0.append(integer: value) } }

    func encode(_ value: Int) { integer(value) }
    func encode(_ value: Int8) { integer(value) }
    func encode(_ value: Int16) { integer(value) }
    func encode(_ value: Int32) { integer(value) }
    func encode(_ value: Int64) { integer(value) }
    func encode(_ value: Int128) { integer(value) }
    func encode(_ value: UInt) { integer(value) }
    func encode(_ value: UInt8) { integer(value) }
    func encode(_ value: UInt16) { integer(value) }
    func encode(_ value: UInt32) { integer(value) }
    func encode(_ value: UInt64) { integer(value) }
    func encode(_ value: UInt128) { integer(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        appendEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { appendEncoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { appendEncoder() }

    private func appendEncoder() -> TextEncoder {
        let path = elementPath
        return TextEncoder(session: session, target: session.appendNode(to: target), path: path)
    }
}
