import ConvertText

/// The listed acronyms as a tree over scalars, so that one walk compares a key with all of them.
///
/// Each acronym is in it twice, as listed and in all capitals. If two acronyms have the same form, the spelling as listed has priority
/// over capitals, and the earlier acronym over the later one. Two kinds of acronyms are not in it:
///
/// - acronyms that no word can contain, because of a separator, a symbol, or a mark at the start
/// - acronyms longer than `KeyCaseRule.maxAcronymScalars`
final class AcronymIndex: Sendable, Hashable {
    /// An acronym found in a key.
    struct Match {
        let spelling: [UInt8]
        /// The position after it, without a plural `s`.
        let endOfSingular: Int
        /// The position after it, with the `s`.
        var end: Int
    }

    /// At which positions of a key an acronym begins, as far as that was asked. Each is found out once, which keeps the time linear in the key's
    /// length.
    struct Starts {
        fileprivate var known: [Bool?] = []
    }

    private struct Node {
        var children: [Unicode.Scalar: Int] = [:]
        var spelling: Int?
    }

    /// The acronyms that words can contain, as listed.
    private let spellings: [[UInt8]]
    private let nodes: [Node]
    /// The index in `spellings` for each acronym in lower case; of equal ones the earliest.
    private let words: [[UInt8]: Int]

    init(_ acronyms: [String]) {
        spellings = acronyms.map { Array($0.utf8) }.filter { acronym in
            let classes = NameScalar.all(in: acronym.span).map { $0.scalarClass }
            return 1...KeyCaseRule.maxAcronymScalars ~= classes.count && classes[0] != .mark
                && !classes.contains(where: { $0.isOutsideWords })
        }
        var nodes = [Node()]
        for (index, spelling) in spellings.enumerated() { Self.insert(spelling, spelling: index, into: &nodes) }
        for (index, spelling) in spellings.enumerated() {
            Self.insert(Self.written(spelling.span, in: .upper), spelling: index, into: &nodes)
        }
        self.nodes = nodes
        words = Dictionary(keepingFirst: spellings.enumerated().map { (Self.written($1.span, in: .lower), $0) })
    }

    static func == (left: AcronymIndex, right: AcronymIndex) -> Bool { left.spellings == right.spellings }

    func hash(into hasher: inout Hasher) { hasher.combine(spellings) }

    private static func insert(_ form: [UInt8], spelling: Int, into nodes: inout [Node]) {
        var node = 0
        for next in NameScalar.all(in: form.span) {
            if let child = nodes[node].children[next.scalar] {
                node = child
            } else {
                nodes.append(Node())
                nodes[node].children[next.scalar] = nodes.count - 1
                node = nodes.count - 1
            }
        }
        if nodes[node].spelling == nil { nodes[node].spelling = spelling }
    }

    /// The spelling as listed of a whole word that is an acronym in any case, with `s` for a plural; nil for other words.
    func spelling(of word: Span<UInt8>) -> [UInt8]? {
        let text = Self.written(word, in: .lower)
        if let index = words[text] { return spellings[index] }
        guard text.last == ASCII.s, let index = words[Array(text.dropLast())] else { return nil }
        return spellings[index] + [ASCII.s]
    }

    private static func written(_ word: Span<UInt8>, in letterCase: LetterCase) -> [UInt8] {
        var text: [UInt8] = []
        var index = 0
        while let next = NameScalar(word, at: index) {
            letterCase.write(next.scalar, to: &text)
            index = next.end
        }
        return text
    }

    /// The longest acronym at a word's start that may end there, with a plural `s`.
    func acronym(in name: Span<UInt8>, at start: Int, _ starts: inout Starts) -> Match? {
        for var match in matches(in: name, at: start).reversed() {
            let isPlural = match.end < name.count && name[match.end] == ASCII.s
            if isPlural, canEnd(at: match.end + 1, in: name, &starts) {
                match.end += 1
                return match
            }
            if canEnd(at: match.end, in: name, &starts) { return match }
        }
        return nil
    }

    /// Whether an acronym begins here.
    func begins(in name: Span<UInt8>, at start: Int, _ starts: inout Starts) -> Bool {
        if starts.known.isEmpty { starts.known = Array(repeating: nil, count: name.count) }
        if let known = starts.known[start] { return known }
        let begins = !matches(in: name, at: start, atMost: 1).isEmpty
        starts.known[start] = begins
        return begins
    }

    /// The acronyms that begin at `start`, the shortest first.
    ///
    /// A mark after a scalar makes it another letter, so no acronym ends before a mark.
    private func matches(in name: Span<UInt8>, at start: Int, atMost count: Int = .max) -> [Match] {
        var matches: [Match] = []
        var (node, index) = (0, start)
        while matches.count < count, let next = NameScalar(name, at: index),
            let child = nodes[node].children[next.scalar]
        {
            (node, index) = (child, next.end)
            guard let spelling = nodes[node].spelling, NameScalar(name, at: index)?.scalarClass != .mark else {
                continue
            }
            matches.append(Match(spelling: spellings[spelling], endOfSingular: index, end: index))
        }
        return matches
    }

    /// Rule 6: whether what comes at `end` may follow an acronym.
    ///
    /// For another acronym that follows, it does not matter what comes after that one. So the search ahead stops here.
    private func canEnd(at end: Int, in name: Span<UInt8>, _ starts: inout Starts) -> Bool {
        guard let next = NameScalar(name, at: end) else { return true }
        switch next.scalarClass {
        case .separator, .other, .digit, .uncased: return true
        case .capital where NameScalar.classPastMarks(in: name, from: next.end) != .capital: return true
        default: return begins(in: name, at: end, &starts)
        }
    }
}
