import ConvertText

/// Skips tokens of a text that is known to be valid JSON.
extension ChunkReader {
    /// Skips to the quote that ends a string; returns whether the string has a backslash.
    @inline(__always) @_lifetime(self: copy self)
    mutating func skipString() -> Bool {
        var hasEscapes = false
        let quotes = Lanes(repeating: ASCII.quote)
        let backslashes = Lanes(repeating: ASCII.backslash)
        while remaining >= 16 {
            let lanes = unsafe Lanes(loading: base + position)
            let stops = LaneMask(bits: lanes.equal(to: quotes).bits | lanes.equal(to: backslashes).bits)
            let run = stops.firstIndex
            guard run < 16 else {
                advance(16)
                continue
            }
            advance(run)
            if next == ASCII.quote { return hasEscapes }
            hasEscapes = true
            advance(2)
        }
        while !isAtEnd, next != ASCII.quote {
            let isEscape = next == ASCII.backslash
            hasEscapes = hasEscapes || isEscape
            advance(isEscape ? 2 : 1)
        }
        return hasEscapes
    }

    /// Skips all bytes that can occur in a number.
    @inline(__always) @_lifetime(self: copy self)
    mutating func skipNumber() {
        while !isAtEnd {
            switch next {
            case ASCII.zero...ASCII.nine, ASCII.minus, ASCII.plus, ASCII.dot, ASCII.e, ASCII.upperE: advance()
            default: return
            }
        }
    }
}
