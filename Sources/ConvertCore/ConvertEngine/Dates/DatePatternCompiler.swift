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
        let (scalar, count) = (Unicode.Scalar(letter), index - start)
        guard let field = Self.field(scalar, count: count) else {
            let isAfterPercent = start > 0 && bytes[start - 1] == ASCII.percent
            throw DatePatternError(message: Self.complaint(scalar, count: count, isAfterPercent), offset: start)
        }
        fields.append(field)
    }

    /// The field for a letter that is repeated `count` times; nil if there is none.
    private static func field(_ letter: Unicode.Scalar, count: Int) -> DatePattern.Field? {
        switch (letter, count) {
        case ("y", 1), ("y", 2), ("y", 4), ("u", 1), ("u", 4): .year(width: count)
        case ("M", 1...2), ("L", 1...2): .month(width: count)
        case ("M", 3), ("L", 3): .shortMonth
        case ("M", 4), ("L", 4): .longMonth
        case ("M", 5), ("L", 5): .narrowMonth
        case ("d", 1...2): .day(width: count)
        case ("D", 1), ("D", 3): .dayOfYear(width: count)
        case ("E", 1...3): .shortWeekday
        case ("E", 4): .longWeekday
        case ("E", 5): .narrowWeekday
        case ("a", 1...3): .half
        case ("H", 1...2): .hour(.from0To23, width: count)
        case ("k", 1...2): .hour(.from1To24, width: count)
        case ("K", 1...2): .hour(.from0To11, width: count)
        case ("h", 1...2): .hour(.from1To12, width: count)
        case ("m", 1...2): .minute(width: count)
        case ("s", 1...2): .second(width: count)
        case ("S", 1...9): .fraction(width: count)
        case ("z", 1...3): .zoneName
        case ("Z", 1...3): .offset(.init())
        case ("Z", 5): .offset(.init(hasColon: true, usesZ: true))
        case ("X", 1), ("x", 1): .offset(.init(usesZ: letter == "X", dropsZeroMinutes: true))
        // The long forms differ only in seconds, which offsets do not have here.
        case ("X", 2), ("x", 2), ("X", 4), ("x", 4): .offset(.init(usesZ: letter == "X"))
        case ("X", 3), ("x", 3), ("X", 5), ("x", 5): .offset(.init(hasColon: true, usesZ: letter == "X"))
        default: nil
        }
    }

    private static let alphabet = "y yy yyyy u uuuu M L d D DDD E a H h K k m s S z Z X x"

    private static func complaint(_ letter: Unicode.Scalar, count: Int, _ isAfterPercent: Bool) -> String {
        let run = String(repeating: String(letter), count: min(count, 10))
        let advice =
            switch letter {
            case _ where isAfterPercent: "write yyyy-MM-dd for %Y-%m-%d of strftime"
            case "Y": "Y is the year of the week; write y"
            case "G": "years are 0001 to 9999 of the common era"
            default: "the fields are \(alphabet); put other letters between apostrophes"
            }
        return "\(run) is not a field of a pattern: \(advice)"
    }
}
