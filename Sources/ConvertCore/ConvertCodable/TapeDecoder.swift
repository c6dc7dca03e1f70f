import ConvertEngine
import FoundationEssentials

/// The decoder of one value. It has three words, so that passing it on needs no allocation.
struct TapeDecoder: Decoder {
    let session: DecodingSession
    /// The token at which the value begins; -1 for a missing value, which reads as null.
    let index: Int
    let path: CodingPathNode?

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard session.token(index).kind == .object else {
            throw session.mismatch([String: Any].self, index, path)
        }
        // The keys of a dictionary are data.
        let isData = session.payloadKeys != nil && ObjectIdentifier(type) == DictionaryKeys.type
        let names = isData ? try session.tapeOfData(at: index, isDeep: false, path) : session.tape
        // No `CodingKey` can match such a key, and a dictionary would lose it silently. So it is an error.
        guard !names.value.hasBrokenName(index) else {
            throw session.corrupted("expected keys of whole characters, found half of a surrogate pair", path)
        }
        return KeyedDecodingContainer(
            TapeKeyedContainer(session: session, names: names, index: index, path: path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard session.token(index).kind == .array else { throw session.mismatch([Any].self, index, path) }
        return TapeUnkeyedContainer(session: session, index: index, path: path)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// The value with every digit, member and duplicate; its keys are data.
    func jsonValue() throws -> JSONValue {
        guard index >= 0 else { return .null }
        let tape = try session.tapeOfData(at: index, isDeep: true, path)
        do throws(JSONValue.LoneSurrogate) {
            let value = try JSONValue.value(index, of: tape.value)
            return session.sortsMembers ? value.sortingMembers() : value
        } catch {
            let message = "expected a string of whole characters, found half of a surrogate pair"
            let pointer = path.pointer + tape.value.pointer(to: error.token, from: index)
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: path.keys, debugDescription: "\(message) at \"\(pointer)\""))
        }
    }
}

extension TapeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { session.token(index).kind == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == Date.self { return try session.date(self) }
        return try session.value(type, at: index, path: path)
    }

    // The standard library's defaults for these two throw.
    func decode(_ type: Int128.Type) throws -> Int128 { try session.integer(type, index) { path } }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try session.integer(type, index) { path } }
}

/// The members of an object.
struct TapeKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let session: DecodingSession
    /// The tape with the keys: the session's tape, or the one with the original keys.
    let names: Cell<JSONTape>
    let index: Int
    let path: CodingPathNode?

    var codingPath: [any CodingKey] { path.keys }

    var allKeys: [Key] {
        var keys: [Key] = []
        var name = index + 1
        while name < session.token(index).next {
            if let text = names.value.string(name), let key = Key(stringValue: text) { keys.append(key) }
            name = session.token(name + 1).next
        }
        return keys
    }

    @inline(__always)
    private func find(_ key: some CodingKey) -> Int? { names.value.value(in: index, named: key.stringValue) }

    /// Reads the value of a member.
    @inline(__always)
    func value<Value>(
        _ key: Key, _ read: (DecodingSession, Int, () -> CodingPathNode?) throws -> Value
    ) throws -> Value {
        try read(session, try value(of: key)) { path.appending(key) }
    }

    /// Reads the value of a member that exists and is not null; otherwise nil.
    @inline(__always)
    func present<Value>(
        _ key: Key, _ read: (DecodingSession, Int, () -> CodingPathNode?) throws -> Value
    ) throws -> Value? {
        guard let value = findPresent(key) else { return nil }
        return try read(session, value) { path.appending(key) }
    }

    @inline(__always)
    private func findPresent(_ key: Key) -> Int? {
        guard let value = find(key), session.token(value).kind != .null else { return nil }
        return value
    }

    @inline(__always)
    private func value(of key: some CodingKey) throws -> Int {
        if let value = find(key) { return value }
        throw missing(key)
    }

    @inline(never)
    private func missing(_ key: some CodingKey) -> DecodingError {
        let context = session.context("expected the key \"\(key.stringValue)\", found none", path)
        return .keyNotFound(key, context)
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { session.token(try value(of: key)).kind == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        // Without `value(_:_:)`, whose closure would be one call more in generic code.
        try session.value(type, at: try value(of: key), path: path.appending(key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let value = findPresent(key) else { return nil }
        return try session.value(type, at: value, path: path.appending(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(for: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { superDecoder(orNull: AnyCodingKey.superKey) }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(orNull: key) }

    private func decoder(for key: Key) throws -> TapeDecoder {
        TapeDecoder(session: session, index: try value(of: key), path: path.appending(key))
    }

    /// A missing member reads as null, as in Foundation.
    private func superDecoder(orNull key: some CodingKey) -> TapeDecoder {
        TapeDecoder(session: session, index: find(key) ?? -1, path: path.appending(key))
    }
}

/// The elements of an array.
struct TapeUnkeyedContainer: UnkeyedDecodingContainer {
    let session: DecodingSession
    let index: Int
    let path: CodingPathNode?
    private(set) var currentIndex = 0
    /// The token of the next element.
    private var next: Int
    private let end: Int

    init(session: DecodingSession, index: Int, path: CodingPathNode?) {
        self.session = session
        self.index = index
        self.path = path
        next = index + 1
        end = session.token(index).next
    }

    var codingPath: [any CodingKey] { path.keys }
    var count: Int? { session.token(index).count }
    var isAtEnd: Bool { next >= end }

    private var elementPath: CodingPathNode { path.appending(IndexKey(currentIndex)) }

    private func require(_ type: any Any.Type) throws {
        guard isAtEnd else { return }
        let message = "expected \(type), found the end of the array"
        throw DecodingError.valueNotFound(type, session.context(message, elementPath))
    }

    /// Reads the next element as a value of `type` and, if that succeeds, moves on.
    @inline(__always)
    mutating func take<Value>(
        _ type: Value.Type, _ read: (DecodingSession, Int, () -> CodingPathNode?) throws -> Value
    ) throws -> Value {
        try require(type)
        let value = try read(session, next) { elementPath }
        advance()
        return value
    }

    private mutating func advance() {
        next = session.token(next).next
        currentIndex += 1
    }

    mutating func decodeNil() throws -> Bool {
        try require(Never.self)
        guard session.token(next).kind == .null else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try require(type)
        let value = try session.value(type, at: next, path: elementPath)
        advance()
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try take(KeyedDecodingContainer<Nested>.self) {
            try TapeDecoder(session: $0, index: $1, path: $2()).container(keyedBy: type)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take((any UnkeyedDecodingContainer).self) {
            try TapeDecoder(session: $0, index: $1, path: $2()).unkeyedContainer()
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        try take((any Decoder).self) { TapeDecoder(session: $0, index: $1, path: $2()) }
    }
}
