package import ConvertEngine
package import HTTPSemantics

/// An OpenAPI document (3.0 or 3.1), or a JSON Schema, that describes payloads before a profile converts them.
///
///     let description = try APIDescription(text)
///     let rewritten = try description.rewritten(by: DescriptionPlans(response: forward, request: undone))
package struct APIDescription {
    /// The most bytes of a description, and of a rewritten one.
    package static let maxBytes = 32 * 1024 * 1024
    package static let maxRewrittenBytes = 64 * 1024 * 1024
    /// The most objects and arrays that may be open at one time.
    static let maxDepth = 200

    /// A description for clients.
    package struct Rewritten {
        /// JSON without white space.
        package let text: [UInt8]
        /// What could not be said in it.
        package let warnings: [DescriptionError]
    }

    private enum Kind {
        /// OpenAPI. Version 3.0 has its own dialect of JSON Schema.
        case openAPI(isVersion30: Bool)
        case schema
    }

    private let source: DescriptionSource
    private let kind: Kind

    /// Reads a description.
    ///
    /// Throws if it is not JSON, or describes an API in a version that is not known.
    package init(_ text: [UInt8]) throws(DescriptionError) {
        guard text.count <= Self.maxBytes else {
            throw DescriptionError(at: "", "the description has more than \(Self.maxBytes) bytes")
        }
        source = try DescriptionSource(text, maxDepth: Self.maxDepth)
        kind = try Self.kind(of: source)
    }

    private static func kind(of source: DescriptionSource) throws(DescriptionError) -> Kind {
        let root = JSONDocument.root
        if source.member("swagger", of: root) != nil {
            throw DescriptionError(
                at: "/swagger", "expected OpenAPI 3.0 or 3.1, not Swagger 2.0",
                hint: "convert it first, for example with `swagger2openapi`")
        }
        guard let version = source.member("openapi", of: root) else {
            guard source.isObject(root) else {
                throw DescriptionError(at: "", "expected an OpenAPI document or a JSON Schema, an object")
            }
            return .schema
        }
        let text = String(decoding: source.string(version) ?? [], as: UTF8.self)
        if text.hasPrefix("3.0.") { return .openAPI(isVersion30: true) }
        if text.hasPrefix("3.1.") { return .openAPI(isVersion30: false) }
        throw DescriptionError(at: "/openapi", "expected OpenAPI 3.0 or 3.1", hint: "write \"openapi\": \"3.1.0\"")
    }

    /// The description of what clients see.
    ///
    /// Throws if a schema cannot say what a profile does.
    package func rewritten(by plans: DescriptionPlans) throws(DescriptionError) -> Rewritten {
        let rewritten =
            switch kind {
            case .openAPI(let isVersion30):
                try OpenAPIRewriting(source, isVersion30: isVersion30, plans).rewritten()
            case .schema: try rewrittenSchema(by: plans)
            }
        guard rewritten.text.count <= Self.maxRewrittenBytes else {
            throw DescriptionError(
                at: "", "the rewritten description has more than \(Self.maxRewrittenBytes) bytes",
                hint: "use fewer paths in the profile")
        }
        return rewritten
    }

    /// The document as one schema, of what clients receive.
    private func rewrittenSchema(by plans: DescriptionPlans) throws(DescriptionError) -> Rewritten {
        let root = JSONDocument.root
        let containers = ["$defs", "definitions"].compactMap { source.member($0, of: root) }
        let graph = SchemaGraph(source, containers: containers)
        let rewriter = SchemaRewriter(source, usesNullable: false, graph: graph)
        guard let plan = plans.response else { return Rewritten(text: source.document.text, warnings: []) }
        let side = DescriptionSide(.response, plan)
        var tree: DescriptionTree
        if plan.documentPath.names.isEmpty, plan.wrapText.names.isEmpty {
            // References to `#` lead to the document itself.
            _ = try rewriter.graph.number(of: .init(target: root, path: side.document))
            rewriter.graph.beginsWithRoot = true
            tree = .text("{}")
        } else {
            tree = try rewriter.rewritePayload(root, side).tree
        }
        try rewriter.rewriteReferenced()
        try rewriter.rewriteUnreached(in: containers, side)
        try rewriter.checkMoves()
        let named = rewriter.graph.named()
        if rewriter.graph.beginsWithRoot { tree = named.documentTree ?? tree }
        if case .object(var members) = tree {
            for container in containers where !members.contains(where: { $0.value == .definitions(container) }) {
                let name = container == containers.first ? "$defs" : "definitions"
                members.append(.init(name, .definitions(container)))
            }
            if containers.isEmpty { members.append(.init("$defs", .definitions(nil))) }
            tree = .object(members)
        }
        return Rewritten(text: named.write(tree), warnings: rewriter.warnings)
    }
}

/// How the payloads of an API are converted between the described server and its clients.
package struct DescriptionPlans {
    /// Leads from what the server sends to what clients receive; nil if responses pass unchanged.
    package var response: Plan?
    /// Leads from what the server accepts to what clients send; nil if requests pass unchanged.
    package var request: Plan?
    /// The responses that are converted.
    package var statuses: StatusSet
    /// How clients write the names of keys in queries; nil if queries pass unchanged.
    package var query: DescribedQuery?

    package init(response: Plan?, request: Plan?, statuses: StatusSet = .success) {
        self.response = response
        self.request = request
        self.statuses = statuses
    }
}

/// Names of keys in queries, from those of the server to those of clients.
package struct DescribedQuery {
    let name: ([UInt8]) -> [UInt8]
    let value: (_ name: [UInt8], _ value: [UInt8]) -> [UInt8]

    package init(
        name: @escaping ([UInt8]) -> [UInt8], value: @escaping (_ name: [UInt8], _ value: [UInt8]) -> [UInt8]
    ) {
        self.name = name
        self.value = value
    }
}
