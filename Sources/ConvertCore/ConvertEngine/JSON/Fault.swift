/// A fault inside the engine, small enough to throw for nothing: what a `ConversionError` is made of once it happened.
package struct Fault: Error, BitwiseCopyable {
    package enum Kind: UInt8, BitwiseCopyable {
        case expectedValue, expectedValueOrEnd, expectedKey, expectedKeyOrEnd, expectedColon
        case expectedCommaOrBrace, expectedCommaOrBracket, trailingBytes, twoValuesInLine, lineEnd
        case unexpectedEnd, emptyInput
        case badEscape, controlCharacter, lineFeedInString, badUTF8, badNumber, badLiteral
        case depth, keyLength, namesLength, heldLength
        case duplicateKey, collision, badValue, lossyKey
        /// A name that is written as a rename writes another one, if both must be distinguished again.
        case renamedName
        /// A name that would come back as another one, where that must not be.
        case changedName
        /// Something that is required is not there.
        case missing
        /// One that is found when a buffered object ends. The object knows what it is.
        case held
    }

    var kind: Kind
    /// Where it happened, from the start of the chunk; negative when that was in an earlier one.
    var position: Int
    /// The key cache entry of the member at fault, or -1.
    var entry: Int32 = -1
}
