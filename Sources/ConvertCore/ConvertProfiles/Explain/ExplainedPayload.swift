package import ConvertEngine

// The converter decides everything: it buffers the whole document as a tree, in which a removed value still has its node, with the rule
// that removed it. The code here only finds the values of the payload in the tree, finds the selectors of the profile that match them, and
// describes the differences.
//
// Notes refer to values by number. A value of the payload has its index in the document. Values that rules made have higher numbers.

/// The effects of a profile on the values of a payload, which the converter itself found out.
package struct ExplainedPayload: ~Copyable {
    /// An effect of a rule on a value.
    package struct Note {
        /// The number of the value.
        let node: Int
        let rule: String
        let what: String
        /// The text by which similar effects are counted together, if `what` shows a value; nil if `what` is that text.
        var kind: String?
    }

    struct Value {
        /// The rules that apply to it.
        var match: PathAutomaton.Match
        /// Its output key, if a rule changes the key.
        var output: [UInt8]?
        /// Its node in the tree; -1 for a value inside of one that a rule discards or replaces.
        var node = -1
        /// The record that it is or is in, by its index in the document; or -1.
        var record = -1
        /// Whether `keep` found nothing in it or in a container of it, although it is searched.
        var isUnkept = false
        /// Whether it, or a container of it, was discarded before rules looked at its value.
        var isDiscarded = false
    }

    let profile: Profile
    let plan: Plan
    package let document: JSONDocument
    /// The tree has the document below `HeldTree.root`.
    package var resolved: ResolvedDocument
    /// The index of the value that becomes the document.
    private(set) var top = 0
    /// By index in the document, the values that are not outside of `top`.
    private(set) var values: [Int: Value] = [:]
    /// The number of each node of the tree that was read from the payload.
    private var numbers: [Int] = []
    var keys: KeyMapper
    var notes: [Note] = []

    package init(_ profile: Profile, _ plan: Plan, _ document: JSONDocument) {
        self.profile = profile
        self.plan = plan
        self.document = document
        resolved = ResolvedDocument(plan, document.text.span)
        keys = KeyMapper(plan, lettingKeysPass: false)
        guard !resolved.isTooLong else { return }
        havePathsTooLong = pathBytes > plan.limits.maxHeldBytes / Self.bytesOfPathByte
        if !havePathsTooLong { findValues() }
    }

    /// The limit for buffered output that keeps an explanation short.
    static let shortBytes = 16 << 20

    /// Whether the plan's limit for buffered output is not enough for the document. Then effects are missing.
    package var isTooLong: Bool { resolved.isTooLong || havePathsTooLong }
    /// The same for the paths of all values, which are several times in memory.
    private var havePathsTooLong = false

    /// Bytes of memory for each byte of a path.
    private static let bytesOfPathByte = 8

    /// The total length of the paths to all values of the payload and of the output, in keys. In deep objects with long keys, that is far
    /// more than the length of the two.
    private var pathBytes: Int {
        var lengths: [Int] = []
        for node in document.nodes {
            lengths.append((node.parent.map { lengths[$0.index] } ?? 0) + 1 + (node.step.name?.count ?? 0))
        }
        var total = lengths.reduce(0, +)
        var waiting = [(node: HeldTree.root, length: 0)]
        while let (container, length) = waiting.popLast() {
            let isArray = tree.nodes[container].kind == .array
            for child in tree.children(of: container) {
                waiting.append((child, length + 1 + (isArray ? 0 : tree.name(of: child).count)))
                total += waiting[waiting.count - 1].length
            }
        }
        return total
    }

    package var tree: HeldTree { _read { yield resolved.tree } }

    /// The number of a node of the tree.
    package func number(of node: Int) -> Int { node < numbers.count ? numbers[node] : document.nodes.count + node }

    /// RFC 6901 pointer into the output, to the document.
    package var wrapPointer: String { plan.wrapText.names.map(PayloadPointer.step).joined() }

    /// The records that were discarded or replaced with null, in the order of the payload.
    package var skippedRecords: [(node: Int, code: ConversionError.Code)] {
        numbers.indices.compactMap { node in resolved.skipped(node).map { (numbers[node], $0) } }
    }

    /// A pointer into the output for the number of every value that is left.
    func outputPointers() -> [Int: String] {
        var pointers = [number(of: HeldTree.root): wrapPointer]
        var waiting = [HeldTree.root]
        while let container = waiting.popLast() {
            let pointer = pointers[number(of: container)] ?? ""
            for (position, child) in tree.children(of: container).enumerated() {
                let isElement = tree.nodes[container].kind == .array
                pointers[number(of: child)] =
                    pointer + (isElement ? "/\(position)" : PayloadPointer.step(tree.name(of: child)))
                waiting.append(child)
            }
        }
        return pointers
    }

    // MARK: Values

    private mutating func findValues() {
        for name in plan.selectors.document.payloadNames {
            guard let next = document.nodes[top].children.first(where: { segment(to: $0.index) == name }) else {
                return
            }
            top = next.index
        }
        for index in top..<document.nodes.count {
            let container = index == top ? nil : document.nodes[index].parent.flatMap { values[$0.index] }
            guard index == top || container != nil else { return }
            var value = container.map { self.value(index, in: $0) } ?? Value(match: keys.paths.documentMatch)
            // Either all members or elements of a container have nodes, or none.
            let next = numbers.count
            if next < tree.nodes.count, Int(tree.nodes[next].inputParent) == container?.node ?? -1 {
                value.node = next
                numbers.append(index)
            }
            if plan.sparesRecords, value.match.traits.contains(.record) { value.record = index }
            findRemoval(of: &value, isContainer: [.object, .array].contains(document.nodes[index].kind))
            values[index] = value
        }
    }

    /// The value of a member or element, with what it has in common with its container.
    private mutating func value(_ index: Int, in container: Value) -> Value {
        let state = container.match.state
        var value = Value(
            match: keys.paths.documentMatch, record: container.record, isUnkept: container.isUnkept,
            isDiscarded: hidesContents(container))
        switch document.nodes[index].step {
        case .root: break
        case .index(let position):
            value.match = keys.paths.namedElement(position, of: state) ?? keys.paths.elements(of: state).match
        case .member(let name, _):
            let resolution = keys.resolution(of: name, state)
            (value.match, value.output) = (resolution.match, resolution.output)
        }
        return value
    }

    /// Whether no rule acts inside a value.
    func hidesContents(_ value: Value) -> Bool {
        value.isDiscarded || tree.nodes[value.node][.isStringified]
    }

    private func findRemoval(of value: inout Value, isContainer: Bool) {
        guard value.node >= 0 else {
            value.isDiscarded = true
            return
        }
        let node = tree.nodes[value.node]
        let isSearched = isContainer && !value.match.isDropped && value.match.traits.contains(.searched)
        if node.removal == .repetition || (node[.isDiscarded] && !isSearched) {
            value.isDiscarded = true
        } else if node[.isDiscarded] || node.removal == .keep {
            value.isUnkept = true
        }
    }

    // MARK: Selectors

    /// The key or index that leads to a value of the payload.
    func segment(to index: Int) -> [UInt8] {
        switch document.nodes[index].step {
        case .root: []
        case .index(let position): Array(String(position).utf8)
        case .member(let name, _): name
        }
    }

    /// The pointer into the profile to the first selector that matches a value of the payload; nil if none does.
    func pointer(of selectors: [LocatedSelector], of index: Int) -> String? {
        guard !selectors.isEmpty else { return nil }
        let path = path(to: index)
        // An index has no key, also if a plain key has the same digits.
        let name = document.nodes[index].step.name == nil ? nil : path.last
        let segments = path.map { Selector.Segment.literal($0) }
        return selectors.first { located in
            if case .pointer = located.selector.form { return located.selector.covers(segments[...]) }
            return name.map { located.selector.matchesName($0) } ?? false
        }?.location.pointer
    }

    /// The keys and indices that lead to a value of the payload, as the input of the forward direction has them.
    private func path(to index: Int) -> [[UInt8]] {
        var path: [[UInt8]] = []
        guard plan.isInverse, let value = values[index], value.node >= 0 else {
            var current = index
            while let parent = document.nodes[current].parent?.index {
                path.append(segment(to: current))
                current = parent
            }
            return path.reversed()
        }
        var node = value.node
        while node != HeldTree.root {
            let position = tree.nodes[node].index
            path.append(position < 0 ? tree.name(of: node) : Array(String(position).utf8))
            node = Int(tree.nodes[node].parent)
        }
        return plan.wrapText.names + path.reversed()
    }

    /// The pointer into the profile to the `keep` that removes a value.
    func keepRule(of index: Int) -> String {
        let scopes = profile.scopes.located
        var container = scopes.isEmpty ? nil : document.nodes[index].parent
        while let current = container {
            if let rule = pointer(of: scopes, of: current.index) { return rule }
            container = document[current].parent
        }
        return "/keep"
    }
}
