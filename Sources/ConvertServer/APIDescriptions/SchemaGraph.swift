import ConvertEngine
import Text

/// The schemas of a description that are referenced, once for each path at which it is.
///
/// Two copies of a schema have the same name if nothing in them differs. To find out, all copies of a schema begin in one group.
/// Groups are divided by the text of their members, until no group changes (partition refinement).
struct SchemaGraph {
    /// A schema of the document at one path.
    struct Key: Hashable {
        let target: NodeID
        /// Nil for what is not converted.
        let path: DescribedPath?

        /// Copies of schemas for responses come before those for requests, and these before unchanged ones.
        var precedence: Int { path?.side.kind.rawValue ?? 2 }
    }

    /// The most copies of all schemas.
    static let maxCopies = 50_000
    /// The most text that is compared to find the copies that are the same.
    static let maxComparedBytes = 256 * 1024 * 1024

    private let source: DescriptionSource
    private(set) var keys: [Key] = []
    private var numbers: [Key: Int] = [:]
    /// The rewritten schemas; there are fewer than `keys` as long as some wait.
    private var schemas: [RewrittenSchema] = []
    /// The container for definitions that were in no container.
    private let home: NodeID?
    private let containers: Set<NodeID>
    /// Whether the first copy is the whole document.
    var beginsWithRoot = false

    init(_ source: DescriptionSource, containers: [NodeID]) {
        self.source = source
        self.containers = Set(containers)
        home = containers.first
    }

    mutating func number(of key: Key) throws(DescriptionError) -> Int {
        if let known = numbers[key] { return known }
        guard keys.count < Self.maxCopies else {
            throw DescriptionError(
                at: source.pointer(key.target), "the profile needs more than \(Self.maxCopies) copies of schemas",
                hint: "use fewer paths in the profile")
        }
        numbers[key] = keys.count
        keys.append(key)
        return keys.count - 1
    }

    /// The next schema that waits to be rewritten.
    var next: Key? { schemas.count < keys.count ? keys[schemas.count] : nil }

    mutating func add(_ schema: RewrittenSchema) { schemas.append(schema) }

    /// All schemas of the document that are among the keys.
    var targets: Set<NodeID> { Set(keys.map(\.target)) }

    // MARK: Naming

    /// The schemas with their final names, by container, and those that are in no container of the document.
    func named() -> NamedSchemas {
        let inexact = inexactSchemas()
        let classes = equivalenceClasses(inexact)
        // The first member of each class, in the order of precedence.
        var first: [Int: Int] = [:]
        let order = keys.indices.sorted { (keys[$0].precedence, $0) < (keys[$1].precedence, $1) }
        var ofTarget: [NodeID: [Int]] = [:]
        for number in order where first[classes[number]] == nil {
            first[classes[number]] = number
            ofTarget[keys[number].target, default: []].append(number)
        }
        if beginsWithRoot, let rivals = ofTarget[JSONDocument.root] {
            let root = first[classes[0]] ?? 0
            ofTarget[JSONDocument.root] = [root] + rivals.filter { $0 != root }
        }
        var named = NamedSchemas(source, inexact: inexact, home: home)
        for container in containers {
            named.reserve(Set(source.members(of: container).map(\.name)), in: container)
        }
        for (target, copies) in ofTarget.sorted(by: { $0.key.index < $1.key.index }) {
            let isRoot = beginsWithRoot && target == JSONDocument.root
            let container = source[target].parent.flatMap { containers.contains($0) ? $0 : nil }
            for (index, copy) in copies.enumerated() {
                named.add(
                    schemas[copy].tree, copy, target, to: container,
                    as: isRoot && index == 0 ? .document : index == 0 && container != nil ? .original : .copy)
            }
        }
        for number in keys.indices { named.copies[number] = first[classes[number]] }
        return named
    }

    /// The schemas whose instances are not known exactly, because something in them could not be said.
    private func inexactSchemas() -> Set<Int> {
        var users: [Int: [Int]] = [:]
        for number in schemas.indices {
            for used in schemas[number].exactness.dependencies { users[used, default: []].append(number) }
        }
        var inexact = Set(schemas.indices.filter { !schemas[$0].exactness.isExact })
        var waiting = Array(inexact)
        while let number = waiting.popLast() {
            for user in users[number] ?? [] where inexact.insert(user).inserted { waiting.append(user) }
        }
        return inexact
    }

    /// For each schema, the number of its class: those that are written alike, with alike references.
    ///
    /// Schemas are compared again only if they refer to one whose class was split. Too much text to compare makes all
    /// schemas differ, so that some may be written twice.
    private func equivalenceClasses(_ inexact: Set<Int>) -> [Int] {
        var classes = keys.map(\.target.index)
        var members = Dictionary(grouping: keys.indices) { classes[$0] }
        var users = [[Int]](repeating: [], count: keys.count)
        for number in keys.indices {
            for used in schemas[number].tree.references { users[used].append(number) }
        }
        var writtenBytes = 0
        var known: [[UInt8]: Int] = [:]
        var texts = [Int](repeating: 0, count: keys.count)
        var nextClass = source.document.nodes.count
        var waiting = Set(keys.indices)
        while !waiting.isEmpty {
            // Those that are alone in their class are like no other.
            let compared = waiting.filter { (members[classes[$0]] ?? []).count > 1 }
            for number in compared {
                var writer = DescriptionWriter(
                    reference: { Array("#\(classes[$0])".utf8) + $1 }, name: { Array("#\(classes[$0])".utf8) },
                    isExact: { !inexact.contains($0) })
                writer.write(schemas[number].tree)
                writtenBytes += writer.bytes.count
                guard writtenBytes <= Self.maxComparedBytes else { return Array(keys.indices) }
                texts[number] = known[writer.bytes, default: known.count]
                known[writer.bytes] = texts[number]
            }
            waiting = []
            for split in Set(compared.map { classes[$0] }) {
                // The largest part keeps the number, because its users need no comparison then.
                let parts = Dictionary(grouping: members[split] ?? []) { texts[$0] }.values.sorted {
                    $0.count > $1.count
                }
                members[split] = parts.first
                for part in parts.dropFirst() {
                    members[nextClass] = part
                    for number in part {
                        classes[number] = nextClass
                        waiting.formUnion(users[number])
                    }
                    nextClass += 1
                }
            }
        }
        return classes
    }
}

struct NamedSchemas {
    enum Role {
        /// It is the whole document.
        case document
        /// It keeps its location and its name.
        case original
        /// It gets a name of its own.
        case copy
    }

    private let source: DescriptionSource
    private let inexact: Set<Int>
    private let home: NodeID?
    private var names: [Int: [UInt8]] = [:]
    private var references: [Int: [UInt8]] = [:]
    private var taken: [NodeID?: Set<[UInt8]>] = [:]
    /// For each schema of the graph, the one that is written for it.
    var copies: [Int: Int] = [:]
    /// The schemas of each container that belong to an original one, and the others.
    private var originals: [NodeID: [DescriptionTree.Member]] = [:]
    private var others: [DescriptionTree.Member] = []
    /// The document, if it is a schema among others.
    private(set) var documentTree: DescriptionTree?
    /// Where schemas without a container are written, for references.
    var homePointer = Array("#/$defs".utf8)

    init(_ source: DescriptionSource, inexact: Set<Int>, home: NodeID?) {
        self.source = source
        self.inexact = inexact
        self.home = home
    }

    mutating func reserve(_ names: Set<[UInt8]>, in container: NodeID) {
        taken[container, default: []].formUnion(names)
    }

    mutating func add(
        _ tree: DescriptionTree, _ number: Int, _ target: NodeID, to container: NodeID?, as role: Role
    ) {
        var name = Array("Root".utf8)
        if case .member(let key, _) = source[target].step { name = key }
        let owner = container ?? home
        switch role {
        case .document:
            names[number] = name
            references[number] = [ASCII.numberSign]
            documentTree = tree
            return
        case .original: break
        case .copy:
            if container == nil { name = Self.plain(name) }
            let wanted = name
            var count = 1
            while taken[owner, default: []].contains(name) {
                count += 1
                name = wanted + Array("_\(count)".utf8)
            }
        }
        taken[owner, default: []].insert(name)
        names[number] = name
        // Only the document itself contains the definitions.
        let member = DescriptionTree.Member(name, tree.withoutDefinitions)
        let path = owner.map { Array("#\(source.pointer($0))".utf8) } ?? homePointer
        references[number] = path + [ASCII.slash] + DescriptionSource.segment(of: name)
        if container == nil {
            others.append(member)
        } else {
            originals[target, default: []].append(member)
        }
    }

    /// A name that a component may have.
    private static func plain(_ name: [UInt8]) -> [UInt8] {
        let plain = name.map { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.underscore ? byte : ASCII.underscore
        }
        return plain.isEmpty ? Array("Schema".utf8) : plain
    }

    /// Writes the whole document. `container` are the containers of definitions in it, of which the first may be absent.
    func write(_ tree: DescriptionTree) -> [UInt8] {
        var writer = DescriptionWriter(
            reference: { number, written in
                let copy = copies[number] ?? number
                guard let reference = references[copy] else { return written }
                return isUnchanged(copy, written) ? written : reference
            },
            name: { names[copies[$0] ?? $0] ?? [] }, isExact: { !inexact.contains($0) }, definitions: definitions)
        writer.write(tree)
        return writer.bytes
    }

    /// Whether a reference as it was written still leads to this schema.
    private func isUnchanged(_ number: Int, _ written: [UInt8]) -> Bool {
        guard let reference = references[number] else { return true }
        if written == reference || written == names[number] { return true }
        guard written.first == ASCII.numberSign else { return false }
        return DescriptionSource.segments(of: written.dropFirst())
            == DescriptionSource.segments(of: reference.dropFirst())
    }

    private func definitions(_ container: NodeID?) -> DescriptionTree? {
        var members: [DescriptionTree.Member] = []
        if let container {
            members = source.members(of: container).flatMap { name, value in
                originals[value] ?? [DescriptionTree.Member(name, .text(source.text(value)))]
            }
        }
        if container == home { members += others }
        return members.isEmpty && container == nil ? nil : .object(members)
    }
}
