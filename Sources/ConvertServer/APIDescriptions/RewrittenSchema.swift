/// How well a schema for clients, or a part of one, is known.
protocol ExactnessTracking {
    /// Whether exactly the instances of the original schema become instances of this one, as far as the schemas in
    /// `dependencies` do. Otherwise others may, too.
    var isExact: Bool { get set }
    /// The schemas of the graph on which that depends.
    var dependencies: Set<Int> { get set }
}

extension ExactnessTracking {
    /// Makes this no more exact than a part of it.
    mutating func limitExactness(to part: some ExactnessTracking) {
        isExact = isExact && part.isExact
        dependencies.formUnion(part.dependencies)
    }
}

/// The exactness of several keywords together.
struct Exactness: ExactnessTracking {
    var isExact = true
    var dependencies: Set<Int> = []
}

/// A schema for what clients see.
struct RewrittenSchema: ExactnessTracking {
    var tree: DescriptionTree
    var isExact: Bool
    var dependencies: Set<Int>

    init(_ tree: DescriptionTree, isExact: Bool = true, dependencies: Set<Int> = []) {
        self.tree = tree
        self.isExact = isExact
        self.dependencies = dependencies
    }
}

/// The members of a schema that is being rewritten.
struct SchemaMembers: ExactnessTracking {
    var members: [DescriptionTree.Member] = []
    var isExact = true
    var dependencies: Set<Int> = []

    mutating func add(_ name: String, _ tree: DescriptionTree) {
        members.append(DescriptionTree.Member(name, tree))
    }

    mutating func add(_ name: [UInt8], _ tree: DescriptionTree) {
        members.append(DescriptionTree.Member(name, tree))
    }

    /// Adds a member that is true only if the part is known exactly.
    mutating func add(
        _ name: String, _ tree: DescriptionTree, ifExact part: some ExactnessTracking, otherwise: String? = nil
    ) {
        limitExactness(to: part)
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
            if isExact { members[index].needsExact = dependencies } else { members.remove(at: index) }
        }
    }

    func contains(_ name: String) -> Bool { members.contains { $0.name == Array(name.utf8) } }

    var schema: RewrittenSchema { .init(.object(members), isExact: isExact, dependencies: dependencies) }
}
