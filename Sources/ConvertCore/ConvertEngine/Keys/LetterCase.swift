import ConvertText

enum LetterCase: Sendable {
    case lower, upper, title

    /// Writes a scalar's full mapping in the root locale.
    ///
    /// Scalars are mapped one by one, without their neighbours. So a final sigma is not distinguished (`ΟΔΟΣ` → `οδοσ`), but an `ς`
    /// of the input stays. `İ` becomes `i` with a dot above.
    func write(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
        if scalar.isASCII {
            output.append(mapping(ascii: UInt8(truncatingIfNeeded: scalar.value)))
            return
        }
        output.append(contentsOf: mapping(scalar.properties).utf8)
    }

    /// Does the same; `scalarClass` is the class of the scalar in its key.
    ///
    /// Outside ASCII, lower case changes only capitals and Roman numerals (`Ⅷ`), which are digits.
    func write(_ scalar: Unicode.Scalar, _ scalarClass: ScalarClass, to output: inout OutputSpan<UInt8>) {
        if scalar.isASCII {
            write(ascii: UInt8(truncatingIfNeeded: scalar.value), to: &output)
        } else if self == .lower, scalarClass != .capital, scalarClass != .digit {
            for byte in scalar.utf8 { output.append(byte) }
        } else {
            for byte in mapping(scalar.properties).utf8 { output.append(byte) }
        }
    }

    @inline(__always)
    func write(ascii byte: UInt8, to output: inout OutputSpan<UInt8>) { output.append(mapping(ascii: byte)) }

    @inline(__always)
    private func mapping(ascii byte: UInt8) -> UInt8 {
        self == .lower ? ASCII.lowercased(byte) : ASCII.uppercased(byte)
    }

    private func mapping(_ properties: Unicode.Scalar.Properties) -> String {
        switch self {
        case .lower: properties.lowercaseMapping
        case .upper: properties.uppercaseMapping
        case .title: properties.titlecaseMapping
        }
    }
}
