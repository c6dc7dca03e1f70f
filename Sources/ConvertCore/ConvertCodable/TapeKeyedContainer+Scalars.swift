// The container protocol has one requirement for each scalar type. The standard library's defaults for `Int128` and `UInt128`
// throw, and its defaults for `decodeIfPresent` look up the member three times. So each
// type has its own method here, which looks once.

extension TapeKeyedContainer {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try session.bool(try value(of: key)) { path.appending(key) }
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try session.string(try value(of: key)) { path.appending(key) }
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try session.double(try value(of: key)) { path.appending(key) }
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try session.float(try value(of: key)) { path.appending(key) }
    }

    @inline(__always)
    private func integer<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type, _ key: Key) throws -> Integer {
        try session.integer(type, try value(of: key)) { path.appending(key) }
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, key) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(type, key) }
}

extension TapeKeyedContainer {
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let value = findPresent(key) else { return nil }
        return try session.bool(value) { path.appending(key) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let value = findPresent(key) else { return nil }
        return try session.string(value) { path.appending(key) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let value = findPresent(key) else { return nil }
        return try session.double(value) { path.appending(key) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let value = findPresent(key) else { return nil }
        return try session.float(value) { path.appending(key) }
    }

    @inline(__always)
    private func presentInteger<Integer: FixedWidthInteger & Decodable>(
        _ type: Integer.Type, _ key: Key
    ) throws -> Integer? {
        guard let value = findPresent(key) else { return nil }
        return try session.integer(type, value) { path.appending(key) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try presentInteger(type, key) }
}
