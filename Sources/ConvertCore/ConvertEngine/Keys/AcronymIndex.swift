import ConvertText

/// The listed acronyms as a tree over scalars, so that a name is compared with all of them in one walk.
///
/// Each acronym is in it twice, as listed and in all capitals. Where two acronyms have one form, an exact spelling goes before
/// capitals, and the earlier of the list before the later. Two kinds of acronyms are left out: those that no word can contain
/// (a separator, a symbol, or a mark at the start), and those longer than `KeyCaseRule.maxAcronymScalars`.
struct AcronymIndex: Sendable, Hashable {
    /// An acronym found in a name.
    struct Match {
        /// Where it ends, without a plural `s`.
        var end: Int
        /// Its place in `spellings`.
        var spelling: Int
    }

    private struct Node: Hashable {
        var children: [Unicode.Scalar: Int] = [:]
        var spelling: Int?
    }

    /// The acronyms as listed.
    private(set) var spellings: [[Unicode.Scalar]] = []
    private var nodes = [Node()]
    /// Where the spelling is of a word in lower case that is an acronym, of the earliest one.
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

    /// The acronym that a whole word is in any case, as listed; with `s` for its plural.
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
    /// A mark makes another letter of the scalar before it, so none is found where a mark follows.
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
