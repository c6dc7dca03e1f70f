import ConvertEngine
import Text

/// JSON in which the names of referenced schemas are not known yet.
indirect enum DescriptionTree: Hashable {
    case text([UInt8])
    case array([DescriptionTree])
    case object([Member])
    /// A reference to a schema of the graph. `written` is the reference in the original document.
    case reference(Int, written: [UInt8])
    /// The schemas below this container of the original document, and those that are put there.
    case definitions(NodeID?)

    struct Member: Hashable {
        var name: [UInt8]
        var value: DescriptionTree
        /// The schemas of the graph whose instances must be known exactly. Otherwise, the member gets the name
        /// `otherwise`; without one, it is left out.
        var needsExact: Set<Int> = []
        var otherwise: [UInt8]?
        /// Entries of `discriminator.mapping` are needed only if the schema got another name than this.
        var unlessNamed: [UInt8]?

        init(_ name: [UInt8], _ value: DescriptionTree) {
            self.name = name
            self.value = value
        }

        init(_ name: String, _ value: DescriptionTree) { self.init(Array(name.utf8), value) }
    }

    static func text(_ text: String) -> DescriptionTree { .text(Array(text.utf8)) }
    static func string(_ content: [UInt8]) -> DescriptionTree { .text(JSONText.quoted(content)) }
    static func strings(_ names: [[UInt8]]) -> DescriptionTree { .array(names.map { .string($0) }) }
    static func object(_ members: (String, DescriptionTree)...) -> DescriptionTree {
        .object(members.map { Member($0.0, $0.1) })
    }

    /// The schemas of the graph that it refers to.
    var references: Set<Int> {
        switch self {
        case .reference(let number, _): [number]
        case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.references) }
        case .object(let members): members.reduce(into: []) { $0.formUnion($1.value.references) }
        case .text, .definitions: []
        }
    }

    /// A schema without the definitions of others in it.
    var withoutDefinitions: DescriptionTree {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { if case .definitions = $0.value { false } else { true } })
    }

    /// Whether any JSON value fits this schema.
    var isAnything: Bool {
        switch self {
        case .text(let text): text == Array("true".utf8)
        case .object(let members): members.isEmpty
        default: false
        }
    }

    /// Whether everything that fits a schema of one type fits this one, as far as its keywords show.
    func covers(_ other: DescriptionTree) -> Bool {
        guard case .object(let mine) = self, case .object(let theirs) = other else { return isAnything }
        guard let type = mine.first(where: { $0.name == Array("type".utf8) }), theirs.contains(type),
            !theirs.contains(Member("nullable", .text("true")))
        else { return isAnything }
        return mine.allSatisfy {
            $0 == type || SchemaRewriter.isAnnotation(String(decoding: $0.name, as: UTF8.self))
        }
    }

    /// A schema for what fits one of these schemas.
    static func any(of choices: [DescriptionTree]) -> DescriptionTree {
        var different: [DescriptionTree] = []
        var known: Set<DescriptionTree> = []
        for choice in choices where known.insert(choice).inserted { different.append(choice) }
        if let anything = different.first(where: \.isAnything) { return anything }
        return different.count == 1 ? different[0] : .object(("anyOf", .array(different)))
    }
}

extension DescriptionSource {
    /// An object with a new value for each member, or without the member if that is nil. Any other value stays unchanged.
    func map(
        _ id: NodeID, _ transform: (String, NodeID) throws(DescriptionError) -> DescriptionTree?
    ) throws(DescriptionError) -> DescriptionTree {
        guard isObject(id) else { return .text(text(id)) }
        var mapped: [DescriptionTree.Member] = []
        for (name, value) in members(of: id) {
            guard let tree = try transform(String(decoding: name, as: UTF8.self), value) else { continue }
            mapped.append(DescriptionTree.Member(name, tree))
        }
        return .object(mapped)
    }
}

struct DescriptionWriter {
    private(set) var bytes: [UInt8] = []
    /// The text of a reference to a schema.
    let reference: (Int, _ written: [UInt8]) -> [UInt8]
    /// The final name of a schema.
    let name: (Int) -> [UInt8]
    /// Whether the instances of a schema are known exactly.
    let isExact: (Int) -> Bool
    /// The definitions of a container; nil if there are none, or not here.
    var definitions: (NodeID?) -> DescriptionTree? = { _ in nil }

    mutating func write(_ tree: DescriptionTree) {
        switch tree {
        case .text(let text): bytes += text
        case .reference(let schema, let written): bytes += JSONText.quoted(reference(schema, written))
        case .array(let elements):
            bytes.append(ASCII.openBracket)
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(ASCII.comma) }
                write(element)
            }
            bytes.append(ASCII.closeBracket)
        case .object(let members): write(members)
        case .definitions(let container):
            if let found = definitions(container) { write(found) } else { bytes += Array("{}".utf8) }
        }
    }

    private mutating func write(_ members: [DescriptionTree.Member]) {
        bytes.append(ASCII.openBrace)
        var isFirst = true
        for member in members {
            guard let name = finalName(of: member, among: members) else { continue }
            if !isFirst { bytes.append(ASCII.comma) }
            isFirst = false
            bytes += JSONText.quoted(name)
            bytes.append(ASCII.colon)
            write(member.value)
        }
        bytes.append(ASCII.closeBrace)
    }

    /// The name of a member; nil if it is left out.
    private func finalName(
        of member: DescriptionTree.Member, among members: [DescriptionTree.Member]
    ) -> [UInt8]? {
        if case .definitions(let container) = member.value, definitions(container) == nil { return nil }
        if let usual = member.unlessNamed, case .reference(let schema, _) = member.value, name(schema) == usual {
            return nil
        }
        // An object that has nothing but entries that are not needed.
        if case .object(let inner) = member.value, !inner.isEmpty, inner.allSatisfy({ isConditional($0) }),
            inner.allSatisfy({ finalName(of: $0, among: inner) == nil })
        {
            return nil
        }
        guard member.needsExact.allSatisfy(isExact) else {
            return member.otherwise.flatMap { name in members.contains { $0.name == name } ? nil : name }
        }
        return member.name
    }

    private func isConditional(_ member: DescriptionTree.Member) -> Bool {
        if case .definitions = member.value { true } else { member.unlessNamed != nil }
    }
}
