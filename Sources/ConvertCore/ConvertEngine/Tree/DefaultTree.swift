/// The members that the `defaults` of a profile add where they are absent: a tree of their paths, in output keys.
///
/// After the last `*` of its path, a rule makes every member on the path that is absent. Before that it makes nothing,
/// and only follows members and elements that exist.
package struct DefaultTree: Sendable {
    /// A member that is added if it is absent, by a path of output keys.
    package struct Rule: Sendable {
        var segments: [Selector.Segment]
        var value: JSONDocument

        /// The length of the value in the profile, in bytes.
        var sourceBytes: Int { value[JSONDocument.root].end - value[JSONDocument.root].start }
    }

    /// A key that rules add to an object without it, by its number in `pointers`.
    private struct Addable: Sendable {
        let name: Int32
        /// The node that the key leads to.
        let node: Int32
    }

    /// A member to be added, with the first rule that adds it.
    struct Addition: BitwiseCopyable, Sendable {
        let rule: Int32
        /// The number of the member's key, and how many segments lead to the member's object.
        let name: Int32
        let depth: Int32
    }

    package private(set) var rules: [Rule] = []
    /// The keys that rules may add, also those in their values.
    private(set) var addedNames: Set<[UInt8]> = []
    /// The most segments of a path up to its last `*`.
    private(set) var mostFollowed = 0
    private(set) var pointers = PointerTree()
    /// The position at the root, where every rule begins.
    package let root: [Int32]
    /// The keys that rules add to an object, by the node of the object.
    private var addable: [Int32: [Addable]] = [:]
    /// The rules that add the member at a node, in their order, by this node.
    private var adding: [Int32: [Int32]] = [:]
    /// For each node: the last rule whose path leads through it, and the total bytes of the values of such rules in the profile.
    private var lastRules: [Int32] = [-1]
    private var sourceBytes: [Int] = [0]

    init() { root = [pointers.addRoot()] }

    mutating func add(_ rule: Rule) {
        let number = Int32(rules.count)
        rules.append(rule)
        addedNames.formUnion(rule.value.nodes.compactMap { $0.step.name })
        let firstNamed = (rule.segments.lastIndex(of: .anyOne) ?? -1) + 1
        mostFollowed = max(mostFollowed, firstNamed)
        var node = root[0]
        note(node, rule)
        for (index, segment) in rule.segments.enumerated() {
            let next = pointers.extend(node, by: segment)
            note(next, rule)
            if index >= firstNamed, case .literal(let name) = segment {
                addedNames.insert(name)
                if adding[next] == nil, let name = pointers.names[name] {
                    addable[node, default: []].append(Addable(name: name, node: next))
                }
                adding[next, default: []].append(number)
            }
            node = next
        }
    }

    private mutating func note(_ node: Int32, _ rule: Rule) {
        while lastRules.count <= node {
            lastRules.append(-1)
            sourceBytes.append(0)
        }
        lastRules[Int(node)] = Int32(rules.count - 1)
        sourceBytes[Int(node)] += rule.sourceBytes
    }

    /// The total bytes, in the profile, of the values that may be added at or below these positions.
    func sourceBytes(at positions: [Int32]) -> Int { positions.reduce(0) { $0 + sourceBytes[Int($1)] } }

    /// The nodes at which rules add at least `count` members.
    func nodesAdding(atLeast count: Int) -> [Int32] { addable.filter { $0.value.count >= count }.map { $0.key } }

    /// The positions that `*` leads to from these positions. Only rules after `rule` count.
    func positions(behindAnyOneOf positions: [Int32], after rule: Int32 = -1) -> [Int32] {
        var following: [Int32] = []
        for position in positions { append(pointers.nodes[Int(position)].anyOne, after: rule, to: &following) }
        return following
    }

    /// The positions that a key leads to from these positions, without those of `*`. Only rules after `rule` count.
    func positions(behind name: Int32, of positions: [Int32], after rule: Int32 = -1) -> [Int32] {
        var following: [Int32] = []
        for position in positions {
            append(pointers.child(of: position, named: name) ?? -1, after: rule, to: &following)
        }
        return following
    }

    private func append(_ node: Int32, after rule: Int32, to positions: inout [Int32]) {
        guard node >= 0, lastRules[Int(node)] > rule, pointers.isPosition(node) else { return }
        positions.append(node)
    }

    /// Whether rules may add members to an object at these positions.
    func addsMembers(at positions: [Int32]) -> Bool { positions.contains { addable[$0] != nil } }

    /// The members that rules after `rule` add to an object at these positions, in the order of the rules. Only keys
    /// count for which `isAbsent` is true.
    func additions(
        at positions: [Int32], after rule: Int32 = -1, where isAbsent: (Int32) -> Bool = { _ in true }
    ) -> [Addition] {
        var found: [Addition] = []
        for position in positions {
            for addable in addable[position] ?? [] where isAbsent(addable.name) {
                guard let rules = adding[addable.node], let next = rules[rules.partitioningIndex { $0 > rule }...].first
                else { continue }
                let depth = pointers.nodes[Int(position)].depth
                found.append(Addition(rule: next, name: addable.name, depth: depth))
            }
        }
        var names: Set<Int32> = []
        return found.sorted { $0.rule < $1.rule }.filter { names.insert($0.name).inserted }
    }

    /// The keys that lead from the object to the added value.
    func names(of addition: Addition) -> [[UInt8]] {
        Selector.names(rules[Int(addition.rule)].segments[Int(addition.depth)...]) ?? []
    }
}
