import ConvertEngine
import Text

/// Rewrites schemas (JSON Schema 2020-12, or the dialect of OpenAPI 3.0) into those of the values that clients see.
///
/// Each schema is rewritten at a place in the payload, where the compiled plan says what it does. Where the new schema cannot
/// say exactly the same as before, it says less: what clients receive always fits it.
final class SchemaRewriter {
    typealias NodeID = JSONDocument.NodeID
    typealias Kinds = ValueDescription.Kinds

    /// The most schemas that are rewritten, where a schema at two places counts twice.
    static let maxSchemas = 1_000_000

    let source: DescriptionSource
    /// Whether `nullable` says that null fits, as in OpenAPI 3.0, instead of the type `null`.
    let usesNullable: Bool
    var graph: SchemaGraph
    private(set) var warnings: [DescriptionError] = []
    private var warned: Set<DescriptionError> = []
    private var knownKinds: [NodeID: Kinds] = [:]
    private var schemaCount = 0
    private var parts: Set<NodeID>?
    /// The members that moves took out of schemas, by the index of the move; and the moves whose values were put elsewhere.
    var takenMoves: [Int: DescriptionError] = [:]
    var placedMoves: Set<Int> = []

    init(_ source: DescriptionSource, usesNullable: Bool, graph: SchemaGraph) {
        self.source = source
        self.usesNullable = usesNullable
        self.graph = graph
    }

    func warn(_ warning: DescriptionError) {
        if warned.insert(warning).inserted { warnings.append(warning) }
    }

    /// Counts a schema, of which there may be many copies.
    func count(_ id: NodeID) throws(DescriptionError) {
        schemaCount += 1
        guard schemaCount <= Self.maxSchemas else {
            throw DescriptionError(
                at: source.pointer(id), "the profile needs more than \(Self.maxSchemas) schemas and copies of schemas",
                hint: "use fewer paths in the profile")
        }
    }

    /// Rewrites all schemas that references lead to.
    func rewriteReferenced() throws(DescriptionError) {
        while let key = graph.next {
            if let side = key.place.side, let place = key.place.place {
                graph.add(try rewrite(key.target, side, place))
            } else {
                graph.add(RewrittenSchema(try copy(key.target)))
            }
        }
    }

    /// Throws if a value was moved to where no schema could say it.
    func checkMoves() throws(DescriptionError) {
        let lost = takenMoves.filter { !placedMoves.contains($0.key) }
        if let first = lost.min(by: { $0.key < $1.key }) { throw first.value }
    }

    // MARK: Unchanged parts

    /// A copy of a part that is not converted. References lead to copies of schemas that are not converted, either.
    func copy(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        guard mayRefer(id) else { return .text(source.text(id)) }
        switch source[id].kind {
        case .array:
            var elements: [DescriptionTree] = []
            for element in source[id].children { elements.append(try copy(element)) }
            return .array(elements)
        case .object:
            var members: [DescriptionTree.Member] = []
            for (name, value) in source.members(of: id) {
                if name == Keyword.reference, let text = source.string(value), let target = try? schema(text, value) {
                    let number = try graph.number(of: .init(target: target, place: .unchanged))
                    members.append(DescriptionTree.Member(name, .reference(number, written: text)))
                } else if name == Array("mapping".utf8), source.isObject(value) {
                    members.append(DescriptionTree.Member(name, try copyMapping(value)))
                } else {
                    members.append(DescriptionTree.Member(name, try copy(value)))
                }
            }
            return .object(members)
        default: return .text(source.text(id))
        }
    }

    private func copyMapping(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        var members: [DescriptionTree.Member] = []
        for (name, value) in source.members(of: id) {
            guard let text = source.string(value), let target = try? schema(text, value) else {
                members.append(DescriptionTree.Member(name, .text(source.text(value))))
                continue
            }
            let number = try graph.number(of: .init(target: target, place: .unchanged))
            members.append(DescriptionTree.Member(name, .reference(number, written: text)))
        }
        return .object(members)
    }

    private func mayRefer(_ id: NodeID) -> Bool {
        guard !source[id].children.isEmpty else { return false }
        let node = source[id]
        return source.document.text[node.start..<source.document.end(of: id)].contains(ASCII.dollar)
            || source.document.text[node.start..<source.document.end(of: id)].contains(ASCII.numberSign)
    }

    /// The schema that a reference leads to; nil for one that leads to something else, such as a response.
    private func schema(_ reference: [UInt8], _ id: NodeID) throws(DescriptionError) -> NodeID? {
        guard reference.first == ASCII.numberSign else { return nil }
        let segments = DescriptionSource.segments(of: reference.dropFirst())
        if segments.first == Array("components".utf8) {
            guard segments.count > 2, segments[1] == Array("schemas".utf8) else { return nil }
        } else if segments.first == Array("paths".utf8) {
            guard segments.contains(Array("schema".utf8)) else { return nil }
        }
        return try source.target(of: reference, at: id)
    }

    /// Whether other schemas describe the same values, by `allOf` and the like.
    func isPartOfOther(_ id: NodeID) -> Bool {
        if parts == nil { parts = foundParts() }
        return parts?.contains(id) == true
            || ["allOf", "anyOf", "oneOf", "$ref"].contains { source.member($0, of: id) != nil }
    }

    private func foundParts() -> Set<NodeID> {
        var parts: Set<NodeID> = []
        for index in source.document.nodes.indices {
            let id = NodeID(index: index)
            guard source.isObject(id) else { continue }
            for name in ["allOf", "anyOf", "oneOf"] {
                for part in source.elements(of: source.member(name, of: id)) {
                    let reference = source.member("$ref", of: part)
                    let target = source.string(reference).flatMap { try? source.target(of: $0, at: part) }
                    parts.insert(target ?? part)
                }
            }
        }
        return parts
    }

    // MARK: Kinds

    /// The kinds of JSON values that a schema accepts, as far as its types say.
    func kinds(of id: NodeID) -> Kinds {
        var visiting: Set<NodeID> = []
        return kinds(of: id, &visiting)
    }

    private func kinds(of id: NodeID, _ visiting: inout Set<NodeID>) -> Kinds {
        if let known = knownKinds[id] { return known }
        if source[id].kind == .boolean(false) { return [] }
        guard source.isObject(id), visiting.insert(id).inserted else { return .any }
        var kinds = ownKinds(of: id)
        if let text = source.string(source.member("$ref", of: id)), let target = try? source.target(of: text, at: id) {
            kinds.formIntersection(self.kinds(of: target, &visiting))
        }
        for part in source.elements(of: source.member("allOf", of: id)) {
            kinds.formIntersection(self.kinds(of: part, &visiting))
        }
        for name in ["anyOf", "oneOf"] {
            let choices = source.elements(of: source.member(name, of: id))
            guard !choices.isEmpty else { continue }
            var union: Kinds = []
            for choice in choices { union.formUnion(self.kinds(of: choice, &visiting)) }
            kinds.formIntersection(union)
        }
        visiting.remove(id)
        knownKinds[id] = kinds
        return kinds
    }

    /// The kinds that the schema's own `type`, `enum` and `const` say.
    func ownKinds(of id: NodeID) -> Kinds {
        var kinds = Kinds.any
        if let type = source.member("type", of: id) {
            let names = source.string(type).map { [$0] } ?? source.strings(type)
            kinds = names.reduce(into: []) { $0.formUnion(Self.kinds(named: String(decoding: $1, as: UTF8.self))) }
            if usesNullable, source.isTrue(source.member("nullable", of: id)) { kinds.insert(.null) }
        }
        if let values = source.member("enum", of: id) {
            let found = source.elements(of: values).reduce(into: Kinds()) { $0.formUnion(kind(of: $1)) }
            kinds.formIntersection(found)
        }
        if let value = source.member("const", of: id) { kinds.formIntersection(kind(of: value)) }
        return kinds
    }

    private static func kinds(named name: String) -> Kinds {
        switch name {
        case "null": .null
        case "boolean": .boolean
        case "integer": .integer
        case "number": .number
        case "string": .string
        case "array": .array
        case "object": .object
        default: .any
        }
    }

    private func kind(of value: NodeID) -> Kinds { Self.kind(of: source[value].kind) }

    static func kind(of kind: JSONDocument.Kind) -> Kinds {
        switch kind {
        case .null: .null
        case .boolean: .boolean
        case .number(let text): text.contains { !ASCII.isDigit($0) && $0 != ASCII.minus } ? .number : .integer
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

/// Names in schemas that are compared as bytes.
enum Keyword {
    static let reference = Array("$ref".utf8)

    /// Whether a keyword says nothing about the instances of a schema.
    static func isAnnotation(_ name: String) -> Bool {
        name.hasPrefix("x-")
            || [
                "title", "description", "deprecated", "readOnly", "writeOnly", "externalDocs", "xml", "$comment",
                "$schema", "$id", "$anchor",
            ].contains(name)
    }
}
