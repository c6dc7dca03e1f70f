// The chunked coding (RFC 9112 §7.1), read byte by byte except for the data, which is only counted:
//
//     chunked-body   = *chunk last-chunk trailer-section CRLF
//     chunk          = chunk-size [ chunk-ext ] CRLF chunk-data CRLF
//     chunk-ext      = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )
//     chunk-ext-val  = token / quoted-string
//     trailer-section = *( field-line CRLF )
//
// Each state says which byte comes next, so that any cut of the input resumes where it was. Extensions and trailers are
// checked, counted against their limits and discarded.

import Text

/// Finds the data in a chunked body.
struct ChunkedDecoder: Sendable, Equatable {
    enum Result: Sendable, Equatable {
        case needMore
        /// These bytes of the input are data.
        case data(Range<Int>)
        case end
    }

    enum State: Sendable {
        case sizeStart, size, sizeLF
        case beforeSemicolon, beforeName, name, afterName, beforeValue, token, quoted, quotedPair, afterQuoted
        case data, dataCR, dataLF
        case trailerStart, trailerName, trailerValue, trailerLF, endLF, end
    }

    /// Leading zeros are allowed but limited: a size has at most as many digits as 64 bits need.
    private static let maxSizeDigits = 16

    let limits: WireLimits
    var state = State.sizeStart
    var extensionBytes = 0
    /// Bytes read before the current input.
    private var offset = 0
    private var digits = 0
    /// The size while it is read, then the rest of the chunk.
    private var remaining = 0
    private var bodyBytes = 0
    private var trailerBytes = 0
    private var trailers = 0

    init(limits: WireLimits) { self.limits = limits }

    /// The error of a connection that ends, or of a deadline that passes, inside this body.
    func error(_ code: WireError.Code) -> WireError { WireError(code, at: offset) }

    /// Reads from `index` on, up to the next data, the end of the body or that of the input.
    mutating func next(_ input: Span<UInt8>, at index: inout Int) throws(WireError) -> Result {
        while index < input.count {
            if state == .data {
                let end = index + min(remaining, input.count - index)
                let range = index..<end
                remaining -= range.count
                offset += range.count
                index = end
                if remaining == 0 { state = .dataCR }
                return .data(range)
            }
            if let code = step(input[index]) { throw WireError(code, at: offset) }
            offset += 1
            index += 1
            if state == .end { return .end }
        }
        return .needMore
    }

    /// Takes one byte that is not data. Returns its error, if any.
    private mutating func step(_ byte: UInt8) -> WireError.Code? {
        switch state {
        case .sizeStart: return addDigit(byte) ? nil : .badChunkSize
        case .size:
            if addDigit(byte) { return nil }
            if ASCII.hexValue(byte) != nil { return .badChunkSize }
            return endSize(byte)
        case .sizeLF: return endSizeLine(byte)
        case .dataCR:
            state = .dataLF
            return byte == ASCII.carriageReturn ? nil : .badChunkEnd
        case .dataLF:
            state = .sizeStart
            remaining = 0
            digits = 0
            return byte == ASCII.lineFeed ? nil : .badChunkEnd
        case .trailerStart, .trailerName, .trailerValue, .trailerLF, .endLF: return stepTrailer(byte)
        case .data, .end: return nil
        default:
            if byte != ASCII.carriageReturn { extensionBytes += 1 }
            if extensionBytes > limits.maxChunkExtensionBytes { return .chunkExtensionsTooLong }
            return stepExtension(byte)
        }
    }

    // MARK: Size

    private mutating func addDigit(_ byte: UInt8) -> Bool {
        guard let value = ASCII.hexValue(byte), digits < Self.maxSizeDigits, remaining <= Int.max >> 4 else {
            return false
        }
        remaining = remaining << 4 | Int(value)
        digits += 1
        state = .size
        return true
    }

    private mutating func endSize(_ byte: UInt8) -> WireError.Code? {
        switch byte {
        case ASCII.carriageReturn: state = .sizeLF
        case ASCII.semicolon:
            extensionBytes += 1
            state = .beforeName
        case ASCII.space, ASCII.tab:
            extensionBytes += 1
            state = .beforeSemicolon
        default: return byte == ASCII.lineFeed ? .bareLineEnd : .badChunkSize
        }
        // Compared before a byte of the data is read, so that no byte beyond the limit is taken.
        return remaining > limits.maxBodyBytes - bodyBytes ? .bodyTooLong : nil
    }

    private mutating func endSizeLine(_ byte: UInt8) -> WireError.Code? {
        guard byte == ASCII.lineFeed else { return .bareLineEnd }
        bodyBytes += remaining
        state = remaining == 0 ? .trailerStart : .data
        return nil
    }

    // MARK: Trailers

    private mutating func stepTrailer(_ byte: UInt8) -> WireError.Code? {
        trailerBytes += 1
        // The empty line that ends the section is not a trailer.
        if trailerBytes > limits.maxTrailerBytes, state != .endLF,
            !(state == .trailerStart && byte == ASCII.carriageReturn)
        {
            return .trailersTooLong
        }
        switch state {
        case .trailerStart:
            if byte == ASCII.carriageReturn {
                state = .endLF
                return nil
            }
            trailers += 1
            state = .trailerName
            if trailers > limits.maxFields { return .trailersTooLong }
            if ASCII.isBlank(byte) { return .foldedField }
            return ASCII.isToken(byte) ? nil : (byte == ASCII.lineFeed ? .bareLineEnd : .badFieldName)
        case .trailerName:
            if byte == ASCII.colon { state = .trailerValue }
            return byte == ASCII.colon || ASCII.isToken(byte) ? nil : .badFieldName
        case .trailerValue:
            if byte == ASCII.carriageReturn { state = .trailerLF }
            if byte == ASCII.carriageReturn || ASCII.isFieldContent(byte) { return nil }
            return byte == ASCII.lineFeed ? .bareLineEnd : .badFieldValue
        case .trailerLF:
            state = .trailerStart
            return byte == ASCII.lineFeed ? nil : .bareLineEnd
        default:
            state = .end
            return byte == ASCII.lineFeed ? nil : .bareLineEnd
        }
    }
}
