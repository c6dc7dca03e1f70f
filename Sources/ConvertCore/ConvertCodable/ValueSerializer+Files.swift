import ConvertFormats

extension ValueSerializer {
    /// The value as a JSON text: minified UTF-8, members in the order of their fields.
    ///
    /// - Throws: for a value that has no form in JSON, with a pointer to it.
    public func json(from value: Value) throws(SerializationError) -> [UInt8] {
        try serialize(value, for: .json).json()
    }

    /// The value of a JSON text in UTF-8.
    ///
    /// - Throws: for the first thing that is not as expected, with a pointer to it.
    public func value(fromJSON text: [UInt8]) throws(SerializationError) -> Value {
        try deserialize(SerializedValue(parsingJSON: text), from: .json)
    }

    /// The value as a property list file; members are in the order of their fields in both forms.
    ///
    /// - Throws: for a value that has no form in property lists, such as null, with a pointer to it.
    public func propertyList(
        from value: Value, _ format: PropertyListFormat = .xml
    ) throws(SerializationError) -> [UInt8] {
        try PropertyList.write(serialize(value, for: .propertyList), as: format)
    }

    /// The value of a property list file, XML or binary, recognised by its first bytes.
    ///
    /// - Throws: for the first thing that is not as expected, with a pointer to it.
    public func value(fromPropertyList file: [UInt8]) throws(SerializationError) -> Value {
        try deserialize(PropertyList.read(file), from: .propertyList)
    }
}
