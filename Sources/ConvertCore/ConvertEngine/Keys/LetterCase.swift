import ConvertText

/// A case of letters.
enum LetterCase: Sendable {
    case lower, upper, title

    /// Writes a scalar's full mapping in the root locale.
    ///
    /// Scalars are mapped one by one, so the neighbours have no influence: a final sigma is not distinguished
    /// (`ΟΔΟΣ` → `οδοσ`, while an `ς` of the input stays), and `İ` becomes `i` with a dot above.
    func write(_ scalar: Unicode.Scalar, to output: inout [UInt8]) {
        if scalar.isASCII {
            let byte = UInt8(truncatingIfNeeded: scalar.value)
            output.append(self == .lower ? ASCII.lowercased(byte) : ASCII.uppercased(byte))
            return
        }
        let properties = scalar.properties
        switch self {
        case .lower: output.append(contentsOf: properties.lowercaseMapping.utf8)
        case .upper: output.append(contentsOf: properties.uppercaseMapping.utf8)
        case .title: output.append(contentsOf: properties.titlecaseMapping.utf8)
        }
    }
}
