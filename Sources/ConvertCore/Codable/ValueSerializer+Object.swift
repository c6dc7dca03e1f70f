/// One member of an object, and the property it stands for.
public struct Field<Root, Value>: Sendable {
    /// The member's name in the file.
    public let name: String
    let value: @Sendable (Root) -> Value
    let serializer: ValueSerializer<Value>

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: the member's name in the file.
    ///   - value: where the value is taken from when an object is written, such as `\.home`.
    ///   - serializer: how the value is written and read; an optional one makes the member optional.
    public init(
        _ name: String, _ value: @escaping @Sendable (Root) -> Value, _ serializer: ValueSerializer<Value>
    ) {
        self.name = name
        self.value = value
        self.serializer = serializer
    }

    func member(of root: Root, for format: SerializationFormat) throws(SerializationError) -> SerializedValue.Member? {
        let value = value(root)
        if serializer.absence?.isLeftOut(value) == true { return nil }
        return .init(name, try serializer.serialize(value, for: format, at: name))
    }

    func value(in object: ObjectMembers, from format: SerializationFormat) throws(SerializationError) -> Value {
        if let value = object[name] { return try serializer.deserialize(value, from: format, at: name) }
        if let absence = serializer.absence { return absence.value() }
        do throws(SerializationError) {
            // What is expected is for the serializer to say.
            return try serializer.deserialize(.null, from: format, at: name)
        } catch {
            throw SerializationError(expected: error.expected, found: "nothing", pointer: error.pointer)
        }
    }
}

/// Collects the fields of `ValueSerializer.object`.
@resultBuilder
public enum FieldBuilder<Root>: Sendable {
    /// Takes one field.
    public static func buildExpression<Value>(_ field: Field<Root, Value>) -> Field<Root, Value> { field }

    /// Takes all fields, in their order.
    public static func buildBlock<each Value>(
        _ fields: repeat Field<Root, each Value>
    ) -> (repeat Field<Root, each Value>) {
        (repeat each fields)
    }
}

extension ValueSerializer {
    /// An object made of its fields, written in their order; members that no field names are left unread.
    ///
    /// - Parameters:
    ///   - make: makes the value of the fields' values, in their order: often an initialiser.
    ///   - fields: the fields.
    public static func object<each Property>(
        _ make: @escaping @Sendable (repeat each Property) -> Value,
        @FieldBuilder<Value> fields: () -> (repeat Field<Value, each Property>)
    ) -> ValueSerializer {
        let fields = fields()
        return ValueSerializer { (value, format) throws(SerializationError) in
            var members: [SerializedValue.Member] = []
            for field in repeat each fields {
                if let member = try field.member(of: value, for: format) { members.append(member) }
            }
            return .object(members)
        } deserialize: { (value, format) throws(SerializationError) in
            let object = try ObjectMembers(value)
            return make(repeat try (each fields).value(in: object, from: format))
        }
    }
}

/// An object's members by name; of a name that stands twice, neither is a guess: it is an error.
struct ObjectMembers {
    private var values: [[UInt8]: SerializedValue] = [:]

    init(_ value: SerializedValue) throws(SerializationError) {
        guard case .object(let members) = value else {
            throw SerializationError(expected: "an object", found: value.kind)
        }
        values.reserveCapacity(members.count)
        for member in members {
            guard values.updateValue(member.value, forKey: Array(member.name.utf8)) == nil else {
                throw SerializationError(expected: "a name once", found: "it twice").below(member.name)
            }
        }
    }

    subscript(name: String) -> SerializedValue? { values[Array(name.utf8)] }
}
