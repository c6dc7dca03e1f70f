/// Which members stand: duplicates, `prune`, `defaults` and collisions.
extension ScopeTree {
    /// The most members that are compared one by one; of larger objects the names are hashed.
    private static let maxComparedMembers = 16

    /// Leaves of the members with one input name only the last, in every object.
    mutating func removeEarlierDuplicates() {
        var thinned: [Int] = []
        for object in 0..<nodes.count where nodes[object].kind == .object && !nodes[object].isGone {
            let members = children(of: object)
            var hasDuplicates = false
            if members.count <= Self.maxComparedMembers {
                for (position, member) in members.enumerated() {
                    for earlier in members[..<position] where isSameInput(earlier, member) {
                        nodes[earlier].isGone = true
                        hasDuplicates = true
                    }
                }
            } else {
                var last: [[UInt8]: Int] = [:]
                for member in members {
                    guard let earlier = last.updateValue(member, forKey: inputName(of: member)) else { continue }
                    nodes[earlier].isGone = true
                    hasDuplicates = true
                }
            }
            guard hasDuplicates else { continue }
            unlinkGone(in: object)
            thinned.append(object)
        }
        for object in thinned where !nodes[object].isGone { removeIfNothingFound(from: object) }
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
        var removesSome = false
        for node in 1..<max(nodes.count, 1) where nodes[node].isVoid {
            nodes[node].isGone = true
            removesSome = true
        }
        guard removesSome else { return }
        for container in 0..<nodes.count where nodes[container].firstChild >= 0 { unlinkGone(in: container) }
    }

    // MARK: Prune

    /// Takes out what `options` name, bottom up; `node` itself stays.
    mutating func prune(below node: Int, _ options: PruneOptions) {
        for container in containersBottomUp(below: node) {
            guard nodes[container].kind == .object || options.inArrays else { continue }
            var prunesSome = false
            var child = nodes[container].firstChild
            while child >= 0 {
                if isPruned(Int(child), options) {
                    nodes[Int(child)].isGone = true
                    prunesSome = true
                }
                child = nodes[Int(child)].next
            }
            if prunesSome { unlinkGone(in: container) }
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
        var waiting = [node]
        while let container = waiting.popLast() {
            guard nodes[container].kind != .scalar, !nodes[container].isQuoted else { continue }
            topDown.append(container)
            var child = nodes[container].firstChild
            while child >= 0 {
                waiting.append(Int(child))
                child = nodes[Int(child)].next
            }
        }
        return topDown.reversed()
    }

    // MARK: Defaults

    /// Adds each default, in order, where its place is absent; the segments lead from `node` on.
    mutating func add(_ rules: [SelectorTable.Default], to node: Int, _ escapes: OutputOptions.Escapes) {
        var index = MemberIndex(forRules: rules.count)
        for rule in rules { add(rule, to: node, escapes, &index) }
    }

    private mutating func add(
        _ rule: SelectorTable.Default, to start: Int, _ escapes: OutputOptions.Escapes, _ index: inout MemberIndex
    ) {
        var waiting = [(node: start, segment: 0)]
        while let (node, segment) = waiting.popLast() {
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
                nodes[node].kind = .scalar
                nodes[node].valueStart = text.count
                text.append(ASCII.quote)
                JSONText.appendSpelling(of: content.span, to: &text, escapes == .ascii ? .ascii : .minimal)
                text.append(ASCII.quote)
                nodes[node].valueCount = text.count - nodes[node].valueStart
            case .null, .boolean, .number:
                nodes[node].kind = .scalar
                nodes[node].valueStart = text.count
                text.append(value.source(of: source))
                nodes[node].valueCount = text.count - nodes[node].valueStart
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
        var collisions: [(later: Int, earlier: Int)] = []
        // From the outside in: what falls takes what it holds with it.
        for object in containersBottomUp(below: node).reversed() where nodes[object].kind == .object {
            guard holdsSharedName(object), stands(object) else { continue }
            var standing: [[UInt8]: Int] = [:]
            let members = children(of: object)
            for member in policy == .last ? members.reversed() : members {
                let name = name(of: member)
                guard let winner = standing[name] else {
                    standing[name] = member
                    continue
                }
                guard !isSameInput(winner, member) else { continue }
                if policy == .error { collisions.append((member, winner)) } else { nodes[member].isGone = true }
            }
            unlinkGone(in: object)
        }
        return collisions
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
