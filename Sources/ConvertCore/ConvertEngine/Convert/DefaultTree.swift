/// The members that a profile adds where they are absent: by output names, in a tree.
///
/// A rule adds to an object from which only names lead on: all that are absent are made. With a `*` still to come it adds nothing
/// there, and only leads on to what is there.
package struct DefaultTree: Sendable {
    /// A name by which rules add a member to an object that has none of it.
    private struct Addable: Sendable {
        let name: Int32
        /// The node that the name leads to.
        let node: Int32
    }

    /// A member to be added: by the first rule that does.
    struct Addition: BitwiseCopyable, Sendable {
        let rule: Int32
        /// The node that the member's name leads to, the name's number, and the segments that lead to its object.
        let node: Int32
        let name: Int32
        let depth: Int32
    }

    package private(set) var rules: [SelectorTable.Default] = []
    private(set) var pointers = PointerTree()
    /// What is at the root.
    package let root: [Int32]
    /// By the node that leads on.
    private var addable: [Int32: [Addable]] = [:]
    /// The rules that add what a name leads to, in their order.
    private var adding: [Int32: [Int32]] = [:]
    /// The last rule that leads through a node, and how long the values of all of them are in the profile, beside the nodes.
    private var lastRules: [Int32] = []
    private var sourceBytes: [Int] = []

    package init(_ rules: [SelectorTable.Default] = []) {
        root = [pointers.addRoot()]
        note(root[0], nil)
        for rule in rules { add(rule) }
    }

    mutating func add(_ rule: SelectorTable.Default) {
        let number = Int32(rules.count)
        rules.append(rule)
        let firstNamed = (rule.segments.lastIndex(of: .anyOne) ?? -1) + 1
        var node = root[0]
        note(node, rule)
        for (index, segment) in rule.segments.enumerated() {
            let next = pointers.extend(node, by: segment)
            note(next, rule)
            if index >= firstNamed, case .literal(let name) = segment {
                if adding[next] == nil, let name = pointers.names[name] {
                    addable[node, default: []].append(Addable(name: name, node: next))
                }
                adding[next, default: []].append(number)
            }
            node = next
        }
    }

    private mutating func note(_ node: Int32, _ rule: SelectorTable.Default?) {
        while lastRules.count <= node {
            lastRules.append(-1)
            sourceBytes.append(0)
        }
        guard let rule else { return }
        lastRules[Int(node)] = Int32(rules.count - 1)
        sourceBytes[Int(node)] += rule.sourceBytes
    }

    /// How long the values are in the profile that may be added at these positions or below.
    func sourceBytes(at positions: [Int32]) -> Int { positions.reduce(0) { $0 + sourceBytes[Int($1)] } }

    /// Nodes at which rules add so many members or more.
    func nodesAdding(atLeast count: Int) -> [Int32] { addable.filter { $0.value.count >= count }.map { $0.key } }

    /// The positions that `*` leads to, of rules behind one of them.
    func positions(behindAnyOneOf positions: [Int32], after rule: Int32 = -1) -> [Int32] {
        var following: [Int32] = []
        for position in positions { append(pointers.nodes[Int(position)].anyOne, after: rule, to: &following) }
        return following
    }

    /// The positions that a name leads to beside those that `*` leads to.
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

    /// Whether something is added to an object at these positions that lacks it.
    func addsMembers(at positions: [Int32]) -> Bool { positions.contains { addable[$0] != nil } }

    /// What rules behind one of them add to an object without the names that `isPresent`, in the order of the rules.
    func additions(
        at positions: [Int32], after rule: Int32 = -1, where isAbsent: (Int32) -> Bool = { _ in true }
    ) -> [Addition] {
        var first: [Int32: Addition] = [:]
        for position in positions {
            for addable in addable[position] ?? [] where isAbsent(addable.name) {
                guard let rules = adding[addable.node], let next = Self.first(of: rules, after: rule),
                    first[addable.name].map({ next < $0.rule }) != false
                else { continue }
                first[addable.name] = Addition(
                    rule: next, node: addable.node, name: addable.name, depth: pointers.nodes[Int(position)].depth)
            }
        }
        return first.values.sorted { $0.rule < $1.rule }
    }

    private static func first(of rules: [Int32], after rule: Int32) -> Int32? {
        var (low, high) = (0, rules.count)
        while low < high {
            let middle = (low + high) / 2
            if rules[middle] > rule { high = middle } else { low = middle + 1 }
        }
        return low < rules.count ? rules[low] : nil
    }

    /// The names that lead from the object to what is added.
    func names(of addition: Addition) -> [[UInt8]] {
        Selector.names(rules[Int(addition.rule)].segments[Int(addition.depth)...]) ?? []
    }
}
