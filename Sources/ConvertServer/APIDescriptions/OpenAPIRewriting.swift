import ConvertEngine
import HTTPSemantics
import Text

/// Rewrites an OpenAPI document: the media types of the operations and of the components that they refer to.
///
/// Only JSON is converted. Parameters, headers, callbacks and webhooks stay as they are: the gateway does not convert them.
final class OpenAPIRewriting {
    typealias Member = DescriptionTree.Member

    let source: DescriptionSource
    let rewriter: SchemaRewriter
    /// The container of shared schemas, if there is one.
    private let schemas: [NodeID]
    private let response, request: DescriptionSide?
    private let statuses: StatusSet
    let query: DescribedQuery?
    /// The components that operations use as what is converted, and those that they use as what is not.
    private var converted: Set<NodeID> = []
    private var unconverted: Set<NodeID> = []
    /// The references to shared examples that were replaced by the examples.
    private var resolved: Set<NodeID> = []

    init(_ source: DescriptionSource, isVersion30: Bool, _ plans: DescriptionPlans) {
        self.source = source
        response = plans.response.map { DescriptionSide(.response, $0) }
        request = plans.request.map { DescriptionSide(.request, $0) }
        statuses = plans.statuses
        query = plans.query
        schemas = [source.components("schemas")].compactMap(\.self)
        rewriter = SchemaRewriter(
            source, usesNullable: isVersion30, graph: SchemaGraph(source, containers: schemas))
    }

    func rewritten() throws(DescriptionError) -> APIDescription.Rewritten {
        try findUses()
        var members: [Member] = []
        let original = source.members(of: JSONDocument.root)
        let shared = original.firstIndex { $0.name == Array("components".utf8) }
        for (name, value) in original where name != Array("components".utf8) {
            let isPaths = name == Array("paths".utf8)
            members.append(Member(name, isPaths ? try paths(value) : try rewriter.copy(value)))
        }
        if let shared {
            members.insert(Member("components", try components(original[shared].value)), at: shared)
        } else {
            members.append(Member("components", .object(("schemas", .definitions(nil)))))
        }
        try rewriter.rewriteReferenced()
        try rewriter.rewriteUnreached(in: schemas, response ?? request)
        try rewriter.checkMoves()
        var named = rewriter.graph.named()
        named.homePointer = Array("#/components/schemas".utf8)
        return APIDescription.Rewritten(text: named.write(.object(members)), warnings: rewriter.warnings)
    }

    // MARK: Uses

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    /// All operations of the paths, without those in callbacks and webhooks.
    private func operations() -> [NodeID] {
        let containers = [source.member("paths", of: JSONDocument.root), source.components("pathItems")]
        let items = containers.compactMap(\.self).flatMap { source.members(of: $0) }
        return items.flatMap { _, item in Self.methods.compactMap { source.member($0, of: item) } }
    }

    /// Finds out which shared responses and request bodies are converted.
    private func findUses() throws(DescriptionError) {
        for operation in operations() {
            if let body = source.member("requestBody", of: operation) { try noteUse(body, isConverted: true) }
            guard let responses = source.member("responses", of: operation) else { continue }
            for (status, response) in source.members(of: responses) {
                let text = String(decoding: status, as: UTF8.self)
                try noteUse(response, isConverted: isConverted(text, among: responses))
            }
        }
    }

    private func noteUse(_ id: NodeID, isConverted: Bool) throws(DescriptionError) {
        guard let target = try source.referenced(by: id) else { return }
        if isConverted { converted.insert(target) } else { unconverted.insert(target) }
    }

    /// Whether the gateway converts responses with this status: `200`, `2XX` or `default`.
    private func isConverted(_ status: String, among responses: NodeID) -> Bool {
        let text = status.lowercased()
        if let code = Int(text) { return statuses.contains(code) }
        if text.hasSuffix("xx"), let digit = Int(text.prefix(1)) { return statuses.contains(100 * digit) }
        guard text == "default" else { return false }
        // The default is about errors if there is a response for success.
        let hasSuccess = source.members(of: responses).contains { $0.name.first == ASCII.zero + 2 }
        return statuses.contains(hasSuccess ? 400 : 200)
    }

    // MARK: Operations

    private func paths(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        try source.map(id) { _, item throws(DescriptionError) in try pathItem(item) }
    }

    private func pathItem(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        // A reference that leads nowhere is an error here, too.
        _ = try source.referenced(by: id)
        return try source.map(id) { name, value throws(DescriptionError) in
            if name == "parameters" { return try parameters(value) }
            return Self.methods.contains(name) ? try operation(value) : try rewriter.copy(value)
        }
    }

    private func operation(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        try source.map(id) { name, value throws(DescriptionError) in
            switch name {
            case "requestBody": return try use(value, isConverted: true, request)
            case "callbacks": return try callbacks(value)
            case "parameters": return try parameters(value)
            case "responses":
                return try source.map(value) { status, item throws(DescriptionError) in
                    try use(item, isConverted: isConverted(status, among: value), response)
                }
            default: return try rewriter.copy(value)
            }
        }
    }

    /// A response or request body, or a reference to a shared one.
    private func use(_ id: NodeID, isConverted: Bool, _ side: DescriptionSide?) throws(DescriptionError)
        -> DescriptionTree
    {
        let side = isConverted ? side : nil
        guard let target = try source.referenced(by: id) else { return try content(of: id, side) }
        // One that is used both ways is written where it is not converted.
        return !isConverted && converted.contains(target) ? try content(of: target, nil) : .text(source.text(id))
    }

    private func components(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        guard case .object(var members) = try source.map(id, component) else { return .text(source.text(id)) }
        if source.member("schemas", of: id) == nil { members.append(Member("schemas", .definitions(nil))) }
        if let examples = source.member("examples", of: id) {
            let index = members.firstIndex { $0.name == Array("examples".utf8) }
            if let index { members[index].value = try sharedExamples(examples) }
        }
        return .object(members)
    }

    /// The shared examples that are still referred to, such as by parameters. Bodies have their own, with the names of clients.
    private func sharedExamples(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        guard response != nil || request != nil else { return try rewriter.copy(id) }
        var used: Set<NodeID> = []
        for index in source.document.nodes.indices {
            let reference = NodeID(index: index)
            guard case .member(Array("$ref".utf8), _) = source[reference].step, !resolved.contains(reference),
                let text = source.string(reference), text.starts(with: "#/components/examples/".utf8)
            else { continue }
            used.insert(try source.target(of: text, at: reference))
        }
        return try source.map(id) { _, value throws(DescriptionError) in
            used.contains(value) ? try rewriter.copy(value) : nil
        }
    }

    private func component(_ kind: String, _ value: NodeID) throws(DescriptionError) -> DescriptionTree {
        switch kind {
        case "schemas": return .definitions(value)
        case "responses":
            return try source.map(value) { _, item throws(DescriptionError) in
                let isUnused = unconverted.contains(item) && !converted.contains(item)
                return try content(of: item, isUnused ? nil : response)
            }
        case "requestBodies":
            return try source.map(value) { _, body throws(DescriptionError) in try content(of: body, request) }
        case "pathItems": return try paths(value)
        case "parameters": return try source.map(value) { _, item throws(DescriptionError) in try parameter(item) }
        default: return try rewriter.copy(value)
        }
    }

    // MARK: Expressions

    /// Callbacks. The server sends them past the gateway, but their addresses come from what clients send.
    private func callbacks(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        try source.map(id) { _, callback throws(DescriptionError) in
            guard source.isObject(callback), source.member("$ref", of: callback) == nil else {
                return try rewriter.copy(callback)
            }
            var members: [Member] = []
            for (address, item) in source.members(of: callback) {
                members.append(Member(expression(address), try rewriter.copy(item)))
            }
            return .object(members)
        }
    }

    /// A part of `links`, in which all strings may be expressions.
    private func links(_ id: NodeID) throws(DescriptionError) -> DescriptionTree {
        switch source[id].kind {
        case .string(let text): return .string(expression(text))
        case .object: return try source.map(id) { _, value throws(DescriptionError) in try links(value) }
        default: return .text(source.text(id))
        }
    }

    /// A text in which the pointers of `$request.body#/…` and `$response.body#/…` follow the profile.
    private func expression(_ text: [UInt8]) -> [UInt8] {
        for (beginning, side) in [("$request.body#", request), ("$response.body#", response)] {
            guard let side, let start = text.firstRange(of: Array(beginning.utf8))?.upperBound else { continue }
            let end = text[start...].firstIndex(of: ASCII.closeBrace) ?? text.endIndex
            var lookup = NameTranslator(side.plan)
            let pointer = Array(text[start..<end])
            guard side.plan.keepsPaths,
                let named = lookup.follow(pointer, NameForm(outside: .pointer, separator: [ASCII.dot]))
            else { continue }
            return text[..<start] + named.applied(to: pointer) + text[end...]
        }
        return text
    }

    // MARK: Bodies

    /// A response or request body.
    private func content(of id: NodeID, _ side: DescriptionSide?) throws(DescriptionError) -> DescriptionTree {
        guard let side else { return try rewriter.copy(id) }
        return try source.map(id) { name, value throws(DescriptionError) in
            guard name == "content" else { return name == "links" ? try links(value) : try rewriter.copy(value) }
            return try source.map(value) { type, media throws(DescriptionError) in
                Self.isJSON(type) ? try mediaType(media, side) : try rewriter.copy(media)
            }
        }
    }

    /// Whether the gateway converts bodies of a media type. A range such as `*/*` includes JSON.
    static func isJSON(_ text: String) -> Bool {
        if ["*/*", "application/*"].contains(text) { return true }
        guard let type = MediaType(text), type.essence != "application/json-patch+json" else { return false }
        return BodyType.framing(of: type.essence) != nil
    }

    private func mediaType(_ id: NodeID, _ side: DescriptionSide) throws(DescriptionError) -> DescriptionTree {
        try source.map(id) { name, value throws(DescriptionError) in
            switch name {
            case "schema", "itemSchema": try rewriter.rewritePayload(value, side).tree
            case "example": rewriter.convertedPayload(value, side).map { .text($0) }
            case "examples": try examples(value, side)
            default: try rewriter.copy(value)
            }
        }
    }

    /// Named examples. Shared ones are written here, because another body may convert them in another way.
    private func examples(_ id: NodeID, _ side: DescriptionSide) throws(DescriptionError) -> DescriptionTree {
        try source.map(id) { _, value throws(DescriptionError) in
            var example = value
            if let reference = source.member("$ref", of: value), let text = source.string(reference) {
                example = try source.target(of: text, at: reference)
                resolved.insert(reference)
            }
            var isLost = false
            let tree = try source.map(example) { key, part throws(DescriptionError) in
                guard key == "value" else { return .text(source.text(part)) }
                let text = rewriter.convertedPayload(part, side)
                isLost = text == nil
                return text.map { .text($0) }
            }
            return isLost ? nil : tree
        }
    }
}
