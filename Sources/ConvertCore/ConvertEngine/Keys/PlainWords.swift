import ConvertText

/// Converts the keys that most payloads have: those in ASCII without white space.
///
/// It reads the bytes directly, without a class for each scalar; `NameWords` finds the same words.
enum PlainWords {
    /// The class of a byte in the search for words; `foreign` bytes need `NameWords`.
    private enum ByteClass {
        case capital, lowercase, digit, separator, symbol, foreign

        @inline(__always)
        init(_ byte: UInt8) {
            switch byte {
            case ASCII.a...ASCII.z: self = .lowercase
            case ASCII.upperA...ASCII.upperZ: self = .capital
            case ASCII.zero...ASCII.nine: self = .digit
            case ASCII.underscore, ASCII.minus, ASCII.dot: self = .separator
            case 0...ASCII.space, 0x80...: self = .foreign
            default: self = .symbol
            }
        }
    }

    /// The limit for the converted key, in bytes. Each capital may begin a word.
    static func mostBytes(for name: Span<UInt8>, in target: KeyCase) -> Int {
        guard target.joint != nil else { return name.count }
        var capitals = 0
        for index in 0..<name.count where ByteClass(name[index]) == .capital { capitals += 1 }
        return name.count + capitals
    }

    /// The key in the target case, or nil if it has a foreign byte.
    static func converted(_ name: [UInt8], to target: KeyCase) -> [UInt8]? {
        var isPlain = false
        let converted = [UInt8](capacity: mostBytes(for: name.span, in: target)) { output in
            isPlain = write(name.span, in: target, to: &output)
        }
        return isPlain ? converted : nil
    }

    /// Writes the key in the target case. Returns false, and writes nothing, if it has a foreign byte.
    static func write(_ name: Span<UInt8>, in target: KeyCase, to output: inout OutputSpan<UInt8>) -> Bool {
        // The range from the first letter or digit to the last one.
        var (start, end) = (name.count, name.count)
        var holdsLetter = false
        var followsSymbol = false
        var stays = false
        for index in 0..<name.count {
            switch ByteClass(name[index]) {
            case .foreign: return false
            case .separator: continue
            case .symbol:
                followsSymbol = true
                continue
            case .capital, .lowercase: holdsLetter = true
            case .digit: break
            }
            // Before the first word, any symbol is allowed.
            if start == name.count { start = index } else if followsSymbol { stays = true }
            followsSymbol = false
            end = index + 1
        }
        if !holdsLetter || stays || KeyCaseRule.isUUID(name) { (start, end) = (name.count, name.count) }
        for index in 0..<start { output.append(name[index]) }
        if start < end { writeWords(name, start..<end, in: target, to: &output) }
        for index in end..<name.count { output.append(name[index]) }
        return true
    }

    private static func writeWords(
        _ name: Span<UInt8>, _ words: Range<Int>, in target: KeyCase, to output: inout OutputSpan<UInt8>
    ) {
        var letterCase = target.letterCase(isFirstWord: true)
        let laterCase = target.letterCase(isFirstWord: false)
        let joint = target.joint
        var opensWord = true
        var followsLowercase = false
        for index in words {
            let byte = name[index]
            switch ByteClass(byte) {
            case .separator:
                opensWord = true
                followsLowercase = false
                continue
            case .capital:
                let isBeforeLowercase =
                    index + 1 < words.upperBound && ByteClass(name[index + 1]) == .lowercase
                if followsLowercase || isBeforeLowercase { opensWord = true }
                followsLowercase = false
            case .lowercase: followsLowercase = true
            default: break
            }
            if opensWord, index > words.lowerBound {
                if let joint { output.append(joint) }
                letterCase = laterCase
            }
            let isUpper = letterCase == .upper || (opensWord && letterCase == .title)
            opensWord = false
            output.append(isUpper ? ASCII.uppercased(byte) : ASCII.lowercased(byte))
        }
    }
}
