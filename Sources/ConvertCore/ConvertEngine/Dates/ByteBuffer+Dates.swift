import ConvertText

extension ByteBuffer {
    /// Appends a number that is not negative, with leading zeros up to at least `width` digits.
    mutating func appendDigits(_ value: Int, width: Int) { appendDigits(Int64(value), width: width) }

    /// Does the same for a number that may not fit into an `Int`.
    mutating func appendDigits(_ value: Int64, width: Int) {
        var divisor: Int64 = 1
        var digits = 1
        while digits < width || value / divisor >= 10 {
            divisor *= 10
            digits += 1
        }
        while divisor > 0 {
            append(ASCII.zero &+ UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }

    /// Appends a number below 100 as two digits.
    @inline(__always)
    mutating func appendTwoDigits(_ value: Int) {
        append(ASCII.zero &+ UInt8(truncatingIfNeeded: value / 10))
        append(ASCII.zero &+ UInt8(truncatingIfNeeded: value % 10))
    }

    /// Appends the first `digits` (1 to 9) of the nine digits of a fraction.
    mutating func appendFraction(_ nanoseconds: Int32, digits: Int) {
        var value = Int(nanoseconds)
        for _ in digits..<9 { value /= 10 }
        appendDigits(value, width: digits)
    }

    /// Appends `±HH:MM`, `±HHMM` or `±HH` for an offset of whole minutes, given in seconds.
    mutating func appendOffset(_ offset: Int, hasColon: Bool, hasMinutes: Bool = true) {
        let minutes = abs(offset) / 60
        append(offset < 0 ? ASCII.minus : ASCII.plus)
        appendTwoDigits(minutes / 60)
        guard hasMinutes else { return }
        if hasColon { append(ASCII.colon) }
        appendTwoDigits(minutes % 60)
    }

    /// Appends `YYYY-MM-DD`.
    mutating func appendDay(_ date: CivilDate) {
        appendTwoDigits(date.year / 100)
        appendTwoDigits(date.year % 100)
        append(ASCII.minus)
        appendTwoDigits(date.month)
        append(ASCII.minus)
        appendTwoDigits(date.day)
    }

    /// Appends `HH:MM:SS`.
    mutating func appendTime(_ moment: CivilDateTime) {
        appendTwoDigits(moment.hour)
        append(ASCII.colon)
        appendTwoDigits(moment.minute)
        append(ASCII.colon)
        appendTwoDigits(moment.second)
    }

    /// Appends the number of units of 10 to the power −`unitDigits` seconds since `origin`, rounded down.
    ///
    /// Seconds and units are written separately, so that nothing can overflow.
    mutating func appendCount(of instant: Instant, from origin: Int64 = 0, unitDigits: Int) {
        var unitsPerSecond: Int64 = 1
        for _ in 0..<unitDigits { unitsPerSecond *= 10 }
        let (seconds, units) = appendSign(of: instant, from: origin, unitsPerSecond)
        guard unitDigits > 0, seconds > 0 else { return appendDigits(unitDigits > 0 ? units : seconds, width: 1) }
        appendDigits(seconds, width: 1)
        appendDigits(units, width: unitDigits)
    }

    /// Appends seconds since `origin` and their fraction digits, as a JSON number.
    mutating func appendDecimalSeconds(of instant: Instant, from origin: Int64) {
        let (seconds, nanoseconds) = appendSign(of: instant, from: origin, Int64(Instant.nanosecondsPerSecond))
        appendDigits(seconds, width: 1)
        appendShortestFraction(Int32(nanoseconds))
    }

    /// Appends a minus sign for an instant before `origin`. Returns its distance from there, in seconds and the units of a part of one.
    private mutating func appendSign(
        of instant: Instant, from origin: Int64, _ unitsPerSecond: Int64
    ) -> (seconds: Int64, units: Int64) {
        let seconds = instant.seconds - origin
        let units = Int64(instant.nanoseconds) / (Int64(Instant.nanosecondsPerSecond) / unitsPerSecond)
        guard seconds < 0 else { return (seconds, units) }
        append(ASCII.minus)
        return units > 0 ? (-seconds - 1, unitsPerSecond - units) : (-seconds, 0)
    }

    /// Appends a point and the digits up to the last that is not zero; nothing if all are zero.
    mutating func appendShortestFraction(_ nanoseconds: Int32) {
        guard nanoseconds > 0 else { return }
        var digits = 9
        var rest = nanoseconds
        while rest % 10 == 0 {
            rest /= 10
            digits -= 1
        }
        append(ASCII.dot)
        appendFraction(nanoseconds, digits: digits)
    }
}
