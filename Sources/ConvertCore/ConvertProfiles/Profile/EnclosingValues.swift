import ConvertEngine

/// Finds whether a path leads into a value inside which no rule applies, such as a string that is read as JSON.
///
/// A path without `*` is followed once for all pointers. A path with `*` is compared with each selector.
struct EnclosingValues {
    /// The most steps for all paths together. Many thousands of ordinary paths need less.
    private static let maxSteps = 4_000_000
    /// Bytes of a key that count as one step when it is compared with a plain key that has a `*`.
    private static let nameBytes = 16

    private let selectors: [(selector: Selector, entry: Int)]
    private var pointers = PointerTree()
    private let root: Int32
    /// The first entry for each node where a pointer ends and for each plain key; then the plain keys with a `*`.
    private var entries: [Int32: Int] = [:]
    private var names: [[UInt8]: Int] = [:]
    private var wildNames: [(selector: Selector, entry: Int)] = []
    private var steps = 0

    /// Creates the index of selectors, each with the number of its entry.
    init(_ selectors: [(selector: Selector, entry: Int)]) {
        self.selectors = selectors
        root = pointers.addRoot()
        for (selector, entry) in selectors {
            switch selector.form {
            case .pointer(let segments):
                let node = segments.reduce(root) { pointers.extend($0, by: $1) }
                entries[node] = entries[node] ?? entry
            case .name:
                if let name = selector.literalName {
                    names[name] = names[name] ?? entry
                } else {
                    wildNames.append((selector, entry))
                }
            }
        }
    }

    /// Whether there were too many steps. The results are then incomplete.
    var isExhausted: Bool { steps > Self.maxSteps }

    /// The first entry that may match a container on the path; nil if none may. The path must not have a `**`.
    mutating func entry(enclosing path: [Selector.Segment]) -> Int? {
        guard !selectors.isEmpty else { return nil }
        guard let names = Selector.names(path[...]) else { return entry(enclosingWild: path) }
        var found: Int?
        var positions: [Int32] = []
        func note(_ entry: Int?) {
            if let entry { found = min(found ?? entry, entry) }
        }
        pointers.arrive(at: root) { if pointers.isPosition($0) { positions.append($0) } }
        for name in names.dropLast() where !isExhausted {
            steps += 1 + positions.count + wildNames.count * (1 + name.count / Self.nameBytes)
            var following: Set<Int32> = []
            pointers.step(from: positions, by: name) { node in
                note(entries[node])
                if pointers.isPosition(node) { following.insert(node) }
            }
            positions = Array(following)
            note(self.names[name])
            for (selector, entry) in wildNames where selector.matchesName(name) { note(entry) }
        }
        return found
    }

    private mutating func entry(enclosingWild path: [Selector.Segment]) -> Int? {
        for (selector, entry) in selectors where !isExhausted {
            steps += path.count * path.count
            let leadsInto = (1..<path.count).contains { count in
                Selector(segments: Array(path[..<count])).canMatchSamePath(as: selector)
            }
            if leadsInto { return entry }
        }
        return nil
    }
}
