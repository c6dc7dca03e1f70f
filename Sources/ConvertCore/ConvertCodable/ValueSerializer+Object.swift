import ConvertFormats

/// One member of an object, and the property it represents.
public struct Field<Root, Value>: Sendable {
    /// The member's key in the file.
    public let name: String
    let value: @Sendable (Root) -> Value
    let serializer: ValueSerializer<Value>
    /// Nil for a field whose value a closure takes.
    let property: (any AnyKeyPath & Sendable)?

    /// Creates a field for a stored or computed property.
    ///
    /// - Parameters:
    ///   - name: the member's key in the file.
    ///   - property: the property that is written, such as `\.home`.
    ///   - serializer: how the value is written and read; an optional one makes the member optional.
    public init(
        _ name: String, _ property: any KeyPath<Root, Value> & Sendable, _ serializer: ValueSerializer<Value>
    ) {
        self.name = name
        value = { $0[keyPath: property] }
        self.serializer = serializer
        self.property = property
    }

    /// Creates a field whose value a closure takes from the root.
    ///
    /// - Parameters:
    ///   - name: the member's key in the file.
    ///   - value: takes the value from the root when an object is written.
    ///   - serializer: how the value is written and read; an optional one makes the member optional.
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
        if serializer.absence?.isLeftOut(value) == true { return nil }
        return .init(name, try serializer.serialize(value, for: format, at: name))
    }

    func value(in object: ObjectMembers, from format: SerializationFormat) throws(SerializationError) -> Value {
        if let value = object[name] { return try serializer.deserialize(value, from: format, at: name) }
        if let absence = serializer.absence { return absence.value() }
        do throws(SerializationError) {
            // The serializer says what it expects.
            return try serializer.deserialize(.null, from: format, at: name)
        } catch {
            throw SerializationError(expected: error.expected, found: "nothing", pointer: error.pointer)
        }
    }

    /// What a value is compared by: itself, if that is possible, since another field may write it otherwise. Else it is its form; nil
    /// for one that has none or is left out.
    func comparable(_ value: Value, in format: SerializationFormat) -> (any Equatable)? {
        // A cast of the value itself would look into an optional.
        func itself<Same: Equatable>(_: Same.Type) -> (any Equatable)? { value as? Same }
        if let type = Value.self as? any Equatable.Type { return itself(type) }
        return serializer.absence?.isLeftOut(value) == true ? nil : try? serializer.serialize(value, for: format)
    }
}

/// The fields of one object, in the order of the parameters that its initialiser has.
public struct FieldList<Root, each Property>: Sendable {
    let fields: (repeat Field<Root, each Property>)

    /// The values of the properties, for comparison; nil where no other field has the same type.
    func comparables(of root: Root, _ order: FieldOrder, _ format: SerializationFormat) -> [(any Equatable)?] {
        var all: [(any Equatable)?] = []
        for field in repeat each fields {
            all.append(order.isInDoubt(all.count) ? field.comparable(field.value(root), in: format) : nil)
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
    /// An object made of its fields, written in their order; members that no field names are not read.
    ///
    /// List the fields in the order of the initialiser's parameters. Fields of different types in another order do not compile.
    /// Fields of one type do; the first object that is read and shows the mistake is refused with an error that names the fields.
    /// Two fields with one name, or for one property, are an error at the first use. To write a property under two names, let a
    /// closure take it in one of the fields.
    ///
    /// - Parameters:
    ///   - make: makes the value of the fields' values, in their order: often an initialiser. If an object looks as if fields were
    ///     exchanged, it is called once more, to tell that from an initialiser that sorts its values.
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
                read.append(order.isInDoubt(read.count) ? field.comparable(value, in: format) : nil)
            }
            let kept = list.comparables(of: made, order, format)
            do throws(SerializationError) {
                try order.check(read: read, kept: kept)
            } catch {
                // Exchanged fields are exchanged once more. An initialiser that sorts values keeps sorted ones.
                let values = (repeat (each fields).value(made))
                let again = list.comparables(of: make(repeat each values), order, format)
                guard order.exchanged(read: kept, kept: again).isEmpty else { throw error }
            }
            return made
        }
    }
}

/// An object's members by name; a name that is there twice is an error, since either member would be a guess.
struct ObjectMembers {
    private var values: [[UInt8]: SerializedValue] = [:]

    init(_ value: SerializedValue) throws(SerializationError) {
        guard case .object(let members) = value else {
            throw SerializationError(expected: "an object", found: value.kind)
        }
        values.reserveCapacity(members.count)
        for member in members {
            guard values.updateValue(member.value, forKey: Array(member.name.utf8)) == nil else {
                throw SerializationError(expected: "a name once", found: "it twice").nested(in: member.name)
            }
        }
    }

    subscript(name: String) -> SerializedValue? { values[Array(name.utf8)] }
}
