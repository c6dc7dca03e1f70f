/// Names of the binary form, `bplist00`: a head, objects, a table of their offsets and a trailer, all numbers big-endian.
///
/// An object opens with a byte whose upper half is its kind and whose lower half is a count: of bytes as a power of two for
/// numbers, of elements for the rest, where 15 says that the count follows as an integer object.
enum BinaryPropertyList {
    static let magic = Array("bplist".utf8)
    static let head = Array("bplist00".utf8)
    /// Bytes of the trailer: six of padding, sizes of offsets and references, then three numbers of eight bytes.
    static let trailerBytes = 32

    /// The upper half of an object's first byte.
    enum Kind: UInt8 {
        /// null, false and true, told apart by the lower half.
        case constant = 0
        case integer = 1
        case real = 2
        case date = 3
        case data = 4
        case asciiString = 5
        case utf16String = 6
        case array = 10
        case dictionary = 13
    }

    /// The lower half of a constant's byte.
    static let null: UInt8 = 0, isFalse: UInt8 = 8, isTrue: UInt8 = 9
    /// The lower half of a date's byte, which is a double of eight bytes.
    static let eightBytes: UInt8 = 3
    /// The lower half that says that a count follows.
    static let countFollows: UInt8 = 15
}
