import ConvertText

/// Converts keys under the rules that most profiles have: without acronyms, and with digits that join the word before them.
///
/// One pass reads the key's bytes and writes each word when it comes; `NameWords` would find the same words. When the pass meets a symbol
/// between two words, the output starts again with the unchanged key.
enum PlainWords {
    /// The most bytes that one scalar becomes: a joint and three scalars of two bytes (`ΐ` in upper case).
    private static let mostScalarBytes = 7

    /// The key in the target case.
    static func converted(_ name: [UInt8], to target: KeyCase) -> [UInt8] {
        // A byte becomes at most 3.5 bytes.
        [UInt8](capacity: name.count * 4 + mostScalarBytes) { output in
            let isWritten = write(name.span, in: target, to: &output)
            precondition(isWritten)
        }
    }

    /// Writes the key in the target case to an empty output that has room for the unchanged key. A key that is a UUID, has no words or is
    /// not UTF-8 does not change.
    ///
    /// Returns false if the converted key could be longer than the output's capacity; the output is then incomplete.
    static func write(_ name: Span<UInt8>, in target: KeyCase, to output: inout OutputSpan<UInt8>) -> Bool {
        switch KeyCaseRule.isUUID(name) ? .unchanged : writeWords(name, in: target, to: &output) {
        case .written: return true
        case .tooLong: return false
        case .unchanged:
            output.removeAll()
            for index in 0..<name.count { output.append(name[index]) }
            return true
        }
    }

    private enum Outcome {
        case written, unchanged, tooLong
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

    /// Writes the words and what is around them.
    private static func writeWords(
        _ name: Span<UInt8>, in target: KeyCase, to output: inout OutputSpan<UInt8>
    ) -> Outcome {
        let (laterCase, joint) = (target.letterCase(isFirstWord: false), target.joint)
        var letterCase = target.letterCase(isFirstWord: true)
        // The key without white space around it, as far as it was read; and the end of its last word.
        var (start, end, endOfWords) = (0, 0, 0)
        var last = ScalarClass.other
        var (hasWords, hasLetter) = (false, false)
        var (opensWord, followsSymbol, followsLowercase) = (true, false, false)
        var index = 0
        while index < name.count {
            guard let next = NameScalar(name, at: index) else { return .unchanged }
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
            if hasWords, followsSymbol { return .unchanged }
            if !hasWords {
                // Before the first word, any symbol is allowed.
                for index in start..<position { output.append(name[index]) }
            }
            guard output.freeCapacity >= mostScalarBytes else { return .tooLong }
            if hasWords, opensWord {
                if let joint { output.append(joint) }
                letterCase = laterCase
            }
            hasWords = true
            followsSymbol = false
            let restCase = letterCase == .upper ? LetterCase.upper : .lower
            (opensWord ? letterCase : restCase).write(next.scalar, last, to: &output)
            opensWord = false
            // Nearly every key continues with small letters.
            while index < name.count, ASCII.a...ASCII.z ~= name[index], output.freeCapacity > 0 {
                restCase.write(ascii: name[index], to: &output)
                index += 1
                (last, hasLetter, followsLowercase) = (.lowercase, true, true)
            }
            (end, endOfWords) = (index, index)
        }
        guard hasLetter else { return .unchanged }
        guard output.freeCapacity >= end - endOfWords else { return .tooLong }
        for index in endOfWords..<end { output.append(name[index]) }
        return .written
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
