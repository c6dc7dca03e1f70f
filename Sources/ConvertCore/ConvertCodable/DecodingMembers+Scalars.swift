// The members of the most frequent types. The generic way would look up the type for each of them.

extension DecodingMembers {
    /// A member that is a string.
    public subscript(name: StaticString) -> String {
        get throws {
            try value(name) {
                $0.plainString($1)
            } slowly: {
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
                $0.shortInteger($1).flatMap(Int.init(exactly:))
            } slowly: {
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
                $0.shortDecimal($1)
            } slowly: {
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
                $0.boolean($1)
            } slowly: {
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
                $0.plainString($1)
            } slowly: {
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
                $0.shortInteger($1).flatMap(Int.init(exactly:))
            } slowly: {
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
                $0.shortDecimal($1)
            } slowly: {
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
                $0.boolean($1)
            } slowly: {
                try $0.bool($1, $2)
            } orFrom: {
                try $0.decodeIfPresent(Bool.self, forKey: $1)
            }
        }
    }
}

// MARK: - Arrays of scalars

extension DecodingMembers {
    /// A member that is an array of strings.
    public subscript(name: StaticString) -> [String] {
        get throws {
            guard isDirect else { return try any(name) }
            return try session.strings(valueIndex(of: name)) { path(session, name) }
        }
    }

    /// A member that is an array of strings; nil if it is null or missing.
    public subscript(name: StaticString) -> [String]? {
        get throws {
            guard isDirect else { return try anyPresent(name) }
            return try presentValueIndex(of: name).map { try session.strings($0) { path(session, name) } }
        }
    }

    /// A member that is an array of integers.
    public subscript(name: StaticString) -> [Int] {
        get throws {
            guard isDirect else { return try any(name) }
            return try session.integers(valueIndex(of: name)) { path(session, name) }
        }
    }

    /// A member that is an array of integers; nil if it is null or missing.
    public subscript(name: StaticString) -> [Int]? {
        get throws {
            guard isDirect else { return try anyPresent(name) }
            return try presentValueIndex(of: name).map { try session.integers($0) { path(session, name) } }
        }
    }

    /// A member that is an array of numbers.
    public subscript(name: StaticString) -> [Double] {
        get throws {
            guard isDirect else { return try any(name) }
            return try session.doubles(valueIndex(of: name)) { path(session, name) }
        }
    }

    /// A member that is an array of numbers; nil if it is null or missing.
    public subscript(name: StaticString) -> [Double]? {
        get throws {
            guard isDirect else { return try anyPresent(name) }
            return try presentValueIndex(of: name).map { try session.doubles($0) { path(session, name) } }
        }
    }

    /// A member that is an array of booleans.
    public subscript(name: StaticString) -> [Bool] {
        get throws {
            guard isDirect else { return try any(name) }
            return try session.booleans(valueIndex(of: name)) { path(session, name) }
        }
    }

    /// A member that is an array of booleans; nil if it is null or missing.
    public subscript(name: StaticString) -> [Bool]? {
        get throws {
            guard isDirect else { return try anyPresent(name) }
            return try presentValueIndex(of: name).map { try session.booleans($0) { path(session, name) } }
        }
    }
}
