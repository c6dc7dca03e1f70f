import ConvertEngine
import Text

/// Rewrites schemas (JSON Schema 2020-12, or the dialect of OpenAPI 3.0) into those of the values that clients see.
///
/// Each schema is rewritten at a path in the payload, where the compiled plan says what it does. Where the new schema cannot
/// say exactly the same as before, it says less: what clients receive always fits it.
final class SchemaRewriter {
    typealias Kinds = ValueDescription.Kinds

    /// The most schemas that are rewritten, where a schema at two paths counts twice.
    static let maxSchemas = 1_000_000

    let source: DescriptionSource
    /// Whether `nullable` says that null fits, as in OpenAPI 3.0, instead of the type `null`.
    let usesNullable: Bool
    var graph: SchemaGraph
    private(set) var warnings: [DescriptionError] = []
    private var warned: Set<DescriptionError> = []
    private var knownKinds: [NodeID: Kinds] = [:]
    private var schemaCount = 0
    /// Whether a plan leaves all values at a path as they are.
    var knownToStay: [DescribedPath: Bool] = [:]
    /// The members that moves took out of schemas, by the index of the move; and the moves whose values were put elsewhere.
    var takenMoves: [Int: DescriptionError] = [:]
    var appliedMoves: Set<Int> = []

    init(_ source: DescriptionSource, usesNullable: Bool, graph: SchemaGraph) {
        self.source = source
        self.usesNullable = usesNullable
        self.graph = graph
    }

    /// Warns about a value of the description, or about one at a pointer in it.
    func warn(at id: NodeID, below pointer: String = "", _ message: String, rule: String? = nil) {
        let warning = DescriptionError(at: source.pointer(id) + pointer, message, rule: rule)
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
            if let path = key.path {
                graph.add(try rewrite(key.target, path))
            } else {
                graph.add(RewrittenSchema(try copy(key.target)))
            }
        }
    }

    /// Throws if a value was moved to where no schema could say it.
    func checkMoves() throws(DescriptionError) {
        let lost = takenMoves.filter { !appliedMoves.contains($0.key) }
        if let first = lost.min(by: { $0.key < $1.key }) { throw first.value }
    }

    /// Whether a keyword says nothing about the instances of a schema.
    static func isAnnotation(_ keyword: String) -> Bool { keyword.hasPrefix("x-") || annotations.contains(keyword) }

    private static let annotations: Set = [
        "title", "description", "deprecated", "readOnly", "writeOnly", "externalDocs", "xml", "$comment", "$schema",
        "$id", "$anchor", "default", "example", "examples",
    ]

    // MARK: Unchanged parts

    /// A copy of a part that is not converted. References lead to copies of schemas that are not converted, either.
    func copy(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        guard mayRefer(id) else { return .text(source.text(id)) }
        switch source[id].kind {
        case .array: return .array(try source[id].children.map(copy))
        case .object:
            return try source.map(id) { name, value throws(DescriptionError) in
                if name == "$ref", let reference = try copyReference(value) { return reference }
                guard name == "mapping", source.isObject(value) else { return try copy(value) }
                return try source.map(value) { _, entry throws(DescriptionError) in
                    try copyReference(entry) ?? .text(source.text(entry))
                }
            }
        default: return .text(source.text(id))
        }
    }

    /// Nil for anything but a reference to a schema.
    private func copyReference(_ id: NodeID) throws(DescriptionError) -> DescriptionTree? {
        guard let text = source.string(id), let target = try? schema(text, id) else { return nil }
        return try reference(to: target, nil, written: text)
    }

    /// A reference to what a schema becomes at a path; without one, to the unchanged schema.
    func reference(
        to target: NodeID, _ path: DescribedPath?, written: [UInt8]
    ) throws(DescriptionError) -> DescriptionTree {
        .reference(try graph.number(of: .init(target: target, path: path)), written: written)
    }

    private func mayRefer(_ id: NodeID) -> Bool {
        guard !source[id].children.isEmpty else { return false }
        let text = source.document.text[source[id].start..<source[id].end]
        return text.contains(ASCII.dollar) || text.contains(ASCII.numberSign)
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

    // MARK: Kinds

    /// The kinds of JSON values that a schema accepts, as far as its types say.
    func kinds(of id: NodeID) -> Kinds {
        // References can be a long chain, so the schemas wait in an array instead of on the stack.
        var waiting = [id]
        var entered: Set<NodeID> = []
        while let next = waiting.last {
            if knownKinds[next] != nil {
                waiting.removeLast()
            } else if entered.insert(next).inserted {
                waiting += inPlace(next).filter { knownKinds[$0] == nil && !entered.contains($0) }
            } else {
                knownKinds[next] = combinedKinds(of: next)
            }
        }
        return knownKinds[id] ?? .any
    }

    /// The schema that `$ref` leads to, and those of the compositions.
    private func inPlace(_ id: NodeID) -> [NodeID] {
        let parts = ["allOf", "anyOf", "oneOf"].flatMap { source.elements(of: source.member($0, of: id)) }
        return parts + referenced(id)
    }

    private func referenced(_ id: NodeID) -> [NodeID] { [try? source.referenced(by: id)].compactMap(\.self) }

    /// The kinds of a schema whose parts are known. A part that leads back to the schema may be of any kind.
    private func combinedKinds(of id: NodeID) -> Kinds {
        if source[id].kind == .boolean(false) { return [] }
        guard source.isObject(id) else { return .any }
        var kinds = ownKinds(of: id)
        let required = source.elements(of: source.member("allOf", of: id)) + referenced(id)
        for part in required { kinds.formIntersection(knownKinds[part] ?? .any) }
        for name in ["anyOf", "oneOf"] {
            let choices = source.elements(of: source.member(name, of: id))
            guard !choices.isEmpty else { continue }
            kinds.formIntersection(choices.reduce(into: []) { $0.formUnion(knownKinds[$1] ?? .any) })
        }
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

    private static func kinds(named name: String) -> Kinds { Kinds.named.first { $0.name == name }?.kinds ?? .any }

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

extension ValueDescription.Kinds {
    /// The types of JSON Schema, in the order in which they are written.
    static let named: [(name: String, kinds: Self)] = [
        ("string", .string), ("number", .number), ("integer", .integer), ("boolean", .boolean), ("array", .array),
        ("object", .object), ("null", .null),
    ]
}
