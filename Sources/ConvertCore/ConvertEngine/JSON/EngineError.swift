/// An error inside the engine, small enough to throw at no cost. It becomes a `ConversionError` when it is reported.
package struct EngineError: Error, BitwiseCopyable {
    package enum Kind: UInt8, BitwiseCopyable {
        case expectedValue, expectedValueOrEnd, expectedKey, expectedKeyOrEnd, expectedColon
        case expectedCommaOrBrace, expectedCommaOrBracket, trailingBytes, twoValuesInLine, lineEnd
        case unexpectedEnd, emptyInput
        case badEscape, controlCharacter, lineFeedInString, badUTF8, badNumber, badLiteral
        case depth, keyLength, namesLength, heldLength, addedLength
        case duplicateKey, collision, badValue, lossyKey
        /// A key that equals the output key of a rename, if the profile requires that both can be distinguished again.
        case renamedName
        /// A key that the inverse would restore as another key, if the profile does not allow that.
        case changedName
        /// A value to flatten is neither an object nor null, or is an element.
        case flatten
        /// A required value is missing.
        case missing
        /// An error of a value that moves, or one that is found at the end of a buffered object. The engine has its details.
        case held

        /// The code in the report.
        var code: ConversionError.Code {
            switch self {
            case .depth, .keyLength, .namesLength, .heldLength, .addedLength: .limit
            case .duplicateKey: .duplicateKey
            case .collision, .renamedName: .collision
            case .missing: .require
            case .lossyKey, .changedName: .lossyKey
            case .badValue: .badValue
            case .flatten: .flatten
            default: .json
            }
        }
    }

    var kind: Kind
    /// The position of the error, from the start of the chunk; negative if it was in an earlier chunk.
    var position: Int
    /// The key cache entry of the member with the error, or -1.
    var entry: Int32 = -1
}
