/// `defaults`: members that are added, rule by rule, where their places are absent.
extension HeldTree {
    /// Adds what these rules say, from the segments on that come next, below a node, until the tree has grown beyond `maxBytes`.
    mutating func addDefaults(
        _ items: [PathAutomaton.Item], of selectors: SelectorTable, _ escapes: OutputOptions.Escapes,
        below top: Int = root,
        maxBytes: Int = .max
    ) {
        var index = MemberIndex()
        for item in items {
            let rule = selectors.defaults[item.pattern]
            // Nodes that the rule has still to go to, each with the number of segments that led there.
            var waiting = [(node: top, segment: item.segment)]
            while let (node, segment) = waiting.popLast() {
                guard grownBytes <= maxBytes else { return }
                guard segment < rule.segments.count else { continue }
                guard case .literal(let name) = rule.segments[segment] else {
                    waiting += children(of: node).reversed().map { ($0, segment + 1) }
                    continue
                }
                guard nodes[node].kind == .object else { continue }
                let members = index.members(named: name, selectors.defaultNames, of: node, in: self)
                waiting += members.reversed().map { (Int($0), segment + 1) }
                guard members.isEmpty, let names = Selector.names(rule.segments[segment...]) else { continue }
                let made = make(names, rule.value, in: node, escapes)
                index.note(made, named: name, selectors.defaultNames, in: node)
            }
        }
    }

    /// Makes a member with all that leads to the value; returns the member.
    private mutating func make(
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
                JSONText.appendSpelling(of: content.span, to: &text, escapes)
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
