import ConvertEngine

/// A type that reads its members by key, without the containers of `Codable`.
///
///     struct Order: MemberDecodable {
///         var id: Int
///         var note: String?
///         var items: [Item]
///
///         init(members: DecodingMembers) throws {
///             id = try members["id"]
///             note = try members["note"]
///             items = try members["items"]
///         }
///     }
///
/// Such a type is `Decodable` by every decoder. A ``ConvertDecoder`` reads it about twice as fast as a type with a synthesized
/// `init(from:)`: it allocates nothing for an object except its values. The gain is largest if the types of its members, such as `Item`,
/// are `MemberDecodable`, too. Read the members in the order in which payloads usually have them. Values, errors and coding paths are the
/// same.
public protocol MemberDecodable: Decodable {
    /// Creates a value from the members of an object.
    ///
    /// - Throws: `DecodingError` for a member that is missing or has another type.
    init(members: DecodingMembers) throws
}

extension MemberDecodable {
    /// Creates a value with any decoder.
    public init(from decoder: any Decoder) throws {
        guard let exact = decoder as? TapeDecoder else {
            let container = try decoder.container(keyedBy: AnyCodingKey.self)
            try self.init(members: DecodingMembers(MemberReader(container), index: -1, depth: 0))
            return
        }
        let steps = exact.session.tape.value.steps.count
        defer { exact.session.tape.value.steps.truncate(to: steps) }
        let reader = MemberReader(exact.session, exact.path, firstStep: steps)
        try self.init(members: try DecodingMembers(reader, exact.session, exact.index, depth: steps))
    }
}

/// What the members of one value, and of all values inside it that are read by members, have in common.
final class MemberReader {
    /// The session; nil for another decoder, whose container is `container`.
    let session: DecodingSession?
    let container: KeyedDecodingContainer<AnyCodingKey>?
    /// The session's tape; an empty one for another decoder.
    let tape: Cell<JSONTape>
    /// The path to the value.
    let path: CodingPathNode?
    /// The index of the first of the session's steps after `path`.
    let firstStep: Int
    /// Whether a session reads the value.
    let isTape: Bool
    /// Whether objects inside the value are read without decoders: a session reads it, and has no rules for elements that fail.
    let isDirect: Bool

    init(_ session: DecodingSession, _ path: CodingPathNode?, firstStep: Int) {
        (self.session, container, tape, self.path, self.firstStep) = (session, nil, session.tape, path, firstStep)
        (isTape, isDirect) = (true, !session.hasFailureRules)
    }

    init(_ container: KeyedDecodingContainer<AnyCodingKey>) {
        (session, self.container, tape, path, firstStep) = (nil, container, Cell(JSONTape()), nil, 0)
        (isTape, isDirect) = (false, false)
    }
}

/// The members of an object that is being decoded.
///
/// A member is read by its key in the payload, or by the key that a profile gave it. It becomes the type that it is assigned
/// to. An optional is nil if the member is null or missing. Every subscript throws `DecodingError` for a member that is missing or has
/// another type, and the errors of the member's own `init`.
public struct DecodingMembers {
    // Three words, so that passing them on is cheap.
    private let reader: MemberReader
    /// The token of the object.
    private let index: Int
    /// The number of the session's steps that lead to the object.
    private let depth: Int

    fileprivate init(_ reader: MemberReader, index: Int, depth: Int) {
        (self.reader, self.index, self.depth) = (reader, index, depth)
    }

    fileprivate init(_ reader: MemberReader, _ session: DecodingSession, _ index: Int, depth: Int) throws {
        self.init(reader, index: index, depth: depth)
        if !reader.tape.value.isPlainObject(index) { try check(session) }
    }

    /// Throws if the value is not an object, or if one of its keys has half of a surrogate pair.
    @inline(never)
    fileprivate func check(_ session: DecodingSession) throws {
        guard session.token(index).kind == .object else {
            throw session.mismatch([String: Any].self, index, ownPath(session))
        }
        guard !session.tape.value.hasBrokenName(index) else {
            throw session.corrupted(
                "expected keys of whole characters, found half of a surrogate pair", ownPath(session))
        }
    }

    // MARK: Paths

    /// The path to this object, created on demand only.
    private func ownPath(_ session: DecodingSession) -> CodingPathNode? {
        var path = reader.path
        for step in reader.firstStep..<max(reader.firstStep, min(depth, session.tape.value.steps.count)) {
            path = path.appending(session.tape.value.steps[step].key)
        }
        return path
    }

    func path(_ session: DecodingSession, _ name: StaticString) -> CodingPathNode {
        ownPath(session).appending(AnyCodingKey(name.description))
    }

    @inline(never)
    private func missing(_ session: DecodingSession, _ name: StaticString) -> DecodingError {
        let context = session.context("expected the key \"\(name)\", found none", ownPath(session))
        return .keyNotFound(AnyCodingKey(name.description), context)
    }

    // MARK: Members

    /// The container of another decoder, and the key of a member in it.
    private func other(_ name: StaticString) -> (container: KeyedDecodingContainer<AnyCodingKey>, key: AnyCodingKey) {
        guard let container = reader.container else { preconditionFailure("a reader has a session or a container") }
        return (container, AnyCodingKey(name.description))
    }

    /// A required member: `fast` reads the usual tokens, and `read` all others.
    @inline(__always)
    func value<Value: Decodable>(
        _ name: StaticString, _ fast: (borrowing JSONTape, Int) -> Value?,
        slowly read: (DecodingSession, Int, () -> CodingPathNode?) throws -> Value
    ) throws -> Value {
        guard reader.isTape else {
            let (container, key) = other(name)
            return try container.decode(Value.self, forKey: key)
        }
        let tape = reader.tape
        guard let valueIndex = tape.value.value(in: index, named: name) else { throw missing(session, name) }
        if let value = fast(tape.value, valueIndex) { return value }
        return try read(session, valueIndex) { path(session, name) }
    }

    /// A member that may be null or missing.
    @inline(__always)
    func present<Value: Decodable>(
        _ name: StaticString, _ fast: (borrowing JSONTape, Int) -> Value?,
        slowly read: (DecodingSession, Int, () -> CodingPathNode?) throws -> Value
    ) throws -> Value? {
        guard reader.isTape else {
            let (container, key) = other(name)
            return try container.decodeIfPresent(Value.self, forKey: key)
        }
        let tape = reader.tape
        guard let valueIndex = tape.value.value(in: index, named: name) else { return nil }
        if let value = fast(tape.value, valueIndex) { return value }
        guard tape.value.tokens[valueIndex].kind != .null else { return nil }
        return try read(session, valueIndex) { path(session, name) }
    }

    /// Whether the object has a member with this key, also if it is null.
    public func contains(_ name: StaticString) -> Bool {
        guard reader.isTape else {
            let (container, key) = other(name)
            return container.contains(key)
        }
        return reader.tape.value.value(in: index, named: name) != nil
    }
}

// MARK: - Values of any type

extension DecodingMembers {
    /// A member of any type; for an optional type, nil if it is null or missing.
    @_disfavoredOverload
    public subscript<Value: Decodable>(name: StaticString) -> Value {
        get throws { try any(name) }
    }

    @usableFromInline
    func any<Value: Decodable>(_ name: StaticString) throws -> Value {
        guard let session = reader.session else {
            let (container, key) = other(name)
            guard container.contains(key) else {
                return try Self.absent {
                    .keyNotFound(key, .init(codingPath: container.codingPath, debugDescription: "no such key"))
                }
            }
            return try container.decode(Value.self, forKey: key)
        }
        guard let value = session.tape.value.value(in: index, named: name) else {
            return try Self.absent { missing(session, name) }
        }
        return try session.value(Value.self, at: value, path: path(session, name))
    }

    @usableFromInline
    func anyPresent<Value: Decodable>(_ name: StaticString) throws -> Value? {
        try present(name, { _, _ in nil }, slowly: { try $0.value(Value.self, at: $1, path: $2()) })
    }

    /// Nil if `Value` is an optional type; otherwise throws `error`.
    @inline(never)
    private static func absent<Value>(_ error: () -> DecodingError) throws -> Value {
        guard let type = Value.self as? any OptionalValue.Type, let value = type.absent as? Value else { throw error() }
        return value
    }
}

// MARK: - Objects

// Inlinable, so that the compiler makes a copy for each type. Generic code would look up the type for each object.
extension DecodingMembers {
    /// A member that is an object of a `MemberDecodable` type.
    @inlinable
    public subscript<Value: MemberDecodable>(name: StaticString) -> Value {
        get throws {
            guard isDirect else { return try any(name) }
            return try Value(members: object(at: valueIndex(of: name), name))
        }
    }

    /// A member that is an object of a `MemberDecodable` type; nil if it is null or missing.
    @inlinable
    public subscript<Value: MemberDecodable>(name: StaticString) -> Value? {
        get throws {
            guard isDirect else { return try anyPresent(name) }
            guard let valueIndex = presentValueIndex(of: name) else { return nil }
            return try Value(members: object(at: valueIndex, name))
        }
    }

    /// A member that is an array of objects of a `MemberDecodable` type.
    @inlinable
    public subscript<Value: MemberDecodable>(name: StaticString) -> [Value] {
        get throws {
            guard isDirect else { return try any(name) }
            return try values(at: valueIndex(of: name), name)
        }
    }

    /// A member that is an array of objects of a `MemberDecodable` type; nil if it is null or missing.
    @inlinable
    public subscript<Value: MemberDecodable>(name: StaticString) -> [Value]? {
        get throws {
            guard isDirect else { return try anyPresent(name) }
            guard let valueIndex = presentValueIndex(of: name) else { return nil }
            return try values(at: valueIndex, name)
        }
    }

    @inlinable
    func values<Value: MemberDecodable>(at valueIndex: Int, _ name: StaticString) throws -> [Value] {
        var elements = try elements(at: valueIndex, name)
        var values: [Value] = []
        values.reserveCapacity(elements.count)
        while let members = try elements.next() { values.append(try Value(members: members)) }
        return values
    }

    /// Whether objects inside this one are read without decoders.
    @usableFromInline var isDirect: Bool { reader.isDirect }

    /// The session of a reader with a tape.
    var session: DecodingSession {
        guard let session = reader.session else { preconditionFailure("a reader has a session or a container") }
        return session
    }

    /// The token of a member's value.
    @usableFromInline
    func valueIndex(of name: StaticString) throws -> Int {
        guard let valueIndex = reader.tape.value.value(in: index, named: name) else { throw missing(session, name) }
        return valueIndex
    }

    /// The token of a member's value; nil if it is null or missing.
    @usableFromInline
    func presentValueIndex(of name: StaticString) -> Int? {
        let tape = reader.tape
        guard let valueIndex = tape.value.value(in: index, named: name), tape.value.tokens[valueIndex].kind != .null
        else { return nil }
        return valueIndex
    }

    /// The members of the object that is the value of a member.
    @usableFromInline
    func object(at valueIndex: Int, _ name: StaticString) throws -> DecodingMembers {
        let inner = DecodingMembers(reader, index: valueIndex, depth: depth + 1)
        if !reader.tape.value.enter(.member(name), at: depth, to: valueIndex) { try inner.check(session) }
        return inner
    }

    /// The elements of the array that is the value of a member.
    @usableFromInline
    func elements(at valueIndex: Int, _ name: StaticString) throws -> MemberElements {
        let token = session.token(valueIndex)
        guard token.kind == .array else { throw session.mismatch([Any].self, valueIndex, path(session, name)) }
        _ = reader.tape.value.enter(.member(name), at: depth, to: valueIndex)
        return MemberElements(reader, depth: depth + 1, count: token.count, token: valueIndex + 1)
    }
}

/// The elements of an array of objects.
@usableFromInline
struct MemberElements {
    private let reader: MemberReader
    /// The number of the session's steps that lead to the array.
    private let depth: Int
    @usableFromInline let count: Int
    private var position = 0
    /// The token of the next element.
    private var token: Int

    fileprivate init(_ reader: MemberReader, depth: Int, count: Int, token: Int) {
        (self.reader, self.depth, self.count, self.token) = (reader, depth, count, token)
    }

    /// The members of the next element; nil at the end.
    @usableFromInline
    mutating func next() throws -> DecodingMembers? {
        guard position < count else { return nil }
        let members = DecodingMembers(reader, index: token, depth: depth + 1)
        let tape = reader.tape
        let isPlain = tape.value.enter(.element(position), at: depth, to: token)
        position += 1
        token = tape.value.tokens[token].next
        if !isPlain { try members.check(members.session) }
        return members
    }
}

private protocol OptionalValue {
    static var absent: Any { get }
}

extension Optional: OptionalValue {
    static var absent: Any { Wrapped?.none as Any }
}
