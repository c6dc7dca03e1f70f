import ConvertText

/// The class of a scalar in the search for words.
package enum ScalarClass: Sendable {
    /// `Lu` and `Lt`.
    case capital
    /// `Ll`.
    case lowercase
    /// `Lm` and `Lo`: letters without case, or with a case that their category does not show.
    case uncased
    /// `Nd`, `Nl` and `No`.
    case digit
    /// `Mn`, `Mc` and `Me` after a letter, a digit or another such mark.
    case mark
    /// `_`, `-`, `.` and Unicode white space.
    case separator
    case other

    var isLetter: Bool { self == .capital || self == .lowercase || self == .uncased }
    var isCased: Bool { self == .capital || self == .lowercase }
    /// Whether it can be before the first word or after the last one.
    package var isOutsideWords: Bool { self == .separator || self == .other }

    package init(_ scalar: Unicode.Scalar) {
        if scalar.isASCII {
            self.init(ascii: UInt8(truncatingIfNeeded: scalar.value))
            return
        }
        if let known = Self.frequent(scalar) {
            self = known
            return
        }
        self =
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .titlecaseLetter: .capital
            case .lowercaseLetter: .lowercase
            case .modifierLetter, .otherLetter: .uncased
            case .decimalNumber, .letterNumber, .otherNumber: .digit
            case .nonspacingMark, .spacingMark, .enclosingMark: .mark
            case .spaceSeparator, .lineSeparator, .paragraphSeparator: .separator
            // The only white space outside ASCII that is not in these categories. The table of this property would be large.
            default: scalar == "\u{85}" ? .separator : .other
            }
    }

    /// The class of a letter in one of the large alphabets: the Unicode tables take longer.
    private static func frequent(_ scalar: Unicode.Scalar) -> ScalarClass? {
        switch scalar {
        case "а"..."џ": .lowercase
        case "Ѐ"..."Я": .capital
        // Chinese characters, Hangul, Hiragana, Katakana, Arabic.
        case "\u{4E00}"..."\u{9FFF}", "가"..."힣", "ぁ"..."ゖ", "ァ"..."ヺ", "\u{620}"..."\u{64A}": .uncased
        default: nil
        }
    }

    private init(ascii byte: UInt8) {
        switch byte {
        case ASCII.a...ASCII.z: self = .lowercase
        case ASCII.upperA...ASCII.upperZ: self = .capital
        case ASCII.zero...ASCII.nine: self = .digit
        case ASCII.underscore, ASCII.minus, ASCII.dot: self = .separator
        case ASCII.space, ASCII.tab...ASCII.carriageReturn: self = .separator
        default: self = .other
        }
    }
}
