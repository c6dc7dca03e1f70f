/// The parts of a key: a prefix and a suffix that stay unchanged, and the words between them.
///
/// The words are found in two steps. The core of the key is split at runs of separators. In each segment, one pass from left
/// to right ends a word where the next one begins. A word begins only at a capital, by rule 5 of the format, and at the
/// end of an acronym. After an acronym, a capital or another acronym begins the next word. Digits and uncased letters
/// belong to the acronym's word (`ID2` is one word), because digits begin no word, unless the rule says so.
///
/// The time is linear in the key's length. A search back for a cased letter ends at the last capital. A search ahead for an
/// acronym takes at most as many steps as the longest acronym has scalars.
struct NameWords {
    struct Word {
        var range: Range<Int>
        /// The acronym at the start of the word.
        var acronym: AcronymIndex.Match?
    }

    let name: NameScalars
    let prefix: Range<Int>
    private(set) var words: [Word] = []
    let suffix: Range<Int>

    private let acronyms: AcronymIndex
    private let digits: DigitStyle
    /// The acronyms that begin at each position; empty if none are listed.
    private let matches: [[AcronymIndex.Match]]

    /// Splits a key. Returns nil if the key must stay unchanged: it has no letter, or a symbol is
    /// between its letters and digits.
    init?(_ text: String, acronyms: AcronymIndex, _ digits: DigitStyle = .join) {
        let name = NameScalars(text)
        let classes = name.classes
        guard classes.contains(where: { $0.isLetter }),
            let outerStart = name.scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let outerLast = name.scalars.lastIndex(where: { !$0.properties.isWhitespace }),
            let coreStart = classes.firstIndex(where: { !$0.isOutsideWords }),
            let coreLast = classes.lastIndex(where: { !$0.isOutsideWords }),
            !classes[coreStart...coreLast].contains(.other)
        else { return nil }
        self.name = name
        self.acronyms = acronyms
        self.digits = digits
        prefix = outerStart..<coreStart
        suffix = (coreLast + 1)..<(outerLast + 1)
        matches = acronyms.isEmpty ? [] : name.scalars.indices.map { acronyms.matches(in: name, at: $0) }
        for segment in classes[coreStart...coreLast].split(separator: .separator) {
            splitSegment(segment.startIndex..<segment.endIndex)
        }
    }

    // MARK: - Words

    private mutating func splitSegment(_ segment: Range<Int>) {
        var start = segment.lowerBound
        while start < segment.upperBound {
            let found = acronym(at: start, in: segment)
            let end = endOfWord(start: start, acronymEnd: found?.end, in: segment)
            words.append(Word(range: start..<end, acronym: found?.match))
            start = end
        }
    }

    /// The first position after the word's start, or after its acronym, where another word begins.
    private func endOfWord(start: Int, acronymEnd: Int?, in segment: Range<Int>) -> Int {
        var position = start + 1
        if let acronymEnd {
            guard acronymEnd < segment.upperBound else { return acronymEnd }
            if name.classes[acronymEnd] == .capital || beginsAcronym(acronymEnd)
                || opensWord(acronymEnd, in: segment)
            {
                return acronymEnd
            }
            position = acronymEnd + 1
        }
        while position < segment.upperBound, !opensWord(position, in: segment) { position += 1 }
        return position
    }

    /// Rule 5, for a position that is not the first of the segment.
    private func opensWord(_ position: Int, in segment: Range<Int>) -> Bool {
        if digits == .word, name.classes[position] == .digit {
            return name.classes[segment.lowerBound..<position].last(where: { $0 != .mark })?.isLetter ?? false
        }
        guard name.classes[position] == .capital else { return false }
        return name.classes[segment.lowerBound..<position].last(where: { $0.isCased }) == .lowercase
            || name.classPastMarks(from: position + 1, to: segment.upperBound) == .lowercase
    }

    // MARK: - Acronyms

    /// The longest acronym at a word's start that may end there, and its end with a plural `s`.
    private func acronym(at start: Int, in segment: Range<Int>) -> (match: AcronymIndex.Match, end: Int)? {
        guard !acronyms.isEmpty else { return nil }
        for match in matches[start].reversed() {
            let isPlural = match.end < segment.upperBound && name.scalars[match.end] == "s"
            if isPlural, canEndAcronym(match.end + 1, in: segment) { return (match, match.end + 1) }
            if canEndAcronym(match.end, in: segment) { return (match, match.end) }
        }
        return nil
    }

    /// Rule 6: whether the scalar at `end` may follow an acronym.
    ///
    /// For another acronym that follows, it does not matter what comes after that one. So the search ahead stops here.
    private func canEndAcronym(_ end: Int, in segment: Range<Int>) -> Bool {
        guard end < segment.upperBound else { return true }
        switch name.classes[end] {
        case .digit, .uncased: return true
        case .capital where name.classPastMarks(from: end + 1, to: segment.upperBound) != .capital: return true
        default: return beginsAcronym(end)
        }
    }

    private func beginsAcronym(_ position: Int) -> Bool { !matches[position].isEmpty }
}
