import ConvertText

/// A position in the content of one value, and the small steps that all date grammars share.
///
/// It borrows the bytes and allocates nothing. A failed step leaves the cursor at an undefined position, so the attempt must end.
struct DateCursor: ~Escapable {
    let bytes: Span<UInt8>
    var index = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool {
        @inline(__always) get { index >= bytes.count }
    }

    /// The next byte. At the end it is NUL, which no grammar of dates accepts.
    var next: UInt8 {
        @inline(__always) get { index < bytes.count ? bytes[index] : ASCII.null }
    }

    /// The byte `distance` bytes ahead, or NUL past the end.
    @inline(__always)
    func peek(_ distance: Int) -> UInt8 {
        index + distance < bytes.count ? bytes[index + distance] : ASCII.null
    }

    @inline(__always)
    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    /// Skips the next byte if it is one of the two.
    @inline(__always)
    mutating func take(_ one: UInt8, or other: UInt8) -> Bool { take(one) || take(other) }

    /// Skips a sign, and returns whether it is a minus; nil if no sign comes next.
    mutating func takeSign() -> Bool? {
        if take(ASCII.minus) { return true }
        return take(ASCII.plus) ? false : nil
    }

    /// The value of exactly `count` digits, at most 9.
    @inline(__always)
    mutating func digits(_ count: Int) -> Int? {
        guard index + count <= bytes.count else { return nil }
        var value = 0
        for position in index..<index + count {
            let byte = bytes[position]
            guard ASCII.isDigit(byte) else { return nil }
            value = value &* 10 &+ Int(byte &- ASCII.zero)
        }
        index += count
        return value
    }

    /// The value of all digits that follow; nil if their count is not in `counts`. The upper bound is at most 9.
    mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
        var count = 0
        while count <= counts.upperBound, ASCII.isDigit(peek(count)) { count += 1 }
        return counts ~= count ? digits(count) : nil
    }

    /// The nanoseconds of at least one fraction digit; digits after the ninth are cut off.
    mutating func fraction() -> Int32? {
        var nanoseconds: Int32 = 0
        var unit: Int32 = Instant.nanosecondsPerSecond / 10
        let start = index
        while ASCII.isDigit(next) {
            nanoseconds += Int32(next &- ASCII.zero) * unit
            unit /= 10
            index += 1
        }
        return index > start ? nanoseconds : nil
    }

    /// `HH:MM:SS`; the caller checks the ranges.
    mutating func clockTime() -> DayTime? {
        guard let hour = digits(2), take(ASCII.colon), let minute = digits(2), take(ASCII.colon),
            let second = digits(2)
        else { return nil }
        return DayTime(hour: hour, minute: minute, second: second)
    }

    /// Reads one of the names and returns its index; the first that matches counts.
    mutating func name(of names: [[UInt8]], exactCase: Bool = false) -> Int? {
        for candidate in names.indices where take(text: names[candidate], exactCase: exactCase) { return candidate }
        return nil
    }

    /// Skips exactly these bytes; false if others follow.
    mutating func take(text: [UInt8], exactCase: Bool = true) -> Bool {
        guard index + text.count <= bytes.count else { return false }
        for position in text.indices where !Self.matches(bytes[index + position], text[position], exactCase) {
            return false
        }
        index += text.count
        return true
    }

    @inline(__always)
    private static func matches(_ byte: UInt8, _ expected: UInt8, _ exactCase: Bool) -> Bool {
        byte == expected || !exactCase && ASCII.isLetter(byte) && (byte ^ expected) == ASCII.caseBit
    }
}

/// The English names of days and months (RFC 5322 and the en_US_POSIX locale agree on them).
package enum DateNames {
    /// From Sunday.
    static let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"].map {
        Array($0.utf8)
    }
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ].map { Array($0.utf8) }
    static let shortDays = days.map { Array($0.prefix(3)) }
    package static let shortMonths = months.map { Array($0.prefix(3)) }
    static let halves = [Array("AM".utf8), Array("PM".utf8)]
    static let gmt = Array("GMT".utf8)
}
