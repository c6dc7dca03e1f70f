/// Finds the words of one segment of a key: a run of letters, digits and marks between separators.
///
/// A word opens before a capital when the nearest cased letter before it is small, or when the next scalar past marks is
/// small. Digits open nothing. At a word's start the acronyms are tried, longest first; one that is accepted is a word
/// with whatever follows it up to the next opening, and a capital or another acronym right behind it opens one.
struct WordSplitter {
    /// A word, and how far an acronym (with its plural `s`) reaches into it.
    struct Word {
        var scalars: ArraySlice<Unicode.Scalar>
        var acronymLength = 0
        /// The acronym as listed, with its plural `s`.
        var listed = ""
    }

    let scalars: ArraySlice<Unicode.Scalar>
    /// The kinds of the scalars, with the same indices.
    let kinds: ArraySlice<ScalarKind>
    let acronyms: AcronymTable

    func words() -> [Word] {
        let openings = self.openings()
        var next = openings.startIndex
        var words: [Word] = []
        var start = scalars.startIndex
        while start < scalars.endIndex {
            var word = Word(scalars: scalars[start...])
            var end = start + 1
            var endsHere = false
            if let acronym = acronym(at: start) {
                word.acronymLength = acronym.length
                word.listed = acronym.listed
                end = start + acronym.length
                endsHere =
                    end < scalars.endIndex && (kinds[end] == .capital || acronyms.isSpelled(in: scalars, at: end))
            }
            if !endsHere {
                while next < openings.endIndex, openings[next] < end { next += 1 }
                end = next < openings.endIndex ? openings[next] : scalars.endIndex
            }
            word.scalars = scalars[start..<end]
            words.append(word)
            start = end
        }
        return words
    }

    /// The indices before which a word opens, beside the segment's start.
    private func openings() -> [Int] {
        var openings: [Int] = []
        var lastCased: ScalarKind?
        for index in kinds.indices {
            if kinds[index] == .capital, index > kinds.startIndex,
                lastCased == .small || kinds[(index + 1)...].first(where: { $0 != .mark }) == .small
            {
                openings.append(index)
            }
            if kinds[index].isCased { lastCased = kinds[index] }
        }
        return openings
    }

    /// The longest acronym that is accepted at a word's start.
    private func acronym(at start: Int) -> (length: Int, listed: String)? {
        for (length, listed) in acronyms.spelled(in: scalars, at: start) {
            let end = start + length
            if end < scalars.endIndex, scalars[end] == "s", mayFollow(at: end + 1) { return (length + 1, listed + "s") }
            if mayFollow(at: end) { return (length, listed) }
        }
        return nil
    }

    /// Whether an acronym may end before `index`.
    private func mayFollow(at index: Int) -> Bool {
        guard index < scalars.endIndex else { return true }
        switch kinds[index] {
        case .digit, .otherLetter: return true
        case .capital where index + 1 == scalars.endIndex || kinds[index + 1] != .capital: return true
        default: return acronyms.isSpelled(in: scalars, at: index)
        }
    }
}
