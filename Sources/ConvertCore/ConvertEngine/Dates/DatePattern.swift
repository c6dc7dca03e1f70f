import ConvertText

/// A custom date format: the field letters of Unicode TR 35 (LDML), in the en_US_POSIX locale.
///
/// Reading is exact: two letters read two digits, one letter reads one or more. Names match in either case, and
/// the text between the fields must be the same. Letters that represent themselves go between apostrophes.
package struct DatePattern: Sendable, Hashable {
    /// The range of hours: from 0 to 23 (`H`), 1 to 24 (`k`), 0 to 11 (`K`) or 1 to 12 (`h`).
    package enum HourCycle: Sendable, Hashable {
        case from0To23, from1To24, from0To11, from1To12

        var digitRange: ClosedRange<Int> {
            switch self {
            // 24:00 is the end of the day, as in the other forms.
            case .from0To23: 0...24
            case .from1To24: 1...24
            case .from0To11: 0...11
            case .from1To12: 1...12
            }
        }
        var needsHalf: Bool { self == .from0To11 || self == .from1To12 }
    }

    /// The format of an offset: with a colon, with `Z` for zero, without minutes if they are zero.
    package struct OffsetStyle: Sendable, Hashable {
        var hasColon = false
        var usesZ = false
        var dropsZeroMinutes = false
    }

    package enum Field: Sendable, Hashable {
        case literal([UInt8])
        /// The width in digits: 1 for as many as needed, 2 for the last two, 4 for four.
        case year(width: Int)
        case month(width: Int)
        case shortMonth, longMonth, narrowMonth
        case day(width: Int)
        case dayOfYear(width: Int)
        case shortWeekday, longWeekday, narrowWeekday
        case half
        case hour(HourCycle, width: Int)
        case minute(width: Int)
        case second(width: Int)
        case fraction(width: Int)
        case offset(OffsetStyle)
        /// `z`: a zone's name, which can only be read.
        case zoneName
    }

    /// The pattern as written.
    let text: String
    package let fields: [Field]

    /// The limit for patterns, in bytes.
    static let maxPatternBytes = 256

    /// Compiles a pattern; the error names the unknown letter.
    package init(_ text: String) throws(DatePatternError) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw DatePatternError(message: "the pattern is empty", offset: 0) }
        guard bytes.count <= Self.maxPatternBytes else {
            throw DatePatternError(message: "a pattern has at most \(Self.maxPatternBytes) bytes", offset: 0)
        }
        var compiler = DatePatternCompiler(bytes: bytes)
        fields = try compiler.compile()
        self.text = text
    }

    /// Whether it has only fields of days. A date without a time keeps its day when it is written with such a pattern.
    var isDateOnly: Bool {
        fields.allSatisfy { field in
            switch field {
            case .half, .hour, .minute, .second, .fraction, .offset, .zoneName: false
            default: true
            }
        }
    }

    /// Whether its output may have a byte that JSON escapes.
    var mayNeedEscaping: Bool {
        fields.contains { field in
            guard case .literal(let bytes) = field else { return false }
            return bytes.contains { $0 < ASCII.space || $0 == ASCII.quote || $0 == ASCII.backslash }
        }
    }

    /// The reason why dates cannot be written with the pattern; nil if they can.
    package var writingError: String? {
        fields.contains(.zoneName) ? "z cannot be written, only read; write xxx for an offset such as +01:00" : nil
    }

    /// The reason why dates cannot be read with the pattern; nil if they can.
    package var readingError: String? {
        var kinds: [Kind] = []
        var previousWidthIsOpen = false
        for field in fields {
            if field == .narrowMonth || field == .narrowWeekday {
                return "MMMMM and EEEEE write the first letter only, which several names share"
            }
            if let kind = field.kind {
                guard !kinds.contains(kind) else { return "it has the \(kind.rawValue) twice" }
                kinds.append(kind)
            }
            if previousWidthIsOpen, field.digitWidth != nil {
                return "no digits may follow a single letter; write two, such as dd for d"
            }
            previousWidthIsOpen = field.digitWidth == 1 && field.kind != .fraction
        }
        return missingField(among: kinds)
    }

    private func missingField(among kinds: [Kind]) -> String? {
        guard kinds.contains(.year) else { return "it has no year" }
        guard kinds.contains(.dayOfYear) != kinds.contains(.month),
            kinds.contains(.month) == kinds.contains(.day)
        else { return "it needs either a month (M; m is the minute) and a day (d), or the day of the year (D)" }
        let needsHalf = fields.contains { field in
            if case .hour(let cycle, _) = field { cycle.needsHalf } else { false }
        }
        guard needsHalf == kinds.contains(.half) else {
            return needsHalf ? "h and K need a, the half of the day" : "a needs h or K"
        }
        let units: [Kind] = [.hour, .minute, .second, .fraction]
        for (larger, smaller) in zip(units, units.dropFirst()) where kinds.contains(smaller) && !kinds.contains(larger)
        {
            return "it has the \(smaller.rawValue) but not the \(larger.rawValue)"
        }
        return kinds.contains(.zone) && !kinds.contains(.hour) ? "it has a zone but no hour" : nil
    }
}

/// The reason why a text is not a pattern.
package struct DatePatternError: Error, Sendable, Equatable {
    package var message: String
    /// Bytes from the start of the pattern to the error.
    package var offset: Int
}

extension DatePattern {
    /// The part of a date that a field represents. A pattern for reading has each at most once.
    package enum Kind: String {
        case year, month, day, weekday, half, hour, minute, second, fraction, zone
        case dayOfYear = "day of the year"
    }
}

extension DatePattern.Field {
    /// The field's part of the date; nil for a literal.
    package var kind: DatePattern.Kind? {
        switch self {
        case .literal: nil
        case .year: .year
        case .month, .shortMonth, .longMonth, .narrowMonth: .month
        case .day: .day
        case .dayOfYear: .dayOfYear
        case .shortWeekday, .longWeekday, .narrowWeekday: .weekday
        case .half: .half
        case .hour: .hour
        case .minute: .minute
        case .second: .second
        case .fraction: .fraction
        case .offset, .zoneName: .zone
        }
    }

    /// The number of digits of a numeric field, where 1 means any number of them; nil for other fields.
    var digitWidth: Int? {
        switch self {
        case .year(let width), .month(let width), .day(let width), .dayOfYear(let width), .hour(_, let width),
            .minute(let width), .second(let width), .fraction(let width):
            width
        default: nil
        }
    }
}
