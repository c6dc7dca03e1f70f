import Text

/// The weight of a preference, from 0 to 1 (RFC 9110 §12.4.2).
package struct QualityValue: Sendable, Hashable, Comparable {
    package static let zero = QualityValue(thousandths: 0)
    package static let one = QualityValue(thousandths: 1000)

    /// 0 to 1000.
    let thousandths: Int

    private init(thousandths: Int) { self.thousandths = thousandths }

    /// Reads a weight's value; nil for anything that the grammar does not allow.
    ///
    ///     qvalue = ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )
    package init?<Text: BidirectionalCollection<UInt8>>(_ text: Text) where Text.SubSequence == Text {
        var digits = text
        guard let first = digits.popFirst(), first == ASCII.zero || first == ASCII.zero + 1 else { return nil }
        if let dot = digits.popFirst(), dot != ASCII.dot { return nil }
        guard digits.count <= 3, digits.allSatisfy(ASCII.isDigit) else { return nil }
        var value = Int(first - ASCII.zero) * 1000
        var unit = 100
        for digit in digits {
            value += Int(digit - ASCII.zero) * unit
            unit /= 10
        }
        guard value <= 1000 else { return nil }
        thousandths = value
    }

    package static func < (left: QualityValue, right: QualityValue) -> Bool { left.thousandths < right.thousandths }
}

extension QualityValue: CustomStringConvertible {
    /// The text of a weight, with three digits after the dot.
    package var description: String {
        thousandths < 1000 ? "0." + String(thousandths, width: 3) : "1"
    }
}
