/// The letters that have a meaning in ISO 8601 and in POSIX TZ strings.
enum DateLetter {
    static let week = UInt8(ascii: "W")
    static let julian = UInt8(ascii: "J")
    static let month = UInt8(ascii: "M")
}
