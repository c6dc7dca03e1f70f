/// One member of an object, and the property it represents.
public struct Field<Root, Value>: Sendable {
    /// The member's key in the file.
    public let name: String
    let value: @Sendable (Root) -> Value
    let serializer: ValueSerializer<Value>
    /// Nil for a field whose value comes from a closure.
    let property: (any AnyKeyPath & Sendable)?

    /// Creates a field for a stored or computed property.
    ///
    /// - Parameters:
    ///   - name: the member's key in the file.
    ///   - property: the property that is written, such as `\.home`.
    ///   - serializer: the serializer of the value; an optional one makes the member optional.
    public init(
        _ name: String, _ property: any KeyPath<Root, Value> & Sendable, _ serializer: ValueSerializer<Value>
    ) {
        self.name = name
        value = { $0[keyPath: property] }
        self.serializer = serializer
        self.property = property
    }

    /// Creates a field whose value comes from a closure.
    ///
    /// - Parameters:
    ///   - name: the member's key in the file.
    ///   - value: returns the value of the field when `root` is written.
    ///   - serializer: the serializer of the value; an optional one makes the member optional.
    public init(
        _ name: String, _ value: @escaping @Sendable (Root) -> Value, _ serializer: ValueSerializer<Value>
    ) {
        self.name = name
        self.value = value
        self.serializer = serializer
        property = nil
    }

    func member(of root: Root, for format: SerializationFormat) throws(SerializationError) -> SerializedValue.Member? {
        let value = value(root)
        if serializer.absence?.isOmitted(value) == true { return nil }
        return .init(name, try serializer.serialize(value, for: format, at: name))
    }

    func value(in object: ObjectMembers, from format: SerializationFormat) throws(SerializationError) -> Value {
        if let value = object[name] { return try serializer.deserialize(value, from: format, at: name) }
        if let absence = serializer.absence { return absence.value() }
        do throws(SerializationError) {
            // The error then has what the serializer expects.
            return try serializer.deserialize(.null, from: format, at: name)
        } catch {
            throw SerializationError(expected: error.expected, found: "nothing", pointer: error.pointer)
        }
    }

    /// The form of a value for comparisons: the value itself if it is `Equatable`, since two fields may serialize it differently.
    /// Otherwise its serialized form; nil if it has none or is left out.
    func comparable(_ value: Value, in format: SerializationFormat) -> (any Equatable)? {
        // A cast of the value itself would unwrap an optional.
        func itself<Same: Equatable>(_: Same.Type) -> (any Equatable)? { value as? Same }
        if let type = Value.self as? any Equatable.Type { return itself(type) }
        return serializer.absence?.isOmitted(value) == true ? nil : try? serializer.serialize(value, for: format)
    }
}

/// The fields of one object, in the order of the initializer's parameters.
public struct FieldList<Root, each Property>: Sendable {
    let fields: (repeat Field<Root, each Property>)

    /// The values of the properties, for comparison; nil if no other field has the same type.
    func comparables(of root: Root, _ order: FieldOrder, _ format: SerializationFormat) -> [(any Equatable)?] {
        var all: [(any Equatable)?] = []
        for field in repeat each fields {
            all.append(order.sharesType(all.count) ? field.comparable(field.value(root), in: format) : nil)
        }
        return all
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
    ) -> FieldList<Root, repeat each Value> {
        FieldList(fields: (repeat each fields))
    }
}

extension ValueSerializer {
    /// An object with the given fields, written in their order; other members of the file are ignored.
    ///
    /// List the fields in the order of the initializer's parameters. If fields of different types have another order, the code does not
    /// compile. If fields of one type do, the first object whose values show it is refused, with an error that names the fields.
    /// Two fields with the same name or the same property are an error at the first use. To write a property under two names, use a
    /// closure in one of the fields.
    ///
    /// - Parameters:
    ///   - make: makes the value from the fields' values, in their order: often an initializer. If fields seem to be exchanged,
    ///     it is called once more, since the cause may be an initializer that sorts its values.
    ///   - fields: the fields.
    public static func object<each Property>(
        _ make: @escaping @Sendable (repeat each Property) -> Value,
        @FieldBuilder<Value> fields: () -> FieldList<Value, repeat each Property>
    ) -> ValueSerializer {
        let list = fields()
        let fields = list.fields
        var (names, types, properties): ([String], [ObjectIdentifier], [AnyKeyPath?]) = ([], [], [])
        for (field, type) in repeat (each fields, (each Property).self) {
            names.append(field.name)
            types.append(ObjectIdentifier(type))
            properties.append(field.property)
        }
        if let mistake = FieldOrder.mistake(names: names, properties: properties) {
            return ValueSerializer(refusing: mistake)
        }
        let order = FieldOrder(names: names, types: types)
        return ValueSerializer { (value, format) throws(SerializationError) in
            var members: [SerializedValue.Member] = []
            for field in repeat each fields {
                if let member = try field.member(of: value, for: format) { members.append(member) }
            }
            return .object(members)
        } deserialize: { (value, format) throws(SerializationError) in
            let object = try ObjectMembers(value)
            let values = (repeat try (each fields).value(in: object, from: format))
            let made = make(repeat each values)
            guard !order.isProven else { return made }
            var read: [(any Equatable)?] = []
            for (field, value) in repeat (each fields, each values) {
                read.append(order.sharesType(read.count) ? field.comparable(value, in: format) : nil)
            }
            let kept = list.comparables(of: made, order, format)
            do throws(SerializationError) {
                try order.check(read: read, kept: kept)
            } catch {
                // A second call restores exchanged fields. An initializer that sorts keeps sorted values unchanged.
                let values = (repeat (each fields).value(made))
                let again = list.comparables(of: make(repeat each values), order, format)
                guard order.exchanged(read: kept, kept: again).isEmpty else { throw error }
            }
            return made
        }
    }
}

/// An object's members by key. A duplicate key is an error, since the choice of either member would be a guess.
struct ObjectMembers {
    private var values: [[UInt8]: SerializedValue] = [:]

    init(_ value: SerializedValue) throws(SerializationError) {
        guard case .object(let members) = value else {
            throw SerializationError(expected: "an object", found: value.kind)
        }
        values.reserveCapacity(members.count)
        for member in members {
            guard values.updateValue(member.value, forKey: Array(member.name.utf8)) == nil else {
                throw SerializationError(expected: "a key once", found: "it twice").nested(in: member.name)
            }
        }
    }

    subscript(name: String) -> SerializedValue? { values[Array(name.utf8)] }
}
