import ConvertEngine
import ConvertFormats

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
/// Such a type is `Decodable` by every decoder. A ``ConvertDecoder`` reads it several times as fast as a type with a synthesized
/// `init(from:)`: it allocates nothing for an object except its values. The gain is largest if the types of its members, such as `Item`,
/// are `MemberDecodable`, too. Values, errors and coding paths are the same.
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
            try self.init(members: DecodingMembers(container))
            return
        }
        try self.init(members: try DecodingMembers(exact))
    }
}

/// The members of an object that is being decoded.
///
/// A member is read by its key in the payload, or by the key that a profile gave it. It becomes the type that it is assigned
/// to. An optional is nil if the member is null or missing.
public struct DecodingMembers {
    private enum Source {
        case tape(DecodingSession, index: Int)
        /// The container of another decoder.
        case container(KeyedDecodingContainer<AnyCodingKey>)
    }

    private let source: Source
    /// The path to the outermost value that is read by members.
    private let path: CodingPathNode?
    /// The index of the first of the session's steps after `path`.
    private let firstStep: Int

    fileprivate init(_ decoder: TapeDecoder) throws {
        try self.init(decoder.session, decoder.index, decoder.path, firstStep: decoder.session.tape.value.steps.count)
    }

    fileprivate init(_ container: KeyedDecodingContainer<AnyCodingKey>) {
        source = .container(container)
        path = nil
        firstStep = 0
    }

    private init(_ session: DecodingSession, _ index: Int, _ path: CodingPathNode?, firstStep: Int) throws {
        source = .tape(session, index: index)
        self.path = path
        self.firstStep = firstStep
        guard session.token(index).kind == .object else {
            throw session.mismatch([String: Any].self, index, ownPath(session))
        }
        guard !session.tape.value.hasBrokenName(index) else {
            throw session.corrupted(
                "expected names of whole characters, found half of a surrogate pair", ownPath(session))
        }
    }

    // MARK: Paths

    /// The path to this object, created on demand only.
    private func ownPath(_ session: DecodingSession) -> CodingPathNode? {
        var path = path
        let count = session.tape.value.steps.count
        for step in firstStep..<max(count, firstStep) {
            path = path.appending(session.tape.value.steps[step].key)
        }
        return path
    }

    private func path(_ session: DecodingSession, _ name: StaticString) -> CodingPathNode {
        ownPath(session).appending(AnyCodingKey(name.description))
    }

    @inline(never)
    private func missing(_ session: DecodingSession, _ name: StaticString) -> DecodingError {
        let context = session.context("expected a member \"\(name)\", found none", ownPath(session))
        return .keyNotFound(AnyCodingKey(name.description), context)
    }

    private static func key(_ name: StaticString) -> AnyCodingKey { AnyCodingKey(name.description) }

    // MARK: Members

    @inline(__always)
    private func value<Value>(
        _ name: StaticString, _ read: (DecodingSession, Int, () -> CodingPathNode?) throws -> Value,
        orFrom other: (KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey) throws -> Value
    ) throws -> Value {
        switch source {
        case .tape(let session, let index):
            guard let value = session.tape.value.value(in: index, named: name) else { throw missing(session, name) }
            return try read(session, value) { path(session, name) }
        case .container(let container): return try other(container, Self.key(name))
        }
    }

    @inline(__always)
    private func present<Value>(
        _ name: StaticString, _ read: (DecodingSession, Int, () -> CodingPathNode?) throws -> Value,
        orFrom other: (KeyedDecodingContainer<AnyCodingKey>, AnyCodingKey) throws -> Value?
    ) throws -> Value? {
        switch source {
        case .tape(let session, let index):
            guard let value = session.tape.value.value(in: index, named: name), session.token(value).kind != .null
            else { return nil }
            return try read(session, value) { path(session, name) }
        case .container(let container): return try other(container, Self.key(name))
        }
    }

    /// Whether the object has a member with this key, also if it is null.
    public func contains(_ name: StaticString) -> Bool {
        switch source {
        case .tape(let session, let index): session.tape.value.value(in: index, named: name) != nil
        case .container(let container): container.contains(Self.key(name))
        }
    }
}

// MARK: - Scalars

extension DecodingMembers {
    /// A member that is a string.
    public subscript(name: StaticString) -> String {
        get throws {
            try value(name) {
                try $0.string($1, $2)
            } orFrom: {
                try $0.decode(String.self, forKey: $1)
            }
        }
    }

    /// A member that is an integer.
    public subscript(name: StaticString) -> Int {
        get throws {
            try value(name) {
                try $0.integer(Int.self, $1, $2)
            } orFrom: {
                try $0.decode(Int.self, forKey: $1)
            }
        }
    }

    /// A member that is a number.
    public subscript(name: StaticString) -> Double {
        get throws {
            try value(name) {
                try $0.double($1, $2)
            } orFrom: {
                try $0.decode(Double.self, forKey: $1)
            }
        }
    }

    /// A member that is true or false.
    public subscript(name: StaticString) -> Bool {
        get throws {
            try value(name) {
                try $0.bool($1, $2)
            } orFrom: {
                try $0.decode(Bool.self, forKey: $1)
            }
        }
    }

    /// A member that is a string; nil if it is null or missing.
    public subscript(name: StaticString) -> String? {
        get throws {
            try present(name) {
                try $0.string($1, $2)
            } orFrom: {
                try $0.decodeIfPresent(String.self, forKey: $1)
            }
        }
    }

    /// A member that is an integer; nil if it is null or missing.
    public subscript(name: StaticString) -> Int? {
        get throws {
            try present(name) {
                try $0.integer(Int.self, $1, $2)
            } orFrom: {
                try $0.decodeIfPresent(Int.self, forKey: $1)
            }
        }
    }

    /// A member that is a number; nil if it is null or missing.
    public subscript(name: StaticString) -> Double? {
        get throws {
            try present(name) {
                try $0.double($1, $2)
            } orFrom: {
                try $0.decodeIfPresent(Double.self, forKey: $1)
            }
        }
    }

    /// A member that is true or false; nil if it is null or missing.
    public subscript(name: StaticString) -> Bool? {
        get throws {
            try present(name) {
                try $0.bool($1, $2)
            } orFrom: {
                try $0.decodeIfPresent(Bool.self, forKey: $1)
            }
        }
    }
}

// MARK: - Other values

extension DecodingMembers {
    /// A member of any type; for an optional type, nil if it is null or missing.
    @_disfavoredOverload
    public subscript<Value: Decodable>(name: StaticString) -> Value {
        get throws {
            switch source {
            case .tape(let session, let index):
                guard let value = session.tape.value.value(in: index, named: name) else {
                    return try Self.absent { missing(session, name) }
                }
                return try session.value(Value.self, at: value, path: path(session, name))
            case .container(let container):
                let key = Self.key(name)
                guard container.contains(key) else {
                    return try Self.absent {
                        .keyNotFound(key, .init(codingPath: container.codingPath, debugDescription: "no such member"))
                    }
                }
                return try container.decode(Value.self, forKey: key)
            }
        }
    }

    /// Nil if `Value` is an optional type; otherwise throws `error`.
    @inline(never)
    private static func absent<Value>(_ error: () -> DecodingError) throws -> Value {
        guard let type = Value.self as? any OptionalValue.Type, let value = type.absent as? Value else { throw error() }
        return value
    }

    /// A member that is an object of a `MemberDecodable` type.
    public subscript<Value: MemberDecodable>(name: StaticString) -> Value {
        get throws {
            try value(name) { session, index, _ in
                try nested(session, index, JSONTape.Step(name: name))
            } orFrom: {
                try $0.decode(Value.self, forKey: $1)
            }
        }
    }

    /// A member that is an object of a `MemberDecodable` type; nil if it is null or missing.
    public subscript<Value: MemberDecodable>(name: StaticString) -> Value? {
        get throws {
            try present(name) { session, index, _ in
                try nested(session, index, JSONTape.Step(name: name))
            } orFrom: {
                try $0.decodeIfPresent(Value.self, forKey: $1)
            }
        }
    }

    /// A member that is an array of objects of a `MemberDecodable` type.
    public subscript<Value: MemberDecodable>(name: StaticString) -> [Value] {
        get throws {
            try value(name) { session, index, path in
                try elements(session, index, name, path)
            } orFrom: {
                try $0.decode([Value].self, forKey: $1)
            }
        }
    }

    /// A member that is an array of objects of a `MemberDecodable` type; nil if it is null or missing.
    public subscript<Value: MemberDecodable>(name: StaticString) -> [Value]? {
        get throws {
            try present(name) { session, index, path in
                try elements(session, index, name, path)
            } orFrom: {
                try $0.decodeIfPresent([Value].self, forKey: $1)
            }
        }
    }

    private func nested<Value: MemberDecodable>(
        _ session: DecodingSession, _ index: Int, _ step: JSONTape.Step
    ) throws -> Value {
        let count = session.tape.value.steps.count
        session.tape.value.steps.append(step)
        defer { session.tape.value.steps.truncate(to: count) }
        return try Value(members: DecodingMembers(session, index, path, firstStep: firstStep))
    }

    private func elements<Value: MemberDecodable>(
        _ session: DecodingSession, _ index: Int, _ name: StaticString, _ path: () -> CodingPathNode?
    ) throws -> [Value] {
        // With rules for elements that fail, the array is read like any other `Decodable`.
        guard !session.hasFailureRules else { return try session.value([Value].self, at: index, path: path()) }
        let token = session.token(index)
        guard token.kind == .array else { throw session.mismatch([Any].self, index, path()) }
        let count = session.tape.value.steps.count
        session.tape.value.steps.append(JSONTape.Step(name: name))
        defer { session.tape.value.steps.truncate(to: count) }
        var values: [Value] = []
        values.reserveCapacity(token.count)
        var element = index + 1
        while element < token.next {
            values.append(try nested(session, element, JSONTape.Step(index: values.count)))
            element = session.token(element).next
        }
        return values
    }
}

/// An optional type.
private protocol OptionalValue {
    static var absent: Any { get }
}

extension Optional: OptionalValue {
    static var absent: Any { Wrapped?.none as Any }
}
