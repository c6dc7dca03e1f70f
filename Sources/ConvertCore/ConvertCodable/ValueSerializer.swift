/// Converts a Swift value to its form in a JSON or property list file, and back.
///
/// Serializers are composed, so the serializer of a whole model is built from those of its parts:
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
/// A written value is read back as an equal one, if each part of the serializer does that. So serializers are stricter
/// than `Codable`. `.integer` refuses `1.0`. `.url` refuses characters that a URL would have to escape. An object with a key twice is
/// refused. `.uuid` writes lower case. ``codable(_:decoder:encoder:)`` has the rules of `Codable`, for sets and other dictionaries, too.
public struct ValueSerializer<Value>: Sendable {
    /// The rules for a member that may be missing.
    struct Absence: Sendable {
        /// Returns the value of a missing member.
        let value: @Sendable () -> Value
        /// Whether a member with this value is left out.
        let isOmitted: @Sendable (Value) -> Bool
    }

    private let write: @Sendable (Value, SerializationFormat) throws(SerializationError) -> SerializedValue
    private let read: @Sendable (SerializedValue, SerializationFormat) throws(SerializationError) -> Value
    /// Nil if a missing member is an error.
    let absence: Absence?

    /// Creates a serializer from its two directions.
    ///
    /// - Parameters:
    ///   - serialize: returns the form of a value in a format; throws if the format cannot represent it.
    ///   - deserialize: returns the value of a form; throws if the form is not valid. Pointers of errors begin at the value itself.
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

    /// A serializer for a mistake in the program; every use throws it.
    init(refusing mistake: SerializationError) {
        self.init { (_, _) throws(SerializationError) in
            throw mistake
        } deserialize: { (_, _) throws(SerializationError) in
            throw mistake
        }
    }

    /// The form of the value in a format.
    ///
    /// - Throws: `SerializationError` for a value that the format cannot represent, such as an infinite number.
    public func serialize(_ value: Value, for format: SerializationFormat) throws(SerializationError) -> SerializedValue
    {
        try write(value, format)
    }

    /// The value of a form.
    ///
    /// - Throws: `SerializationError` for the first error, with a pointer to the value.
    public func deserialize(
        _ value: SerializedValue, from format: SerializationFormat
    ) throws(SerializationError) -> Value {
        try read(value, format)
    }
}

// MARK: - Made of others

extension ValueSerializer {
    /// A serializer of another type, whose values are converted to and from this type's values.
    ///
    /// - Parameters:
    ///   - expected: the kind of value with its article, for error messages.
    ///   - make: returns the other type's value; nil if there is none.
    ///   - take: returns this type's value; nil if there is none, so that the other value cannot be written.
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

    /// A value or nil: a nil member is left out, and a missing or null member is read as nil.
    ///
    /// In an array, JSON writes nil as null. A property list cannot, so that is an error.
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
            absence: .init(value: { nil }, isOmitted: { $0 == nil }))
    }

    /// Reads a missing member as `value`. Writing does not change.
    public func whenAbsent(_ value: @autoclosure @escaping @Sendable () -> Value) -> ValueSerializer {
        ValueSerializer(
            serialize: write, deserialize: read, absence: .init(value: value, isOmitted: { _ in false }))
    }
}

extension SerializedValue {
    /// The kind without its article.
    fileprivate var noun: Substring { kind.split(separator: " ").last ?? "" }
}
