/// What is done with a tree at once, where nobody waits for anything else.
extension ScopeTree {
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

    /// Takes out what other rules have left out.
    mutating func removeVoid() {
        var (next, steps) = (ScopeTree.root + 1, Int.max)
        _ = removeVoid(from: &next, &steps)
    }

    /// Moves values as the plan says; answers those whose new parent is no object.
    mutating func move(by plan: Plan) -> [Int] {
        var mover = ScopeMover()
        var steps = Int.max
        _ = mover.work(on: &self, plan, &steps)
        return (0..<mover.misplaced.count).map { Int(mover.misplaced[$0].node) }
    }

    /// Takes out what `options` name, bottom up; `node` itself stays.
    mutating func prune(below node: Int, _ options: PruneOptions) {
        var pruner = ScopePruner()
        var steps = Int.max
        pruner.begin(below: node)
        _ = pruner.work(on: &self, options, &steps)
    }

    /// Adds these defaults, from the segments on that come next, where their places are absent below the root.
    mutating func add(
        _ items: [PathStates.Item], of selectors: SelectorTable, _ escapes: OutputOptions.Escapes
    ) {
        var adder = DefaultAdder()
        var steps = Int.max
        adder.begin(items)
        _ = adder.work(on: &self, below: Self.root, selectors, escapes, &steps)
    }

    /// The members that these defaults add to an object that has none of them.
    static func additions(
        by items: [PathStates.Item], of selectors: SelectorTable, _ output: OutputOptions
    ) -> [Obligations.Addition] {
        var tree = ScopeTree()
        let root = tree.append(to: -1)
        tree.nodes[root].kind = .object
        tree.add(items, of: selectors, output.escapes)
        return tree.children(of: root).map { child in
            var text = ByteBuffer()
            text.append(ASCII.comma)
            tree.writeMember(child, output, into: &text)
            return .init(name: tree.name(of: child), text: Array(text))
        }
    }

    /// Judges members whose output names are equal, in every object at or below `node`; answers the later member of each collision
    /// that the policy does not settle.
    mutating func settleCollisions(below node: Int, _ policy: ClashPolicy) -> [Int] {
        guard policy != .keep else { return [] }
        text.padWithSlack()
        var settler = CollisionSettler()
        var steps = Int.max
        settler.begin(below: node)
        _ = settler.work(on: &self, policy, &steps)
        return (0..<settler.collisions.count).map { Int(settler.collisions[$0].later) }
    }

    /// Appends a node's value, minified, with members and escapes as `options` say.
    mutating func writeValue(_ node: Int, _ options: OutputOptions, into output: inout ByteBuffer) {
        text.padWithSlack()
        var writer = ScopeWriter()
        writer.begin(node, options, in: self, into: &output)
        writer.write(&self, upTo: .max, into: &output)
    }

    /// Appends quoted name, colon and value of a member, minified.
    mutating func writeMember(_ node: Int, _ options: OutputOptions, into output: inout ByteBuffer) {
        text.padWithSlack()
        output.append(ASCII.quote)
        output.append(text, from: nodes[node].nameStart, length: nodes[node].nameCount)
        output.append(ASCII.quote)
        output.append(ASCII.colon)
        writeValue(node, options, into: &output)
    }
}
