/// How well a schema for clients, or a part of one, is known.
struct Exactness {
    /// Whether exactly the instances of the original schema become instances of this one, as far as the schemas in
    /// `dependencies` do. Otherwise others may, too.
    var isExact = true
    /// The schemas of the graph on which that depends.
    var dependencies: Set<Int> = []

    /// Makes this no more exact than a part of it.
    mutating func limit(to part: Exactness) {
        isExact = isExact && part.isExact
        dependencies.formUnion(part.dependencies)
    }
}

/// A schema for what clients see.
struct RewrittenSchema {
    var tree: DescriptionTree
    var exactness: Exactness

    init(_ tree: DescriptionTree, _ exactness: Exactness = Exactness()) {
        self.tree = tree
        self.exactness = exactness
    }

    /// A schema for what fits one of the parts. Nil is a part of the original schema that is left out.
    init(anyOf parts: [RewrittenSchema?]) {
        let kept = parts.compactMap(\.self)
        self.init(kept.isEmpty ? .text("false") : .any(of: kept.map(\.tree)))
        exactness.isExact = kept.count == parts.count
        for part in kept { exactness.limit(to: part.exactness) }
    }
}

/// The members of a schema that is being rewritten.
struct SchemaMembers {
    /// The original schema, and the value that it is about.
    let id: NodeID
    let path: DescribedPath
    var members: [DescriptionTree.Member] = []
    var exactness = Exactness()

    mutating func add(_ name: String, _ tree: DescriptionTree) {
        members.append(DescriptionTree.Member(name, tree))
    }

    mutating func add(_ name: [UInt8], _ tree: DescriptionTree) {
        members.append(DescriptionTree.Member(name, tree))
    }

    /// Adds a member that is no more exact than its schema.
    mutating func add(_ name: String, _ part: RewrittenSchema) {
        exactness.limit(to: part.exactness)
        add(name, part.tree)
    }

    /// Adds a member that is true only if the part is known exactly.
    mutating func add(
        _ name: String, _ tree: DescriptionTree, ifExact part: Exactness, otherwise: String? = nil
    ) {
        exactness.limit(to: part)
        guard part.isExact else {
            if let otherwise, !members.contains(where: { $0.name == Array(otherwise.utf8) }) { add(otherwise, tree) }
            return
        }
        var member = DescriptionTree.Member(name, tree)
        member.needsExact = part.dependencies
        member.otherwise = otherwise.map { Array($0.utf8) }
        members.append(member)
    }

    /// Leaves out what is about values that no other keyword describes, unless the others describe the same as before.
    mutating func dropUnevaluatedUnlessExact() {
        for name in ["unevaluatedProperties", "unevaluatedItems"] {
            guard let index = members.firstIndex(where: { $0.name == Array(name.utf8) }) else { continue }
            if exactness.isExact {
                members[index].needsExact = exactness.dependencies
            } else {
                members.remove(at: index)
            }
        }
    }

    func contains(_ name: String) -> Bool { members.contains { $0.name == Array(name.utf8) } }

    var schema: RewrittenSchema { RewrittenSchema(.object(members), exactness) }
}
