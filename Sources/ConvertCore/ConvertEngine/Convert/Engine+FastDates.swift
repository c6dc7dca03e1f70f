import ConvertText

/// Most dates have one fixed shape. They are rewritten in UTC from a few words of the input, without a complete parse.
extension Engine {
    /// Writes the next string ahead of the cursor, in UTC, if it is an RFC 3339 date-time of the fixed shape. Returns
    /// how far the cursor must move over input and output, or nil for any other string.
    ///
    ///     YYYY-MM-DDTHH:MM:SS [ "." 1*9DIGIT ] ( "Z" / ( "+" / "-" ) HH:MM )
    @inline(never)
    static func writeDate(_ cursor: borrowing TokenCursor, precision: Int?) -> (read: Int, written: Int)? {
        guard var shape = DateShape(cursor.word(1), cursor.word(9), cursor.word(17)) else { return nil }
        let fractionStart = 1 + DateShape.count
        let maxFractionDigits = 9
        var fractionDigits = 0
        var zoneStart = fractionStart
        if cursor.byte(fractionStart) == ASCII.dot {
            fractionDigits = cursor.digitCount(at: fractionStart + 1)
            guard 1...maxFractionDigits ~= fractionDigits else { return nil }
            zoneStart = fractionStart + 1 + fractionDigits
        }
        let zone = cursor.byte(zoneStart)
        var minutes = 0
        var end = zoneStart + 1
        if zone != ASCII.upperZ {
            guard let offset = DateShape.offset(sign: zone, cursor.word(zoneStart + 1)) else { return nil }
            minutes = offset
            end = zoneStart + 6
        }
        guard cursor.byte(end) == ASCII.quote else { return nil }

        // The quote, the day and the time keep their positions. The wanted number of fraction digits follows.
        cursor.copyAhead(from: 0, to: 0)
        cursor.copyAhead(from: 16, to: 16)
        if minutes != 0 {
            guard shape.add(minutes: -minutes) else { return nil }
            cursor.write(shape.dayWord, at: 1)
            cursor.write(shape.timeWord, at: 9)
        }
        var digits = fractionDigits
        if let precision {
            if precision > digits { cursor.writeZeros(at: fractionStart + 1 + digits) }
            cursor.write(ASCII.dot, at: fractionStart)
            digits = precision
        } else {
            while digits > 0, cursor.byte(fractionStart + digits) == ASCII.zero { digits -= 1 }
        }
        let written = fractionStart + (digits > 0 ? 1 + digits : 0)
        cursor.write(ASCII.upperZ, at: written)
        cursor.write(ASCII.quote, at: written + 1)
        return (end + 1, written + 2)
    }

    /// Whether scan mode should look at the next string. It should if the chunk ends within the first bytes of the string.
    @inline(__always)
    func isDateCandidate(_ cursor: borrowing TokenCursor) -> Bool {
        let ninth = cursor.byte(DateScan.windowBytes)
        return ninth == ASCII.null || DateScan.isCandidate(cursor.word(1), ninth: ninth)
    }
}
