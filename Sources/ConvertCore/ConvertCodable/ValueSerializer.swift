import ConvertFormats

/// Both ways between a Swift value and its form in a JSON or property list file.
///
/// Serializers are composed, and one of a whole model is a value like any other:
///
///     let account = ValueSerializer<Account>.object(Account.init) {
///         Field("id", \.id, .uuid)
///         Field("home", \.home, .url(relativeTo: "https://a.example"))
///         Field("friends", \.friends, .array(of: .uuid))
///         Field("seen", \.seen, .optional(.date(.epochSeconds)))
///     }
///     let someone = try account.value(fromJSON: bytes)
///     let list = try account.propertyList(from: someone, .xml)
///
/// A written value is read again as an equal one, as long as the parts of the serializer keep that promise. So serializers are stricter
/// than `Codable`. `.integer` refuses `1.0`. `.url` refuses characters that a URL would have to escape. An object with a key twice is
/// refused. `.uuid` writes lower case. ``codable(_:decoder:encoder:)`` has the rules of `Codable`, for sets and other dictionaries, too.
public struct ValueSerializer<Value>: Sendable {
    /// The value that represents a missing member.
    struct Absence: Sendable {
        /// What an absent member is read as.
        let value: @Sendable () -> Value
        /// Whether a member with this value is left out.
        let isLeftOut: @Sendable (Value) -> Bool
    }

    private let write: @Sendable (Value, SerializationFormat) throws(SerializationError) -> SerializedValue
    private let read: @Sendable (SerializedValue, SerializationFormat) throws(SerializationError) -> Value
    /// Nil where a member must be there.
    let absence: Absence?

    /// Makes a serializer of its two directions.
    ///
    /// - Parameters:
    ///   - serialize: what a value becomes in a format; throws for a value that has no form there.
    ///   - deserialize: the value that was written; throws for what is none. Pointers begin at the value itself.
    public init(
        serialize: @escaping @Sendable (Value, SerializationFormat) throws(SerializationError) -> SerializedValue,
        deserialize: @escaping @Sendable (SerializedValue, SerializationFormat) throws(SerializationError) -> Value
    ) {
        self.init(serialize: serialize, deserialize: deserialize, absence: nil)
    }

    init(
        serialize: @escaping @Sendable (Value, SerializationFormat) throws(SerializationError) -> SerializedValue,
        deserialize: @escaping @Sendable (SerializedValue, SerializationFormat) throws(SerializationError) -> Value,
        absence: Absence?
    ) {
        write = serialize
        read = deserialize
        self.absence = absence
    }

    /// A serializer of a mistake in the program, which is the error of each use.
    init(refusing mistake: SerializationError) {
        self.init { (_, _) throws(SerializationError) in
            throw mistake
        } deserialize: { (_, _) throws(SerializationError) in
            throw mistake
        }
    }

    /// What the value becomes in a format.
    ///
    /// - Throws: `SerializationError` for a value that has no form, such as a number that is infinite.
    public func serialize(_ value: Value, for format: SerializationFormat) throws(SerializationError) -> SerializedValue
    {
        try write(value, format)
    }

    /// The value that was written.
    ///
    /// - Throws: `SerializationError` for the first thing that is not as expected, with a pointer to it.
    public func deserialize(
        _ value: SerializedValue, from format: SerializationFormat
    ) throws(SerializationError) -> Value {
        try read(value, format)
    }
}

// MARK: - Made of others

extension ValueSerializer {
    /// A serializer of another type whose values represent this one's.
    ///
    /// - Parameters:
    ///   - expected: what is read, with its article, as errors name it.
    ///   - make: the other value; nil if there is none.
    ///   - take: this type's value for the other; nil for one that has none and cannot be written.
    public func map<Other>(
        _ expected: String, to make: @escaping @Sendable (Value) -> Other?,
        from take: @escaping @Sendable (Other) -> Value?
    ) -> ValueSerializer<Other> {
        let (write, read) = (write, read)
        return ValueSerializer<Other> { (other, format) throws(SerializationError) in
            guard let value = take(other) else {
                throw SerializationError(expected: expected, found: "a value without a form")
            }
            return try write(value, format)
        } deserialize: { (value, format) throws(SerializationError) in
            guard let other = make(try read(value, format)) else {
                throw SerializationError(expected: expected, found: "another \(value.noun)")
            }
            return other
        }
    }

    /// A value or nothing: a member that is nil is left out, and one that is absent or null is read as nil.
    ///
    /// Where a value is required, as in an array, JSON writes null. A property list cannot, and that is an error.
    public static func optional<Wrapped>(
        _ wrapped: ValueSerializer<Wrapped>
    ) -> ValueSerializer<Wrapped?> where Value == Wrapped? {
        ValueSerializer<Wrapped?>(
            serialize: { (value, format) throws(SerializationError) in
                if let value { return try wrapped.serialize(value, for: format) }
                guard format == .json else { throw SerializationError(expected: "a value", found: "nil") }
                return .null
            },
            deserialize: { (value, format) throws(SerializationError) in
                value == .null ? nil : try wrapped.deserialize(value, from: format)
            },
            absence: .init(value: { nil }, isLeftOut: { $0 == nil }))
    }

    /// Reads a member that is absent as `value`; it is written like any other.
    public func whenAbsent(_ value: @autoclosure @escaping @Sendable () -> Value) -> ValueSerializer {
        ValueSerializer(
            serialize: write, deserialize: read, absence: .init(value: value, isLeftOut: { _ in false }))
    }
}

extension SerializedValue {
    /// The kind without its article.
    fileprivate var noun: Substring { kind.split(separator: " ").last ?? "" }
}
