import ConvertEngine
import ConvertText

/// A payload of a sample, with stored paths, scalars and heights of its values, which are needed often.
struct SampleTree: Sendable {
    /// A level of a path: a key, or an index of an array.
    struct Step: Hashable, Sendable {
        let text: [UInt8]
        let isIndex: Bool
    }

    typealias Path = [Step]

    /// The most scalars of a container that are compared with those of another one.
    private static let maxLeaves = 64

    let document: JSONDocument
    let paths: [Path]
    /// Hashes of the scalars below each value, sorted; the first ones of large values.
    private let leaves: [[Int]]
    /// How many levels are below each value.
    private let heights: [Int]

    /// - Throws: the syntax error, if the text is not JSON.
    init(_ text: [UInt8]) throws(ProfileFault) {
        document = try JSONDocumentParser.parse(text)
        var paths: [Path] = []
        var leaves: [[Int]] = document.nodes.map { _ in [] }
        for node in document.nodes {
            var path = node.parent.map { paths[$0.index] } ?? []
            switch node.step {
            case .root: break
            case .index(let index): path.append(Step(text: Array(String(index).utf8), isIndex: true))
            case .member(let name, _): path.append(Step(text: name, isIndex: false))
            }
            paths.append(path)
        }
        self.paths = paths
        var heights = document.nodes.map { _ in 0 }
        for (index, node) in document.nodes.enumerated().reversed() {
            switch node.kind {
            case .array, .object: leaves[index] = Array(leaves[index].sorted().prefix(Self.maxLeaves))
            default: leaves[index] = [node.kind.hashValue]
            }
            if let parent = node.parent { heights[parent.index] = max(heights[parent.index], heights[index] + 1) }
            if let parent = node.parent, leaves[parent.index].count < 4 * Self.maxLeaves {
                leaves[parent.index] += leaves[index]
            }
        }
        self.leaves = leaves
        self.heights = heights
    }

    var count: Int { document.nodes.count }

    func kind(_ node: Int) -> JSONDocument.Kind { document.nodes[node].kind }

    func children(_ node: Int) -> [Int] { document.nodes[node].children.map(\.index) }

    func parent(_ node: Int) -> Int? { document.nodes[node].parent?.index }

    func text(_ node: Int) -> [UInt8] { document.source(of: JSONDocument.NodeID(index: node)) }

    /// The key of a member; nil for elements and the root.
    func name(_ node: Int) -> [UInt8]? { document.nodes[node].step.name }

    /// A value, and all around it and below it.
    func family(_ node: Int) -> Set<Int> {
        var found = Set(sequence(first: node) { parent($0) })
        var open = children(node)
        while let next = open.popLast() {
            found.insert(next)
            open += children(next)
        }
        return found
    }

    /// Whether the keys of all objects are sorted.
    var isSorted: Bool {
        document.nodes.indices.allSatisfy { node in
            let names = children(node).compactMap { name($0) }
            return !zip(names, names.dropFirst()).contains { $1.lexicographicallyPrecedes($0) }
        }
    }

    /// Whether there is a value at the pointer of a profile wherever a default would add one.
    func hasEverywhere(_ pointer: [UInt8]) -> Bool {
        let levels = pointer.split(separator: ASCII.slash, omittingEmptySubsequences: false).dropFirst()
        guard kind(0) == .object || levels.first?.elementsEqual([ASCII.asterisk]) == true else { return true }
        var open = [(0, levels)]
        while let (node, rest) = open.popLast() {
            guard let level = rest.first else { continue }
            if level.elementsEqual([ASCII.asterisk]) {
                open += children(node).map { ($0, rest.dropFirst()) }
            } else if let child = children(node).first(where: {
                name($0).map(Selector.escaped) == Array(level)
            }) {
                open.append((child, rest.dropFirst()))
            } else if kind(node) == .object {
                return false
            }
        }
        return true
    }

    /// The share of scalars that two values have in common: 0 for none, 1 for all. It is lower if their heights differ.
    func likeness(_ node: Int, to other: Int, in tree: SampleTree) -> Double {
        let (left, right) = (leaves[node], tree.leaves[other])
        guard !left.isEmpty || !right.isEmpty else { return heights[node] == tree.heights[other] ? 0.5 : 0.2 }
        var (common, first, second) = (0, 0, 0)
        while first < left.count, second < right.count {
            if left[first] == right[second] {
                (common, first, second) = (common + 1, first + 1, second + 1)
            } else if left[first] < right[second] {
                first += 1
            } else {
                second += 1
            }
        }
        let shape = heights[node] == tree.heights[other] ? 1 : 0.4
        return shape * Double(common) / Double(max(left.count, right.count))
    }
}

extension JSONDocument.Kind {
    var isContainer: Bool { self == .array || self == .object }

    /// Whether two values that are equal to this one are probably the same value, and not equal by chance.
    var isDistinctive: Bool {
        switch self {
        case .string(let content): content.count > 1
        case .number(let text): text.count > 2
        default: false
        }
    }

    /// Whether `prune` can remove the value if it has no children.
    var mayBeEmpty: Bool {
        switch self {
        case .null, .array, .object: true
        case .string(let content): content.isEmpty
        default: false
        }
    }
}
