/// The letters that have a meaning in date grammars.
enum DateLetter {
    // ISO 8601 and POSIX TZ strings.
    static let week = UInt8(ascii: "W")
    static let julian = UInt8(ascii: "J")

    // LDML fields.
    static let y = UInt8(ascii: "y")
    static let weekYear = UInt8(ascii: "Y")
    static let era = UInt8(ascii: "G")
    static let month = UInt8(ascii: "M")
    static let standAloneMonth = UInt8(ascii: "L")
    static let d = UInt8(ascii: "d")
    static let dayOfYear = UInt8(ascii: "D")
    static let hour0To23 = UInt8(ascii: "H")
    static let hour1To24 = UInt8(ascii: "k")
    static let hour0To11 = UInt8(ascii: "K")
    static let hour1To12 = UInt8(ascii: "h")
    static let minute = UInt8(ascii: "m")
    static let second = UInt8(ascii: "s")
    static let fraction = UInt8(ascii: "S")
    static let isoOffsetOrZ = UInt8(ascii: "X")
    static let isoOffset = UInt8(ascii: "x")
}
