import ConvertText

/// Rewrites keys word by word.
///
/// One pass reads the key's bytes and writes each word when it comes. A word begins behind separators, at a capital by rule 5 of the format, and
/// at digits if the rule says so. After an acronym, a capital or another acronym begins the next word. When the pass meets a symbol between two
/// words, the output starts again with the unchanged key.
extension KeyCaseRule {
    /// The most bytes that one scalar becomes: a joint and three scalars of two bytes (`ΐ` in upper case).
    static let mostScalarBytes = 7

    /// Writes the key in the target case to an empty output that has room for the unchanged key. A key that is a UUID, has no words or is
    /// not UTF-8 does not change.
    ///
    /// Returns false if the converted key could be longer than the output's capacity; the output is then incomplete.
    func write(_ name: Span<UInt8>, to output: inout OutputSpan<UInt8>) -> Bool {
        switch target == .preserve || Self.isUUID(name) ? .unchanged : writeWords(name, to: &output) {
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

    /// The word that is being written.
    private struct Word {
        var letterCase: LetterCase
        /// The end of the last acronym in the key, and of what was written for it in the spelling of the list.
        var endOfAcronym = -1
        var endOfListed = -1
        /// Where the word begins, in the key and in the output, if it may be an acronym in another case than listed.
        var unlisted: (start: Int, outputStart: Int)?
        var acronymStarts = AcronymIndex.Starts()

        /// The case of all scalars but the first.
        @inline(__always)
        var restCase: LetterCase { letterCase == .upper ? .upper : .lower }
    }

    /// Writes the words and what is around them.
    private func writeWords(_ name: Span<UInt8>, to output: inout OutputSpan<UInt8>) -> Outcome {
        var word = Word(letterCase: target.letterCase(isFirstWord: true))
        // The key without white space around it, as far as it was read; and the end of its last word.
        var (start, end, endOfWords) = (0, 0, 0)
        // The classes of the last scalar, and of the last one that is not a mark.
        var (last, lastBase) = (ScalarClass.other, ScalarClass.other)
        var (hasWords, hasLetter) = (false, false)
        var (opensWord, followsSymbol, followsLowercase) = (true, false, false)
        var index = 0
        while index < name.count {
            guard let next = NameScalar(name, at: index) else { return .unchanged }
            let position = index
            index = next.end
            if !next.isWhiteSpace {
                if end == 0 { start = position }
                end = index
            }
            if next.scalarClass != .mark || !last.isOutsideWords { last = next.scalarClass }
            switch last {
            case .separator:
                opensWord = true
                followsLowercase = false
                continue
            case .other:
                followsSymbol = true
                continue
            case .capital where position >= word.endOfAcronym:
                opensWord =
                    opensWord || followsLowercase || position == word.endOfAcronym
                    || NameScalar.classPastMarks(in: name, from: index) == .lowercase
            case .digit where position >= word.endOfAcronym:
                opensWord = opensWord || digits == .word && lastBase.isLetter
            default: break
            }
            if position == word.endOfAcronym, let acronyms,
                acronyms.begins(in: name, at: position, &word.acronymStarts)
            {
                opensWord = true
            }
            if hasWords, followsSymbol { return .unchanged }
            if !hasWords {
                // Before the first word, any symbol is allowed.
                for index in start..<position { output.append(name[index]) }
            }
            guard output.freeCapacity >= Self.mostScalarBytes,
                !opensWord || begin(&word, at: position, after: hasWords ? endOfWords : nil, of: name, to: &output)
            else { return .tooLong }
            if position >= word.endOfListed {
                (opensWord ? word.letterCase : word.restCase).write(next.scalar, last, to: &output)
            }
            (hasWords, opensWord, followsSymbol) = (true, false, false)
            hasLetter = hasLetter || last.isLetter
            if last.isCased { followsLowercase = last == .lowercase }
            if last != .mark { lastBase = last }
            // Nearly every key continues with small letters.
            while index > word.endOfAcronym, index < name.count, ASCII.a...ASCII.z ~= name[index],
                output.freeCapacity > 0
            {
                word.restCase.write(ascii: name[index], to: &output)
                index += 1
                (last, lastBase, hasLetter, followsLowercase) = (.lowercase, .lowercase, true, true)
            }
            (end, endOfWords) = (index, index)
        }
        guard hasLetter else { return .unchanged }
        guard spell(word.unlisted, upTo: endOfWords, of: name, to: &output), output.freeCapacity >= end - endOfWords
        else {
            return .tooLong
        }
        for index in endOfWords..<end { output.append(name[index]) }
        return .written
    }

    /// Begins the next word, after the joint if a word ended at `last`. Returns false if there is no room.
    private func begin(
        _ word: inout Word, at position: Int, after last: Int?, of name: Span<UInt8>, to output: inout OutputSpan<UInt8>
    ) -> Bool {
        if let last {
            guard spell(word.unlisted, upTo: last, of: name, to: &output) else { return false }
            if let joint = target.joint { output.append(joint) }
            word.letterCase = target.letterCase(isFirstWord: false)
        }
        word.unlisted = nil
        guard let acronyms else { return true }
        let isListed = acronymStyle == .asListed && word.letterCase == .title
        if let found = acronyms.acronym(in: name, at: position, &word.acronymStarts) {
            word.endOfAcronym = found.end
            guard isListed else { return true }
            word.endOfListed = found.endOfSingular
            return Self.append(found.spelling, to: &output)
        }
        if isListed { word.unlisted = (position, output.count) }
        return true
    }

    /// Spells a word that was just written as its acronym is listed, if it is one. Returns false if there is no room.
    private func spell(
        _ word: (start: Int, outputStart: Int)?, upTo end: Int, of name: Span<UInt8>, to output: inout OutputSpan<UInt8>
    ) -> Bool {
        guard let (start, outputStart) = word, let spelling = acronyms?.spelling(of: name.extracting(start..<end))
        else { return true }
        output.removeLast(output.count - outputStart)
        return Self.append(spelling, to: &output)
    }

    private static func append(_ spelling: [UInt8], to output: inout OutputSpan<UInt8>) -> Bool {
        // The rest of a scalar may follow it.
        guard output.freeCapacity >= spelling.count + mostScalarBytes else { return false }
        for byte in spelling { output.append(byte) }
        return true
    }
}
