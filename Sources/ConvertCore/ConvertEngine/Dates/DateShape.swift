import ConvertText

/// The fixed shape of nearly all date-times, `YYYY-MM-DDTHH:MM:SS`, read from three words of eight bytes.
///
/// Text of another shape, an hour 24 or a second 60 is left to the grammars that read it. The bytes
/// of a word are in memory order, the first one lowest; all bytes of a word are checked and added up together.
struct DateShape {
    /// `YYYY-MM-`
    private(set) var dayWord: UInt64
    private var day: Int
    private var hour: Int
    private var minute: Int

    /// The number of bytes of the shape.
    static let count = 19

    /// Reads `YYYY-MM-`, `DDTHH:MM` and `:SS`, where the other bytes of the last word do not matter.
    @inline(__always)
    init?(_ first: UInt64, _ second: UInt64, _ third: UInt64) {
        // Digits become their values, and correct separators become zero.
        let months = first ^ Self.dayPattern
        let time = second ^ Self.timePattern
        let rest = Self.first(3, of: third ^ Self.secondPattern)
        // Adding the limits makes every byte that is too large 128 or more.
        let errors =
            (months &+ Self.dayLimits) | months | (time &+ Self.timeLimits) | time
            | (rest &+ Self.secondLimits) | rest
        guard errors & Self.highBits == 0 else { return nil }
        let timePairs = Self.pairs(of: time)
        dayWord = first
        day = Self.byte(0, timePairs)
        hour = Self.byte(3, timePairs)
        minute = Self.byte(6, timePairs)
        guard Self.first(4, of: months) != 0, 1...12 ~= Self.byte(5, Self.pairs(of: months)), hour < 24, minute < 60,
            Self.byte(1, Self.pairs(of: rest)) < 60,
            1...28 ~= day || 1...CivilDate.days(inMonth: date.month, of: date.year) ~= day
        else { return nil }
    }

    /// The date as numbers, which is rarely needed.
    private var date: CivilDate {
        let pairs = Self.pairs(of: dayWord ^ Self.dayPattern)
        return CivilDate(
            year: Self.byte(0, pairs) &* 100 &+ Self.byte(2, pairs), month: Self.byte(5, pairs), day: day)
    }

    /// Adds minutes, at most a day, backwards if negative; false if the result is outside the years 0001–9999.
    @inline(__always)
    mutating func add(minutes: Int) -> Bool {
        let perDay = 24 * 60
        var sum = hour &* 60 &+ minute &+ minutes
        if sum < 0 || sum >= perDay {
            let days = sum < 0 ? -1 : 1
            sum &-= days &* perDay
            if 1...28 ~= day &+ days {
                day &+= days
            } else {
                let other = CivilDate(dayNumber: date.dayNumber + days)
                guard 1...9999 ~= other.year else { return false }
                dayWord = Self.dayWord(of: other)
                day = other.day
            }
        }
        hour = sum / 60
        minute = sum % 60
        return true
    }

    private static func dayWord(of date: CivilDate) -> UInt64 {
        digits(date.year / 100) | digits(date.year % 100) &<< 16 | digits(date.month) &<< 40
            | lane(ASCII.minus, at: 4) | lane(ASCII.minus, at: 7)
    }

    /// `DDTHH:MM`
    @inline(__always)
    var timeWord: UInt64 {
        Self.digits(day) | Self.digits(hour) &<< 24 | Self.digits(minute) &<< 48
            | Self.lane(ASCII.upperT, at: 2) | Self.lane(ASCII.colon, at: 5)
    }

    /// The minutes of `±HH:MM` east of UTC, from the sign and a word that begins after it; nil for another text.
    @inline(__always)
    static func offset(sign: UInt8, _ word: UInt64) -> Int? {
        let text = first(5, of: word ^ clockPattern)
        guard ((text &+ clockLimits) | text) & highBits == 0 else { return nil }
        let pairs = pairs(of: text)
        let minutes = byte(0, pairs) &* 60 &+ byte(3, pairs)
        guard byte(3, pairs) < 60, minutes <= DateCursor.maxOffsetMinutes else { return nil }
        return sign == ASCII.plus ? minutes : sign == ASCII.minus ? -minutes : nil
    }

    // MARK: Words

    /// `0000-00-`, `00T00:00`, `:00` and `00:00`.
    @inline(__always)
    private static var dayPattern: UInt64 {
        let zero = ASCII.zero
        return pack(zero, zero, zero, zero, ASCII.minus, zero, zero, ASCII.minus)
    }

    @inline(__always)
    private static var timePattern: UInt64 {
        let zero = ASCII.zero
        return pack(zero, zero, ASCII.upperT, zero, zero, ASCII.colon, zero, zero)
    }

    @inline(__always)
    private static var secondPattern: UInt64 { pack(ASCII.colon, ASCII.zero, ASCII.zero, 0, 0, 0, 0, 0) }

    @inline(__always)
    private static var clockPattern: UInt64 {
        pack(ASCII.zero, ASCII.zero, ASCII.colon, ASCII.zero, ASCII.zero, 0, 0, 0)
    }

    /// The addends that turn a digit's value above 9, and a separator's difference other than 0, into 128 or more.
    private static let digitLimit: UInt8 = 127 - 9
    private static let separatorLimit: UInt8 = 127

    @inline(__always)
    private static var dayLimits: UInt64 {
        let (digit, separator) = (digitLimit, separatorLimit)
        return pack(digit, digit, digit, digit, separator, digit, digit, separator)
    }

    @inline(__always)
    private static var timeLimits: UInt64 {
        let (digit, separator) = (digitLimit, separatorLimit)
        return pack(digit, digit, separator, digit, digit, separator, digit, digit)
    }

    @inline(__always)
    private static var secondLimits: UInt64 { pack(separatorLimit, digitLimit, digitLimit, 0, 0, 0, 0, 0) }

    @inline(__always)
    private static var clockLimits: UInt64 {
        pack(digitLimit, digitLimit, separatorLimit, digitLimit, digitLimit, 0, 0, 0)
    }

    /// The high bit of each byte.
    @inline(__always)
    private static var highBits: UInt64 { (.max / UInt64(UInt8.max)) &<< 7 }

    @inline(__always)
    private static func pack(
        _ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, _ e: UInt8, _ f: UInt8, _ g: UInt8, _ h: UInt8
    ) -> UInt64 {
        lane(a, at: 0) | lane(b, at: 1) | lane(c, at: 2) | lane(d, at: 3) | lane(e, at: 4) | lane(f, at: 5)
            | lane(g, at: 6) | lane(h, at: 7)
    }

    @inline(__always)
    private static func lane(_ byte: UInt8, at index: UInt64) -> UInt64 { UInt64(byte) &<< (8 &* index) }

    @inline(__always)
    private static func first(_ count: UInt64, of word: UInt64) -> UInt64 { word & ((1 &<< (8 &* count)) &- 1) }

    /// Combines pairs of bytes: each byte becomes ten times itself plus the next one. Two digits become their number in the first byte.
    @inline(__always)
    private static func pairs(of digits: UInt64) -> UInt64 { digits &* 10 &+ digits &>> 8 }

    @inline(__always)
    private static func byte(_ index: UInt64, _ word: UInt64) -> Int {
        Int(UInt8(truncatingIfNeeded: word &>> (8 &* index)))
    }

    /// The two digits of a number below 100, with the tens in the lowest byte.
    @inline(__always)
    private static func digits(_ number: Int) -> UInt64 {
        // A tenth of a number below 100 is 103/1024 of it, rounded down.
        let tens = (UInt64(truncatingIfNeeded: number) &* 103) &>> 10
        let ones = UInt64(truncatingIfNeeded: number) &- tens &* 10
        return (tens | ones &<< 8) &+ (lane(ASCII.zero, at: 0) | lane(ASCII.zero, at: 1))
    }
}
