/// Which members stand: duplicates, `prune`, `defaults` and collisions.
extension ScopeTree {
    /// The most members that are compared one by one; of larger objects the names are hashed.
    private static let maxComparedMembers = 16

    /// Leaves of the members with one input name only the last, in every object.
    mutating func removeEarlierDuplicates() {
        guard holdsRepetitions else { return }
        text.padWithSlack()
        var thinned: [Int] = []
        for object in 0..<nodes.count where nodes[object].holdsRepetition && !nodes[object].isGone {
            if removeEarlierDuplicates(in: object) { thinned.append(object) }
        }
        for object in thinned where !nodes[object].isGone { removeIfNothingFound(from: object) }
    }

    private mutating func removeEarlierDuplicates(in object: Int) -> Bool {
        let members = children(of: object)
        var removesSome = false
        guard members.count > Self.maxComparedMembers else {
            for (position, member) in members.enumerated() {
                for earlier in members[..<position] where !nodes[earlier].isGone && isSameInput(earlier, member) {
                    remove(earlier)
                    removesSome = true
                }
            }
            return removesSome
        }
        var last = NameTable(of: .input)
        for member in members {
            let slot = last.insert(member, in: self)
            if last[slot].holder >= 0 {
                remove(Int(last[slot].holder))
                removesSome = true
            }
            last[slot].holder = Int32(member)
        }
        return removesSome
    }

    /// The nodes in a container, in their order.
    func children(of container: Int) -> [Int] {
        var children: [Int] = []
        var child = nodes[container].firstChild
        while child >= 0 {
            children.append(Int(child))
            child = nodes[Int(child)].next
        }
        return children
    }

    /// Takes out what other rules had left out before.
    mutating func removeVoid() {
        for node in 1..<max(nodes.count, 1) where nodes[node].isVoid { remove(node) }
    }

    // MARK: Prune

    /// Takes out what `options` name, bottom up; `node` itself stays.
    mutating func prune(below node: Int, _ options: PruneOptions) {
        for container in containersBottomUp(below: node) {
            guard nodes[container].kind == .object || options.inArrays else { continue }
            var child = Int(nodes[container].firstChild)
            while child >= 0 {
                let next = Int(nodes[child].next)
                if isPruned(child, options) { remove(child) }
                child = next
            }
        }
    }

    private func isPruned(_ node: Int, _ options: PruneOptions) -> Bool {
        switch nodes[node].kind {
        case .object: options.emptyObject && isEmpty(node)
        case .array: options.emptyArray && isEmpty(node)
        case .scalar:
            options.prunes(
                text.bytes.extracting(nodes[node].valueStart..<(nodes[node].valueStart + nodes[node].valueCount)))
        }
    }

    /// Every container that stands at or below a node, each after those inside it.
    private func containersBottomUp(below node: Int) -> [Int] {
        var topDown: [Int] = []
        var waiting = isOpen(node) ? [node] : []
        while let container = waiting.popLast() {
            topDown.append(container)
            var child = Int(nodes[container].firstChild)
            while child >= 0 {
                if isOpen(child) { waiting.append(child) }
                child = Int(nodes[child].next)
            }
        }
        return topDown.reversed()
    }

    private func isOpen(_ node: Int) -> Bool { nodes[node].kind != .scalar && !nodes[node].isQuoted }

    // MARK: Defaults

    /// Adds each default, in order, where its place is absent; the segments lead from `node` on.
    ///
    /// Stops once the text has grown beyond `maxTextBytes`.
    mutating func add(
        _ rules: [SelectorTable.Default], to node: Int, _ escapes: OutputOptions.Escapes, maxTextBytes: Int = .max
    ) {
        var index = MemberIndex(
            of: rules.lazy.flatMap(\.segments).compactMap { segment in
                if case .literal(let name) = segment { name } else { nil }
            })
        for rule in rules { add(rule, to: node, escapes, &index, maxTextBytes) }
    }

    private mutating func add(
        _ rule: SelectorTable.Default, to start: Int, _ escapes: OutputOptions.Escapes, _ index: inout MemberIndex,
        _ maxTextBytes: Int
    ) {
        var waiting = [(node: start, segment: 0)]
        while text.count <= maxTextBytes, let (node, segment) = waiting.popLast() {
            guard segment < rule.segments.count else { continue }
            guard case .literal(let name) = rule.segments[segment] else {
                var child = nodes[node].firstChild
                while child >= 0 {
                    waiting.append((Int(child), segment + 1))
                    child = nodes[Int(child)].next
                }
                continue
            }
            guard nodes[node].kind == .object else { continue }
            let standing = index.members(named: name, of: node, in: self)
            if !standing.isEmpty {
                waiting += standing.map { ($0, segment + 1) }
            } else if let names = Selector.names(rule.segments[segment...]) {
                let made = make(names, rule.value, in: node, escapes)
                index.note(made, named: name, in: node)
            }
        }
    }

    /// Makes a member with all that leads to the value; returns the member.
    private mutating func make(
        _ names: [[UInt8]], _ value: ProfileDocument, in object: Int, _ escapes: OutputOptions.Escapes
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
    private mutating func copy(_ value: ProfileDocument, to node: Int, _ escapes: OutputOptions.Escapes) {
        var waiting = [(ProfileDocument.root, node)]
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

    /// The members that these rules add to an object that has none of them.
    static func additions(by rules: [SelectorTable.Default], _ output: OutputOptions) -> [Obligations.Addition] {
        var tree = ScopeTree()
        let root = tree.append(to: -1)
        tree.nodes[root].kind = .object
        tree.add(rules, to: root, output.escapes)
        var additions: [Obligations.Addition] = []
        var child = tree.nodes[root].firstChild
        while child >= 0 {
            var text = ByteBuffer()
            text.append(ASCII.comma)
            tree.writeMember(Int(child), output, into: &text)
            additions.append(.init(name: tree.name(of: Int(child)), text: Array(text)))
            child = tree.nodes[Int(child)].next
        }
        return additions
    }

    // MARK: Collisions

    /// Judges members whose output names are equal, in every object at or below `node`.
    ///
    /// Members with one input name stand and fall together: `first` is for the name that the first member bears, `last` for
    /// that of the last one. Answers the later member of each collision that the policy does not settle.
    mutating func settleCollisions(below node: Int, _ policy: ClashPolicy) -> [(later: Int, earlier: Int)] {
        guard policy != .keep else { return [] }
        text.padWithSlack()
        var collisions: [(later: Int, earlier: Int)] = []
        // From the outside in: what falls takes what it holds with it.
        for object in containersBottomUp(below: node).reversed() where nodes[object].kind == .object {
            guard holdsSharedName(object), stands(object) else { continue }
            settleCollisions(in: object, policy, &collisions)
        }
        return collisions
    }

    private mutating func settleCollisions(
        in object: Int, _ policy: ClashPolicy, _ collisions: inout [(later: Int, earlier: Int)]
    ) {
        // Two members that bear the name they have in the input do not collide: it is the name of a third that does it.
        var standing = NameTable(of: .output)
        var member = Int(nodes[object].firstChild)
        while member >= 0 {
            if !nodes[member].isUnchanged { _ = standing.insert(member, in: self) }
            member = Int(nodes[member].next)
        }
        guard !standing.isEmpty else { return }
        var next = Int(policy == .last ? nodes[object].lastChild : nodes[object].firstChild)
        while next >= 0 {
            let member = next
            next = Int(policy == .last ? nodes[member].previous : nodes[member].next)
            guard let slot = standing.find(member, in: self) else { continue }
            let winner = Int(standing[slot].holder)
            if winner < 0 {
                standing[slot].holder = Int32(member)
            } else if isSameInput(winner, member) {
                continue
            } else if policy == .error {
                collisions.append((member, winner))
            } else {
                remove(member)
            }
        }
    }

    /// Whether two members may have the same output name; for certain where there are few.
    private func holdsSharedName(_ object: Int) -> Bool {
        var count = 0
        var child = nodes[object].firstChild
        while child >= 0 {
            count += 1
            guard count <= Self.maxComparedMembers else { return true }
            var earlier = nodes[object].firstChild
            while earlier != child {
                if haveSameName(Int(earlier), Int(child)) { return true }
                earlier = nodes[Int(earlier)].next
            }
            child = nodes[Int(child)].next
        }
        return false
    }
}

extension PruneOptions {
    /// Whether a scalar's text is one that is taken out.
    func prunes(_ value: Span<UInt8>) -> Bool {
        switch value.count {
        case 2: emptyString && value[0] == ASCII.quote
        case 4: null && value[0] == ASCII.n
        default: false
        }
    }
}
