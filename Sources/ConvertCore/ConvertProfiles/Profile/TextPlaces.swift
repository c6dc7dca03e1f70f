import ConvertEngine

/// Places in which no rule acts, such as those of strings that are read as JSON, to find the ones that a path leads into.
///
/// A path of names is followed once for all pointers; where it has a `*`, it is held against each.
struct TextPlaces {
    /// The most steps that all paths together may take: as many as there are in many thousands of ordinary ones.
    private static let maxSteps = 4_000_000
    /// A bare name with `*` takes as long as a step on so many bytes.
    private static let nameBytes = 16

    private let selectors: [(selector: Selector, entry: Int)]
    private var pointers = PointerTree()
    private let root: Int32
    /// The first entry of `values` with a pointer that ends at a node, with a bare name, and the bare names with a `*`.
    private var entries: [Int32: Int] = [:]
    private var names: [[UInt8]: Int] = [:]
    private var wildNames: [(selector: Selector, entry: Int)] = []
    private var steps = 0

    /// The places that selectors match, each with its entry.
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

    /// Whether there were too many steps; then nothing is said of the paths.
    var isExhausted: Bool { steps > Self.maxSteps }

    /// The first entry of `values` that may match a container on the path, which has no `**`.
    mutating func place(ledIntoBy path: [Selector.Segment]) -> Int? {
        guard !selectors.isEmpty else { return nil }
        guard let names = Selector.names(path[...]) else { return place(ledIntoByWild: path) }
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

    private mutating func place(ledIntoByWild path: [Selector.Segment]) -> Int? {
        for (selector, entry) in selectors where !isExhausted {
            steps += path.count * path.count
            let leadsInto = (1..<path.count).contains { count in
                Selector(segments: Array(path[..<count])).canMatchSamePlace(as: selector)
            }
            if leadsInto { return entry }
        }
        return nil
    }
}
