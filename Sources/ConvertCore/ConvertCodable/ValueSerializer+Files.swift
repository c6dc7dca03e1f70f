extension ValueSerializer {
    /// The value as a JSON text: minified UTF-8, members in the order of their fields.
    ///
    /// - Throws: an error with a pointer for a value that JSON cannot represent.
    public func json(from value: Value) throws(SerializationError) -> [UInt8] {
        try serialize(value, for: .json).json()
    }

    /// The value of a JSON text in UTF-8.
    ///
    /// - Throws: the first error, with a pointer to the value.
    public func value(fromJSON text: [UInt8]) throws(SerializationError) -> Value {
        try deserialize(SerializedValue(parsingJSON: text), from: .json)
    }

    /// The value as a property list file; members are in the order of their fields in both forms.
    ///
    /// - Throws: an error with a pointer for a value that property lists cannot represent, such as null.
    public func propertyList(
        from value: Value, _ format: PropertyListFormat = .xml
    ) throws(SerializationError) -> [UInt8] {
        try PropertyList.write(serialize(value, for: .propertyList), as: format)
    }

    /// The value of a property list file, XML or binary, recognised by its first bytes.
    ///
    /// - Throws: the first error, with a pointer to the value.
    public func value(fromPropertyList file: [UInt8]) throws(SerializationError) -> Value {
        try deserialize(PropertyList.read(file), from: .propertyList)
    }
}
