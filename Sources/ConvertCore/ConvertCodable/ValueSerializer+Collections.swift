extension ValueSerializer {
    /// An array of values of one kind.
    public static func array<Element>(of element: ValueSerializer<Element>) -> ValueSerializer<[Element]>
    where Value == [Element] {
        array(of: element, onBad: { error throws(SerializationError) in throw error })
    }

    /// An array that skips elements with errors; `report` is called for each of them.
    ///
    /// - Parameters:
    ///   - element: the serializer of an element.
    ///   - report: receives the error, whose pointer begins at the array.
    public static func array<Element>(
        of element: ValueSerializer<Element>, skippingBad report: @escaping @Sendable (SerializationError) -> Void
    ) -> ValueSerializer<[Element]> where Value == [Element] {
        array(of: element, onBad: report)
    }

    private static func array<Element>(
        of element: ValueSerializer<Element>,
        onBad report: @escaping @Sendable (SerializationError) throws(SerializationError) -> Void
    ) -> ValueSerializer<[Element]> where Value == [Element] {
        ValueSerializer { (values, format) throws(SerializationError) in
            .array(
                try values.indices.map { index throws(SerializationError) in
                    try element.serialize(values[index], for: format, at: String(index))
                })
        } deserialize: { (value, format) throws(SerializationError) in
            guard case .array(let array) = value else {
                throw SerializationError(expected: "an array", found: value.kind)
            }
            var values: [Element] = []
            values.reserveCapacity(array.count)
            for (index, value) in array.enumerated() {
                do throws(SerializationError) {
                    values.append(try element.deserialize(value, from: format, at: String(index)))
                } catch {
                    try report(error)
                }
            }
            return values
        }
    }

    /// An object whose keys are data, such as language codes; written in the order of the keys' UTF-8 bytes.
    ///
    /// Keys are compared as Swift compares strings: two spellings of one key (NFC and NFD) are an error, and so is a duplicate
    /// key.
    public static func dictionary<Element>(
        of element: ValueSerializer<Element>
    ) -> ValueSerializer<[String: Element]> where Value == [String: Element] {
        ValueSerializer { (values, format) throws(SerializationError) in
            var members: [SerializedValue.Member] = []
            for (name, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                members.append(.init(name, try element.serialize(value, for: format, at: name)))
            }
            return .object(members)
        } deserialize: { (value, format) throws(SerializationError) in
            guard case .object(let members) = value else {
                throw SerializationError(expected: "an object", found: value.kind)
            }
            var values: [String: Element] = [:]
            for member in members {
                let element = try element.deserialize(member.value, from: format, at: member.name)
                guard values.updateValue(element, forKey: member.name) == nil else {
                    throw SerializationError(expected: "a key once", found: "it twice").nested(in: member.name)
                }
            }
            return values
        }
    }
}
