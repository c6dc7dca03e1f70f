import ConvertText

/// `defaults`: members that are added where they are absent. The result is as if one rule after another went through the tree.
extension HeldTree {
    /// A container to which rules lead, visited once for all of them. A member that a rule adds is visited for the later rules.
    private struct Visit {
        let container: Int32
        /// The positions of the rules that lead here. Only rules after `rule` apply.
        let positions: [Int32]
        let rule: Int32
    }

    /// Applies the rules at these positions to the root and everything below, until the tree has grown beyond `maxBytes`.
    ///
    /// - Parameter names: numbers of keys that are not added to the root itself.
    mutating func addDefaults(
        _ defaults: DefaultTree, at positions: [Int32], without names: Set<Int32> = [], maxBytes: Int
    ) {
        guard !positions.isEmpty else { return }
        var waiting = [Visit(container: Int32(Self.root), positions: positions, rule: -1)]
        while let visit = waiting.popLast() {
            let container = Int(visit.container)
            let isObject = nodes[container].kind == .object
            let adds = isObject && defaults.addsMembers(at: visit.positions)
            var present = container == Self.root ? names : []
            let behindAnyOne = defaults.positions(behindAnyOneOf: visit.positions, after: visit.rule)
            var child = nodes[container].firstChild
            while child >= 0 {
                var following = behindAnyOne
                if isObject, let name = number(of: Int(child), in: defaults.pointers.names) {
                    if adds { present.insert(name) }
                    following += defaults.positions(behind: name, of: visit.positions, after: visit.rule)
                }
                if !following.isEmpty, nodes[Int(child)].kind != .scalar {
                    waiting.append(Visit(container: child, positions: following, rule: visit.rule))
                }
                child = nodes[Int(child)].next
            }
            guard adds else { continue }
            let additions = defaults.additions(at: visit.positions, after: visit.rule) { !present.contains($0) }
            for addition in additions {
                guard grownBytes <= maxBytes else { return }
                let rule = addition.rule
                let made = make(defaults.names(of: addition), defaults.rules[Int(rule)].value, in: container)
                nodes[made].addition = Int(rule)
                let following =
                    defaults.positions(behindAnyOneOf: visit.positions, after: rule)
                    + defaults.positions(behind: addition.name, of: visit.positions, after: rule)
                guard !following.isEmpty, nodes[made].kind != .scalar else { continue }
                waiting.append(Visit(container: Int32(made), positions: following, rule: rule))
            }
        }
    }

    /// The number of a member's output key; nil if no rule has this key.
    private func number(of member: Int, in names: MemberNames) -> Int32? {
        names.mayHold(nameOf: member, in: self) ? names[name(of: member)] : nil
    }

    /// Makes a member with its value and all objects on the path to the value. Returns the member.
    private mutating func make(_ names: [[UInt8]], _ value: JSONDocument, in object: Int) -> Int {
        let member = nodes.count
        var node = object
        for name in names {
            node = make(named: name, in: node)
            nodes[node].kind = .object
        }
        copy(value, to: node)
        return member
    }

    /// Copies a value of the profile into a node.
    private mutating func copy(_ value: JSONDocument, to node: Int) {
        var waiting = [(JSONDocument.root, node)]
        while let (source, node) = waiting.popLast() {
            switch value[source].kind {
            case .object: nodes[node].kind = .object
            case .array: nodes[node].kind = .array
            case .string(let content):
                let start = text.count
                JSONText.appendQuoted(content, to: &text)
                nodes[node].kind = .scalar
                nodes[node].setValue(start: start, count: text.count - start)
            case .null, .boolean, .number: setValue(of: node, to: value.source(of: source).span)
            }
            for child in value[source].children {
                switch value[child].step {
                case .member(let name, _): waiting.append((child, make(named: name, in: node)))
                default: waiting.append((child, append(to: Int32(node))))
                }
            }
        }
    }
}
