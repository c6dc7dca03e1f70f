/// Adds defaults to a scope, each in order, where its place is absent; in pieces.
struct DefaultAdder: ~Copyable {
    /// What a rule has still to go to; each goes with the number of segments that led there.
    enum Visit: BitwiseCopyable, Sendable {
        case node(Int32, Int)
        /// A node and the siblings behind it.
        case siblings(Int32, Int)
        /// A member by its entry in the index, and those of its name behind it.
        case namesakes(Int32, Int)
    }

    /// The rules that are on their way, from the segment on that comes next, and the one that is carried out.
    private var items: [PathStates.Item] = []
    private var item = 0
    private var visits = TrivialArray<Visit>()
    private var index = MemberIndex()

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { visits.storedBytes + index.storedBytes }

    /// Stands before the first of the rules.
    mutating func begin(_ items: [PathStates.Item]) {
        removeAll()
        self.items = items
    }

    mutating func removeAll() {
        items = []
        item = -1
        visits.removeAll()
        index.removeAll()
    }

    /// Goes on below `top` as far as `steps` go; true once all are added, or the tree has grown beyond `maxBytes`.
    mutating func work(
        on tree: inout ScopeTree, below top: Int, _ selectors: SelectorTable, _ escapes: OutputOptions.Escapes,
        maxBytes: Int = .max, _ steps: inout Int
    ) -> Bool {
        while steps > 0 {
            steps -= 1
            if visits.isEmpty {
                item += 1
                guard item < items.count else { return true }
                visits.append(.node(Int32(top), items[item].segment))
            } else {
                guard tree.grownBytes <= maxBytes else { return true }
                visit(visits.removeLast(), in: &tree, selectors, escapes, &steps)
            }
        }
        return false
    }

    private mutating func visit(
        _ visit: Visit, in tree: inout ScopeTree, _ selectors: SelectorTable, _ escapes: OutputOptions.Escapes,
        _ steps: inout Int
    ) {
        switch visit {
        case .siblings(let node, let segment):
            guard node >= 0 else { return }
            visits.append(.siblings(tree.nodes[Int(node)].next, segment))
            visits.append(.node(node, segment))
        case .namesakes(let entry, let segment):
            guard entry >= 0 else { return }
            visits.append(.namesakes(index[entry].next, segment))
            visits.append(.node(index[entry].member, segment))
        case .node(let node, let segment):
            let rule = selectors.defaults[items[item].pattern]
            guard segment < rule.segments.count else { return }
            guard case .literal(let name) = rule.segments[segment] else {
                visits.append(.siblings(tree.nodes[Int(node)].firstChild, segment + 1))
                return
            }
            guard tree.nodes[Int(node)].kind == .object else { return }
            guard index.prepare(Int(node), selectors.defaultNames, in: tree, &steps) else {
                visits.append(visit)
                return
            }
            guard !findMembers(named: name, selectors.defaultNames, of: Int(node), segment + 1, in: tree) else {
                return
            }
            guard let names = Selector.names(rule.segments[segment...]) else { return }
            let made = tree.make(names, rule.value, in: Int(node), escapes)
            index.note(made, named: name, selectors.defaultNames, in: Int(node))
            steps -= tree.nodes.count - made
        }
    }

    /// Goes on to the members that bear a name; false if there are none.
    private mutating func findMembers(
        named name: [UInt8], _ names: MemberNames, of object: Int, _ segment: Int, in tree: borrowing ScopeTree
    ) -> Bool {
        if index.isLarge(object, in: tree) {
            guard let number = names[name] else { return false }
            let entry = index.firstEntry(named: number, of: object)
            if entry >= 0 { visits.append(.namesakes(entry, segment)) }
            return entry >= 0
        }
        let count = visits.count
        var child = tree.nodes[object].firstChild
        while child >= 0 {
            if tree.bears(Int(child), name) { visits.append(.node(child, segment)) }
            child = tree.nodes[Int(child)].next
        }
        return visits.count > count
    }
}

extension ScopeTree {
    /// Makes a member with all that leads to the value; returns the member.
    fileprivate mutating func make(
        _ names: [[UInt8]], _ value: JSONDocument, in object: Int, _ escapes: OutputOptions.Escapes
    ) -> Int {
        let member = nodes.count
        var node = object
        for name in names {
            node = make(named: name, in: node, escapes)
            nodes[node].kind = .object
        }
        copy(value, to: node, escapes)
        return member
    }

    /// Makes a node what a value of the profile is.
    private mutating func copy(_ value: JSONDocument, to node: Int, _ escapes: OutputOptions.Escapes) {
        var waiting = [(JSONDocument.root, node)]
        while let (source, node) = waiting.popLast() {
            switch value[source].kind {
            case .object: nodes[node].kind = .object
            case .array: nodes[node].kind = .array
            case .string(let content):
                let start = text.count
                text.append(ASCII.quote)
                JSONText.appendSpelling(of: content.span, to: &text, escapes == .ascii ? .ascii : .minimal)
                text.append(ASCII.quote)
                nodes[node].kind = .scalar
                nodes[node].setValue(start: start, count: text.count - start)
            case .null, .boolean, .number: setValue(of: node, to: value.source(of: source).span)
            }
            for child in value[source].children {
                switch value[child].step {
                case .member(let name, _): waiting.append((child, make(named: name, in: node, escapes)))
                default: waiting.append((child, append(to: Int32(node))))
                }
            }
        }
    }
}
