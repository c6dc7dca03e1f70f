/// The scalars of a property list as JSON spells them; nil where a text is none of its kind.
enum PropertyListText {
    /// A whole number, `[+-] 1*DIGIT` or `[+-] "0x" 1*16HEXDIG`, digit for digit.
    static func integer(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var digits = text
        let isNegative = digits.first == ASCII.minus
        if isNegative || digits.first == ASCII.plus { digits = digits.dropFirst() }
        var magnitude: [UInt8]
        if digits.first == ASCII.zero, let second = digits.dropFirst().first, second | ASCII.caseBit == ASCII.x {
            digits = digits.dropFirst(2)
            guard 1...16 ~= digits.count else { return nil }
            var value: UInt64 = 0
            for digit in digits {
                guard let digit = ASCII.hexValue(digit) else { return nil }
                value = value << 4 | UInt64(digit)
            }
            magnitude = Array(String(value).utf8)
        } else {
            guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
            magnitude = Array(digits.drop { $0 == ASCII.zero })
            if magnitude.isEmpty { magnitude = [ASCII.zero] }
        }
        return isNegative && magnitude != [ASCII.zero] ? [ASCII.minus] + magnitude : magnitude
    }

    /// A number with its digits as they are, `[+-] ( 1*DIGIT [ "." *DIGIT ] / "." 1*DIGIT ) [ ( "e" / "E" ) [+-] 1*DIGIT ]`.
    static func real(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = text
        var number: [UInt8] = []
        if rest.first == ASCII.minus { number.append(ASCII.minus) }
        if rest.first == ASCII.minus || rest.first == ASCII.plus { rest = rest.dropFirst() }
        let whole = takeDigits(&rest)
        let significant = whole.drop { $0 == ASCII.zero }
        number += significant.isEmpty ? [ASCII.zero] : Array(significant)
        var fraction: ArraySlice<UInt8> = []
        if rest.first == ASCII.dot {
            rest = rest.dropFirst()
            fraction = takeDigits(&rest)
            if !fraction.isEmpty { number += [ASCII.dot] + fraction }
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        if let mark = rest.first, mark | ASCII.caseBit == ASCII.e {
            number.append(mark)
            rest = rest.dropFirst()
            if let sign = rest.first, sign == ASCII.minus || sign == ASCII.plus {
                number.append(sign)
                rest = rest.dropFirst()
            }
            let exponent = takeDigits(&rest)
            guard !exponent.isEmpty else { return nil }
            number += exponent
        }
        return rest.isEmpty ? number : nil
    }

    /// A moment as property lists write it, which is RFC 3339 in UTC without a fraction: `2026-03-01T12:00:00Z`.
    static func date(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let shape = Array("0000-00-00T00:00:00Z".utf8)
        guard text.count == shape.count else { return nil }
        for (byte, expected) in zip(text, shape) {
            guard expected == ASCII.zero ? ASCII.isDigit(byte) : byte == expected else { return nil }
        }
        func number(_ start: Int, _ count: Int) -> Int {
            text.dropFirst(start).prefix(count).reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
        }
        guard CivilDate(checkedYear: number(0, 4), month: number(5, 2), day: number(8, 2)) != nil,
            number(11, 2) < 24, number(14, 2) < 60, number(17, 2) < 60
        else { return nil }
        return Array(text)
    }

    /// The seconds since 2001 that a binary property list counts, to the microsecond, in RFC 3339.
    static func date(secondsSince2001 seconds: Double) -> [UInt8]? {
        guard seconds.magnitude < 1e12 else { return nil }
        let whole = seconds.rounded(.down)
        let microseconds = Int64(((seconds - whole) * 1e6).rounded(.toNearestOrEven))
        let carried = Int64(whole) + microseconds / 1_000_000
        let instant = Instant(
            seconds: carried + Instant.secondsTo2001, nanoseconds: Int32(microseconds % 1_000_000) * 1_000)
        var output = ByteBuffer()
        guard DateForm.rfc3339.write(instant, zone: .utc, precision: nil, into: &output) else { return nil }
        return Array(output)
    }

    /// Base64 (RFC 4648 §4) without the white space that property lists put into it.
    static func base64(_ text: [UInt8]) -> [UInt8]? {
        let digits = text.filter { !isSpace($0) }
        guard digits.count % 4 == 0 else { return nil }
        let padding = digits.reversed().prefix { $0 == ASCII.equals }.count
        guard padding <= 2, digits.dropLast(padding).allSatisfy({ alphabet.contains($0) }) else { return nil }
        return digits
    }

    /// The base64 of bytes, with padding.
    static func base64(encoding bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let group = bytes[index..<min(index + 3, bytes.endIndex)]
            var word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            var letters: [UInt8] = []
            for place in 0..<4 {
                letters.append(place <= group.count ? alphabet[Int(word >> 18 & 63)] : ASCII.equals)
                word <<= 6
            }
            text += letters
            index += 3
        }
        return text
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == ASCII.space || byte == ASCII.tab || byte == ASCII.lineFeed || byte == ASCII.carriageReturn
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func takeDigits(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = text.prefix(while: ASCII.isDigit)
        text = text.dropFirst(digits.count)
        return digits
    }
}
