import ConvertEngine
import ConvertText

// The numbers of a property list in XML, with white space around them:
//
//     integer = [ "+" / "-" ] ( 1*DIGIT / "0x" 1*16HEXDIG )
//     real    = [ "+" / "-" ] ( 1*DIGIT [ "." *DIGIT ] / "." 1*DIGIT ) [ ( "e" / "E" ) [ "+" / "-" ] 1*DIGIT ]
//
// JSON allows no plus sign before a number, no leading zeros and no hexadecimal digits, and requires a digit on either side of
// a point. All other digits are copied as they arrive, in any number.

/// Reads a number byte by byte and writes it as JSON.
struct PropertyListNumber {
    private enum State {
        case start, sign
        /// After one zero, after several zeros, after other digits.
        case zero, zeros, whole
        /// After a point with and without digits before it.
        case point, barePoint
        case fraction, mark, exponentSign, exponent, hexadecimal
        case end, bad
    }

    private static let maxHexadecimalDigits = 16

    private let isReal: Bool
    private var state = State.start
    private var isNegative = false
    private var value: UInt64 = 0
    private var valueDigits = 0

    init(isReal: Bool) { self.isReal = isReal }

    /// Ends the number; false if it was not valid.
    mutating func end(into output: inout ByteBuffer) -> Bool {
        take(ASCII.space, into: &output)
        return state == .end
    }

    mutating func take(_ byte: UInt8, into output: inout ByteBuffer) {
        switch state {
        case .whole, .fraction, .exponent:
            if ASCII.isDigit(byte) { return output.append(byte) }
            takeMark(byte, into: &output)
        case .start:
            if ASCII.isSpace(byte) { return }
            guard byte == ASCII.minus || byte == ASCII.plus else { return takeFirst(byte, into: &output) }
            isNegative = byte == ASCII.minus
            state = .sign
        case .sign: takeFirst(byte, into: &output)
        case .zero where !isReal && byte | ASCII.caseBit == ASCII.x: state = .hexadecimal
        case .zero, .zeros: takeAfterZeros(byte, into: &output)
        case .point, .barePoint:
            if ASCII.isDigit(byte) {
                output.append(ASCII.dot)
                output.append(byte)
                state = .fraction
            } else if state == .point {
                takeMark(byte, into: &output)
            } else {
                state = .bad
            }
        case .mark, .exponentSign: takeExponent(byte, into: &output)
        case .hexadecimal: takeHexadecimal(byte, into: &output)
        case .end: if !ASCII.isSpace(byte) { state = .bad }
        case .bad: break
        }
    }

    /// Takes the first byte after the sign.
    private mutating func takeFirst(_ byte: UInt8, into output: inout ByteBuffer) {
        // The minus sign of an integer is written before the first digit that is not 0, so that `-0` becomes 0.
        if isReal, isNegative { output.append(ASCII.minus) }
        if byte == ASCII.zero {
            state = .zero
        } else if ASCII.isDigit(byte) {
            beginWhole(byte, into: &output)
        } else if byte == ASCII.dot, isReal {
            output.append(ASCII.zero)
            state = .barePoint
        } else {
            state = .bad
        }
    }

    private mutating func takeAfterZeros(_ byte: UInt8, into output: inout ByteBuffer) {
        if byte == ASCII.zero {
            state = .zeros
        } else if ASCII.isDigit(byte) {
            beginWhole(byte, into: &output)
        } else {
            output.append(ASCII.zero)
            state = .whole
            takeMark(byte, into: &output)
        }
    }

    private mutating func beginWhole(_ digit: UInt8, into output: inout ByteBuffer) {
        if isNegative, !isReal { output.append(ASCII.minus) }
        output.append(digit)
        state = .whole
    }

    /// Reads the byte after digits: white space, a point or an exponent mark.
    private mutating func takeMark(_ byte: UInt8, into output: inout ByteBuffer) {
        if ASCII.isSpace(byte) {
            state = .end
        } else if isReal, byte == ASCII.dot, state == .whole {
            state = .point
        } else if isReal, byte | ASCII.caseBit == ASCII.e, state != .exponent {
            output.append(byte)
            state = .mark
        } else {
            state = .bad
        }
    }

    private mutating func takeExponent(_ byte: UInt8, into output: inout ByteBuffer) {
        if ASCII.isDigit(byte) {
            state = .exponent
        } else if state == .mark, byte == ASCII.minus || byte == ASCII.plus {
            state = .exponentSign
        } else {
            state = .bad
        }
        output.append(byte)
    }

    private mutating func takeHexadecimal(_ byte: UInt8, into output: inout ByteBuffer) {
        if let digit = ASCII.hexValue(byte), valueDigits < Self.maxHexadecimalDigits {
            value = value << 4 | UInt64(digit)
            valueDigits += 1
        } else if ASCII.isSpace(byte), valueDigits > 0 {
            if isNegative, value > 0 { output.append(ASCII.minus) }
            output.append(utf8: String(value))
            state = .end
        } else {
            state = .bad
        }
    }
}
