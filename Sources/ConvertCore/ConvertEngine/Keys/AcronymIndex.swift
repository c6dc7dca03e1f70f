import ConvertText

/// The listed acronyms as a tree over scalars, so that one walk compares a key with all of them.
///
/// Each acronym is in it twice, as listed and in all capitals. If two acronyms have the same form, the spelling as listed has priority
/// over capitals, and the earlier acronym over the later one. Two kinds of acronyms are not in it: those that no word can contain
/// (a separator, a symbol, or a mark at the start), and those longer than `KeyCaseRule.maxAcronymScalars`.
struct AcronymIndex: Sendable, Hashable {
    /// An acronym found in a key.
    struct Match {
        /// The position after it, without a plural `s`.
        var end: Int
        /// Its index in `spellings`.
        var spelling: Int
    }

    private struct Node: Hashable {
        var children: [Unicode.Scalar: Int] = [:]
        var spelling: Int?
    }

    /// The acronyms as listed.
    private(set) var spellings: [[Unicode.Scalar]] = []
    private var nodes = [Node()]
    /// The index in `spellings` for each acronym in lower case; of equal ones the earliest.
    private var words: [[UInt8]: Int] = [:]

    var isEmpty: Bool { spellings.isEmpty }

    init(_ acronyms: [String]) {
        for acronym in acronyms {
            let name = NameScalars(acronym)
            let fits = 1...KeyCaseRule.maxAcronymScalars ~= name.scalars.count
            guard fits, !name.classes.contains(where: { $0.isOutsideWords }) else { continue }
            spellings.append(name.scalars)
        }
        for (index, spelling) in spellings.enumerated() { insert(spelling, spelling: index) }
        for (index, spelling) in spellings.enumerated() {
            insert(spelling.flatMap { $0.properties.uppercaseMapping.unicodeScalars }, spelling: index)
        }
        words = Dictionary(keepingFirst: spellings.enumerated().map { (Self.lowered($1[...]), $0) })
    }

    /// The spelling as listed of a whole word that is an acronym in any case, with `s` for a plural; nil for other words.
    func spelling(of word: ArraySlice<Unicode.Scalar>) -> [Unicode.Scalar]? {
        let text = Self.lowered(word)
        if let index = words[text] { return spellings[index] }
        guard text.last == ASCII.s, let index = words[Array(text.dropLast())] else { return nil }
        return spellings[index] + ["s"]
    }

    private static func lowered(_ scalars: ArraySlice<Unicode.Scalar>) -> [UInt8] {
        var text: [UInt8] = []
        for scalar in scalars { LetterCase.lower.write(scalar, to: &text) }
        return text
    }

    private mutating func insert(_ form: [Unicode.Scalar], spelling: Int) {
        var node = 0
        for scalar in form {
            if let child = nodes[node].children[scalar] {
                node = child
            } else {
                nodes.append(Node())
                nodes[node].children[scalar] = nodes.count - 1
                node = nodes.count - 1
            }
        }
        if nodes[node].spelling == nil { nodes[node].spelling = spelling }
    }

    /// The acronyms that begin at `start`, the shortest first.
    ///
    /// A mark after a scalar makes it another letter, so no acronym ends before a mark.
    func matches(in name: NameScalars, at start: Int) -> [Match] {
        var matches: [Match] = []
        var node = 0
        for position in start..<name.scalars.count {
            guard let child = nodes[node].children[name.scalars[position]] else { break }
            node = child
            guard let spelling = nodes[node].spelling else { continue }
            let next = position + 1
            if next == name.classes.count || name.classes[next] != .mark {
                matches.append(Match(end: next, spelling: spelling))
            }
        }
        return matches
    }
}
