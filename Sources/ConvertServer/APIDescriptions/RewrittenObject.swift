import ConvertEngine

/// The keywords of a schema about the members of objects, as they are rewritten together.
struct RewrittenObject {
    struct Property {
        let name: [UInt8]
        var schema: DescriptionTree
        var isRequired: Bool
        /// The original schema, if there is one.
        let source: NodeID?
    }

    /// How the schema of values that are put into an object goes together with that of a property with its key.
    enum Combination {
        /// They describe the same objects.
        case both
        /// Each value fits one of them.
        case either
        /// No schema says it.
        case anything
    }

    private(set) var properties: [Property] = []
    /// The output keys of the required members, in the order of the original schema.
    var order: [[UInt8]] = []
    /// Required keys that are not among the properties.
    var otherRequired: [[UInt8]] = []
    /// Whether the original schema has `properties`.
    var hasProperties = false
    /// The rewritten `additionalProperties` and `patternProperties`; nil if there are none.
    var additional: DescriptionTree?
    var patterns: DescriptionTree?
    /// Whether members may be there that the original schema does not allow.
    var isOpen = false
    var exactness = Exactness()
    /// The keys that several properties get.
    private(set) var collisions: [[UInt8]] = []
    private var indices: [[UInt8]: Int] = [:]

    /// Adds a property. One that has the key already can then be either of them.
    mutating func add(
        _ name: [UInt8], _ schema: DescriptionTree, isRequired: Bool, from source: NodeID? = nil
    ) {
        guard let index = indices[name] else {
            indices[name] = properties.count
            properties.append(Property(name: name, schema: schema, isRequired: isRequired, source: source))
            return
        }
        if properties[index].schema != schema { exactness.isExact = false }
        properties[index].schema = .any(of: [properties[index].schema, schema])
        properties[index].isRequired = properties[index].isRequired || isRequired
        collisions.append(name)
    }

    subscript(name: [UInt8]) -> Property? { indices[name].map { properties[$0] } }

    /// Adds a property at a path of keys. Objects on the path that are not there yet are made.
    mutating func add(
        at path: [[UInt8]], _ schema: DescriptionTree, isRequired: Bool, mayVanish: Bool = false,
        _ combination: Combination = .both
    ) {
        guard let first = path.first else { return }
        let isRequired = isRequired && !mayVanish
        guard path.count > 1 else { return add(first, schema, isRequired: isRequired) }
        // An object that the payload has may be empty.
        let isMade = indices[first].map { properties[$0].source == nil } ?? true
        let inner = DescriptionTree.nested(
            path.dropFirst(), schema, isRequired: isRequired, mayVanish: mayVanish || !isMade)
        guard let index = indices[first] else { return add(first, inner, isRequired: isRequired) }
        let own = properties[index].schema
        guard !own.isAnything else { return }
        switch isMade ? .both : combination {
        case .both: properties[index].schema = own.merged(with: inner)
        case .either: properties[index].schema = .any(of: [own, inner])
        case .anything: properties[index].schema = .object([DescriptionTree.Member]())
        }
    }

    /// Says that a property is always there, because a value is added if it is missing.
    mutating func require(_ name: [UInt8], orAdd value: DescriptionTree?) {
        guard let index = indices[name], !properties[index].isRequired else { return }
        properties[index].isRequired = true
        if let value { properties[index].schema = .any(of: [properties[index].schema, value]) }
    }

    /// The required keys, those of the original schema in its order.
    var required: [[UInt8]] {
        let needed = Set(properties.filter(\.isRequired).map(\.name) + otherRequired)
        var names: [[UInt8]] = []
        var known: Set<[UInt8]> = []
        for name in order where needed.contains(name) && known.insert(name).inserted { names.append(name) }
        return names + properties.filter { $0.isRequired && !known.contains($0.name) }.map(\.name)
    }
}

extension DescriptionTree {
    /// An object with one member at a path.
    static func nested(
        _ path: ArraySlice<[UInt8]>, _ schema: DescriptionTree, isRequired: Bool, mayVanish: Bool
    ) -> DescriptionTree {
        guard let name = path.first else { return schema }
        let inner = nested(path.dropFirst(), schema, isRequired: isRequired, mayVanish: mayVanish)
        var members: [Member] = [
            Member("type", .text("\"object\"")), Member("properties", .object([Member(name, inner)])),
        ]
        // The object is made for what is moved into it. Only `prune` can empty it again.
        if isRequired {
            members.append(Member("required", .strings([name])))
        } else if !mayVanish {
            members.append(Member("minProperties", .text("1")))
        }
        return .object(members)
    }

    /// A schema of objects that have the properties of both.
    func merged(with other: DescriptionTree) -> DescriptionTree {
        guard case .object(var members) = self, case .object(let added) = other,
            let mine = members.firstIndex(where: { $0.name == Array("properties".utf8) }),
            let theirs = added.first(where: { $0.name == Array("properties".utf8) }),
            case .object(var properties) = members[mine].value, case .object(let more) = theirs.value
        else { return .object(("allOf", .array([self, other]))) }
        for property in more {
            if let index = properties.firstIndex(where: { $0.name == property.name }) {
                properties[index].value = properties[index].value.merged(with: property.value)
            } else {
                properties.append(property)
            }
        }
        members[mine].value = .object(properties)
        // The object is not empty if it is made only for values that stay.
        let present = ["required", "minProperties"].map { Array($0.utf8) }
        if !added.contains(where: { present.contains($0.name) }) { members.removeAll { $0.name == present[1] } }
        return .object(members)
    }
}
