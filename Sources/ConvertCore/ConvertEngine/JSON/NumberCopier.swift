import ConvertText

/// Copies JSON numbers unchanged and checks the grammar of RFC 8259 §6.
///
///     number = [ minus ] int [ frac ] [ exp ]
///     int = zero / ( digit1-9 *DIGIT )    frac = "." 1*DIGIT    exp = ( "e" / "E" ) [ "-" / "+" ] 1*DIGIT
///
/// A number ends before the first byte that cannot continue it. The caller checks whether that byte may follow a value.
package enum NumberCopier {
    /// The part of a number that was read last.
    package enum State: UInt8, BitwiseCopyable, Sendable {
        case start, minus, zero, integer, point, fraction, exponentMark, exponentSign, exponent

        /// Whether a number may end here.
        package var isComplete: Bool {
            switch self {
            case .zero, .integer, .fraction, .exponent: true
            case .start, .minus, .point, .exponentMark, .exponentSign: false
            }
        }

        /// Whether any digit continues the part that was read last.
        @inline(__always)
        package var takesDigits: Bool { self == .integer || self == .fraction || self == .exponent }
    }

    /// Copies the number up to its end or that of the chunk; true if the number ended before the chunk did.
    @inline(__always) @_lifetime(reader: copy reader)
    static func copy(
        _ reader: inout ChunkReader, into output: inout ByteBuffer, _ state: inout State
    ) throws(EngineError) -> Bool {
        while !reader.isAtEnd {
            let byte = reader.next
            if ASCII.isDigit(byte), state.takesDigits {
                output.copyDigits(&reader)
                continue
            }
            guard let following = try step(state, byte, at: reader.position) else { return true }
            state = following
            output.append(byte)
            reader.advance()
        }
        return false
    }

    /// The state after `byte`, or nil if the number ended before it.
    @inline(__always)
    package static func step(_ state: State, _ byte: UInt8, at position: Int) throws(EngineError) -> State? {
        switch state {
        case .start where byte == ASCII.minus: return .minus
        case .start, .minus:
            if byte == ASCII.zero { return .zero }
            if ASCII.isDigit(byte) { return .integer }
        case .zero, .integer:
            if byte == ASCII.dot { return .point }
            if byte == ASCII.e || byte == ASCII.upperE { return .exponentMark }
            // A leading zero.
            if state == .zero, ASCII.isDigit(byte) { break }
            return nil
        case .point:
            if ASCII.isDigit(byte) { return .fraction }
        case .fraction:
            if byte == ASCII.e || byte == ASCII.upperE { return .exponentMark }
            return nil
        case .exponentMark:
            if byte == ASCII.plus || byte == ASCII.minus { return .exponentSign }
            if ASCII.isDigit(byte) { return .exponent }
        case .exponentSign:
            if ASCII.isDigit(byte) { return .exponent }
        case .exponent: return nil
        }
        throw EngineError(kind: .badNumber, position: position)
    }
}
