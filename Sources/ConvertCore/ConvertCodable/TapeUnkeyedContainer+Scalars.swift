// One method for each scalar type, for the reasons in `TapeKeyedContainer+Scalars.swift`. The standard library's defaults for
// `decodeIfPresent` need no search here, so they stay.

extension TapeUnkeyedContainer {
    mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) { try $0.bool($1, $2) } }
    mutating func decode(_ type: String.Type) throws -> String { try take(type) { try $0.string($1, $2) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try take(type) { try $0.double($1, $2) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try take(type) { try $0.float($1, $2) } }

    @inline(__always)
    private mutating func integer<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        try take(type) { try $0.integer(type, $1, $2) }
    }

    mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
}
