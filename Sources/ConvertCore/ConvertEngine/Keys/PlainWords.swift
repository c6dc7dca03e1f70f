import ConvertText

/// Converts keys under the rules that most profiles have: without acronyms, and with digits that join the word before them.
///
/// One pass reads the key's bytes and writes each word when it comes; `NameWords` would find the same words. When the pass meets a symbol
/// between two words, the output starts again with the unchanged key.
enum PlainWords {
    /// The limit for the converted key, in bytes. A joint may come before each word, and the case of a scalar that is not ASCII may have
    /// three times as many bytes.
    static func mostBytes(for name: Span<UInt8>, in target: KeyCase) -> Int {
        let most = target.joint == nil ? (ascii: 1, other: 3) : (ascii: 2, other: 4)
        var count = 0
        for index in 0..<name.count {
            switch name[index] {
            case ASCII.firstNonASCII...: count += most.other
            case ASCII.upperA...ASCII.upperZ: count += most.ascii
            default: count += 1
            }
        }
        return count
    }

    /// The key in the target case.
    static func converted(_ name: [UInt8], to target: KeyCase) -> [UInt8] {
        [UInt8](capacity: mostBytes(for: name.span, in: target)) { write(name.span, in: target, to: &$0) }
    }

    /// Writes the key in the target case to an empty output. A key that is a UUID, has no words, or is not UTF-8 does not change.
    static func write(_ name: Span<UInt8>, in target: KeyCase, to output: inout OutputSpan<UInt8>) {
        guard !KeyCaseRule.isUUID(name), writeWords(name, in: target, to: &output) else {
            output.removeAll()
            for index in 0..<name.count { output.append(name[index]) }
            return
        }
    }

    /// One scalar of a key.
    private struct NameScalar {
        let scalar: Unicode.Scalar
        let scalarClass: ScalarClass
        /// The length in bytes.
        let count: Int

        /// Nil if the bytes at `index` are not UTF-8.
        @inline(__always)
        init?(_ name: Span<UInt8>, at index: Int) {
            if name[index] < ASCII.firstNonASCII {
                (scalar, count) = (Unicode.Scalar(name[index]), 1)
            } else {
                guard let sequence = UTF8Sequence.scalar(in: name, at: index) else { return nil }
                (scalar, count) = sequence
            }
            scalarClass = ScalarClass(scalar)
        }

        var isWhiteSpace: Bool {
            guard scalarClass == .separator else { return false }
            return scalar != "_" && scalar != "-" && scalar != "."
        }
    }

    /// Writes the words and what is around them. Returns false if the key must stay unchanged.
    private static func writeWords(
        _ name: Span<UInt8>, in target: KeyCase, to output: inout OutputSpan<UInt8>
    ) -> Bool {
        let (laterCase, joint) = (target.letterCase(isFirstWord: false), target.joint)
        var letterCase = target.letterCase(isFirstWord: true)
        // The key without white space around it, as far as it was read; and the end of its last word.
        var (start, end, endOfWords) = (0, 0, 0)
        var last = ScalarClass.other
        var (hasWords, hasLetter) = (false, false)
        var (opensWord, followsSymbol, followsLowercase) = (true, false, false)
        var index = 0
        while index < name.count {
            guard let next = NameScalar(name, at: index) else { return false }
            let position = index
            index += next.count
            if !next.isWhiteSpace {
                if end == 0 { start = position }
                end = index
            }
            // A mark belongs to the scalar before it.
            if next.scalarClass != .mark || !last.isOutsideWords { last = next.scalarClass }
            switch last {
            case .separator:
                opensWord = true
                followsLowercase = false
                continue
            case .other:
                followsSymbol = true
                continue
            case .capital:
                if followsLowercase || isBeforeLowercase(index, of: name) { opensWord = true }
                followsLowercase = false
            case .lowercase: followsLowercase = true
            case .uncased, .digit, .mark: break
            }
            hasLetter = hasLetter || last.isLetter
            if !hasWords {
                // Before the first word, any symbol is allowed.
                for index in start..<position { output.append(name[index]) }
                hasWords = true
            } else if followsSymbol {
                return false
            } else if opensWord {
                if let joint { output.append(joint) }
                letterCase = laterCase
            }
            followsSymbol = false
            let restCase = letterCase == .upper ? LetterCase.upper : .lower
            (opensWord ? letterCase : restCase).write(next.scalar, last, to: &output)
            opensWord = false
            // Nearly every key continues with small letters.
            while index < name.count, ASCII.a...ASCII.z ~= name[index] {
                restCase.write(ascii: name[index], to: &output)
                index += 1
                last = .lowercase
                followsLowercase = true
            }
            (end, endOfWords) = (index, index)
        }
        guard hasLetter else { return false }
        for index in endOfWords..<max(end, endOfWords) { output.append(name[index]) }
        return true
    }

    /// Whether a small letter comes next, after marks.
    private static func isBeforeLowercase(_ index: Int, of name: Span<UInt8>) -> Bool {
        var index = index
        while index < name.count, let next = NameScalar(name, at: index) {
            if next.scalarClass != .mark { return next.scalarClass == .lowercase }
            index += next.count
        }
        return false
    }
}
