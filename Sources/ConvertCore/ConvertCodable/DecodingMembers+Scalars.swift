// The members of the most frequent types. The generic way would look up the type for each of them.

extension DecodingMembers {
    /// A member that is a string.
    public subscript(name: StaticString) -> String {
        get throws { try value(name, { $0.plainString($1) }, slowly: { try $0.string($1, $2) }) }
    }

    /// A member that is an integer.
    public subscript(name: StaticString) -> Int {
        get throws { try value(name, { $0.shortInteger($1) }, slowly: { try $0.integer(Int.self, $1, $2) }) }
    }

    /// A member that is a number.
    public subscript(name: StaticString) -> Double {
        get throws { try value(name, { $0.shortDecimal($1) }, slowly: { try $0.double($1, $2) }) }
    }

    /// A member that is true or false.
    public subscript(name: StaticString) -> Bool {
        get throws { try value(name, { $0.boolean($1) }, slowly: { try $0.bool($1, $2) }) }
    }

    /// A member that is a string; nil if it is null or missing.
    public subscript(name: StaticString) -> String? {
        get throws { try present(name, { $0.plainString($1) }, slowly: { try $0.string($1, $2) }) }
    }

    /// A member that is an integer; nil if it is null or missing.
    public subscript(name: StaticString) -> Int? {
        get throws { try present(name, { $0.shortInteger($1) }, slowly: { try $0.integer(Int.self, $1, $2) }) }
    }

    /// A member that is a number; nil if it is null or missing.
    public subscript(name: StaticString) -> Double? {
        get throws { try present(name, { $0.shortDecimal($1) }, slowly: { try $0.double($1, $2) }) }
    }

    /// A member that is true or false; nil if it is null or missing.
    public subscript(name: StaticString) -> Bool? {
        get throws { try present(name, { $0.boolean($1) }, slowly: { try $0.bool($1, $2) }) }
    }
}

// MARK: - Arrays of scalars

extension DecodingMembers {
    private func array<Element: Decodable>(
        _ name: StaticString, _ read: (DecodingSession, Int, () -> CodingPathNode?) throws -> [Element]
    ) throws -> [Element] {
        guard isDirect else { return try any(name) }
        return try read(session, valueIndex(of: name)) { path(session, name) }
    }

    /// The same for a member that may be null or missing.
    private func presentArray<Element: Decodable>(
        _ name: StaticString, _ read: (DecodingSession, Int, () -> CodingPathNode?) throws -> [Element]
    ) throws -> [Element]? {
        guard isDirect else { return try anyPresent(name) }
        guard let valueIndex = presentValueIndex(of: name) else { return nil }
        return try read(session, valueIndex) { path(session, name) }
    }

    /// A member that is an array of strings.
    public subscript(name: StaticString) -> [String] {
        get throws { try array(name) { try $0.strings($1, $2) } }
    }

    /// A member that is an array of strings; nil if it is null or missing.
    public subscript(name: StaticString) -> [String]? {
        get throws { try presentArray(name) { try $0.strings($1, $2) } }
    }

    /// A member that is an array of integers.
    public subscript(name: StaticString) -> [Int] {
        get throws { try array(name) { try $0.integers($1, $2) } }
    }

    /// A member that is an array of integers; nil if it is null or missing.
    public subscript(name: StaticString) -> [Int]? {
        get throws { try presentArray(name) { try $0.integers($1, $2) } }
    }

    /// A member that is an array of numbers.
    public subscript(name: StaticString) -> [Double] {
        get throws { try array(name) { try $0.doubles($1, $2) } }
    }

    /// A member that is an array of numbers; nil if it is null or missing.
    public subscript(name: StaticString) -> [Double]? {
        get throws { try presentArray(name) { try $0.doubles($1, $2) } }
    }

    /// A member that is an array of booleans.
    public subscript(name: StaticString) -> [Bool] {
        get throws { try array(name) { try $0.booleans($1, $2) } }
    }

    /// A member that is an array of booleans; nil if it is null or missing.
    public subscript(name: StaticString) -> [Bool]? {
        get throws { try presentArray(name) { try $0.booleans($1, $2) } }
    }
}
