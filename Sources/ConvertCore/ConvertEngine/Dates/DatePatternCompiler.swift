import ConvertText

/// Splits a pattern into its fields.
struct DatePatternCompiler {
    let bytes: [UInt8]
    private var index = 0
    private var fields: [DatePattern.Field] = []
    private var literal: [UInt8] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func compile() throws(DatePatternError) -> [DatePattern.Field] {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == ASCII.apostrophe {
                try takeQuoted()
            } else if ASCII.isLetter(byte) {
                try takeField(letter: byte)
            } else {
                literal.append(byte)
                index += 1
            }
        }
        endLiteral()
        return fields
    }

    private mutating func endLiteral() {
        guard !literal.isEmpty else { return }
        fields.append(.literal(literal))
        literal = []
    }

    /// Reads text between apostrophes. Two apostrophes represent one, inside and outside of quoted text.
    private mutating func takeQuoted() throws(DatePatternError) {
        let start = index
        index += 1
        if index < bytes.count, bytes[index] == ASCII.apostrophe {
            literal.append(ASCII.apostrophe)
            index += 1
            return
        }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard byte == ASCII.apostrophe else {
                literal.append(byte)
                continue
            }
            guard index < bytes.count, bytes[index] == ASCII.apostrophe else { return }
            literal.append(ASCII.apostrophe)
            index += 1
        }
        throw DatePatternError(message: "an apostrophe is not closed", offset: start)
    }

    private mutating func takeField(letter: UInt8) throws(DatePatternError) {
        endLiteral()
        let start = index
        while index < bytes.count, bytes[index] == letter { index += 1 }
        let count = index - start
        guard let field = Self.field(letter, count: count) else {
            throw DatePatternError(message: Self.complaint(letter, count: count), offset: start)
        }
        fields.append(field)
    }

    /// The field for a letter that is repeated `count` times; nil if there is none.
    private static func field(_ letter: UInt8, count: Int) -> DatePattern.Field? {
        switch (letter, count) {
        case (DateLetter.y, 1), (DateLetter.y, 2), (DateLetter.y, 4): .year(width: count)
        case (ASCII.u, 1), (ASCII.u, 4): .year(width: count)
        case (DateLetter.month, 1...2), (DateLetter.standAloneMonth, 1...2): .month(width: count)
        case (DateLetter.month, 3), (DateLetter.standAloneMonth, 3): .shortMonth
        case (DateLetter.month, 4), (DateLetter.standAloneMonth, 4): .longMonth
        case (DateLetter.month, 5), (DateLetter.standAloneMonth, 5): .narrowMonth
        case (DateLetter.d, 1...2): .day(width: count)
        case (DateLetter.dayOfYear, 1), (DateLetter.dayOfYear, 3): .dayOfYear(width: count)
        case (ASCII.upperE, 1...3): .shortWeekday
        case (ASCII.upperE, 4): .longWeekday
        case (ASCII.upperE, 5): .narrowWeekday
        case (ASCII.a, 1...3): .half
        case (DateLetter.hour0To23, 1...2): .hour(.from0To23, width: count)
        case (DateLetter.hour1To24, 1...2): .hour(.from1To24, width: count)
        case (DateLetter.hour0To11, 1...2): .hour(.from0To11, width: count)
        case (DateLetter.hour1To12, 1...2): .hour(.from1To12, width: count)
        case (DateLetter.minute, 1...2): .minute(width: count)
        case (DateLetter.second, 1...2): .second(width: count)
        case (DateLetter.fraction, 1...9): .fraction(width: count)
        case (ASCII.z, 1...3): .zoneName
        default: offsetField(letter, count: count)
        }
    }

    private static func offsetField(_ letter: UInt8, count: Int) -> DatePattern.Field? {
        let usesZ = letter == DateLetter.isoOffsetOrZ
        switch (letter, count) {
        case (ASCII.upperZ, 1...3): return .offset(.init())
        case (ASCII.upperZ, 5): return .offset(.init(hasColon: true, usesZ: true))
        case (DateLetter.isoOffsetOrZ, 1), (DateLetter.isoOffset, 1):
            return .offset(.init(usesZ: usesZ, dropsZeroMinutes: true))
        // The long forms differ only in seconds, which offsets do not have here.
        case (DateLetter.isoOffsetOrZ, 2), (DateLetter.isoOffset, 2), (DateLetter.isoOffsetOrZ, 4),
            (DateLetter.isoOffset, 4):
            return .offset(.init(usesZ: usesZ))
        case (DateLetter.isoOffsetOrZ, 3), (DateLetter.isoOffset, 3), (DateLetter.isoOffsetOrZ, 5),
            (DateLetter.isoOffset, 5):
            return .offset(.init(hasColon: true, usesZ: usesZ))
        default: return nil
        }
    }

    private static let alphabet = "y yy yyyy u uuuu M L d D DDD E a H h K k m s S z Z X x"

    private static func complaint(_ letter: UInt8, count: Int) -> String {
        let run = String(repeating: String(UnicodeScalar(letter)), count: min(count, 10))
        let advice =
            switch letter {
            case DateLetter.weekYear: "Y is the year of the week; write y"
            case DateLetter.era: "years are 0001 to 9999 of the common era"
            default: "the fields are \(alphabet); put other letters between apostrophes"
            }
        return "\(run) is not a field of a pattern: \(advice)"
    }
}
