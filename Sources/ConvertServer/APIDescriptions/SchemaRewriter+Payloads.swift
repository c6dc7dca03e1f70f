import ConvertEngine

/// Whole payloads: `unwrap`, `wrap`, and schemas that no payload has.
extension SchemaRewriter {
    /// The schema of a whole payload as clients see it.
    func rewritePayload(_ id: NodeID, _ side: DescriptionSide) throws(DescriptionError) -> RewrittenSchema {
        let (names, rule) = side.plan.documentPath
        var schema = id
        if !names.isEmpty {
            guard let found = try value(at: names, of: id) else {
                throw DescriptionError(
                    at: source.pointer(id),
                    "no schema describes the value that the profile takes out of the payload",
                    rule: rule,
                    hint: "describe it with `properties` on the whole path, without `anyOf`, `oneOf` and arrays")
            }
            schema = found.schema
        }
        var part = try rewrite(schema, side.document)
        if !side.plan.wrapText.names.isEmpty { part.tree = try wrapped(part.tree, side) }
        return part
    }

    private func wrapped(_ tree: DescriptionTree, _ side: DescriptionSide) throws(DescriptionError) -> DescriptionTree {
        let wrapText = side.plan.wrapText
        let text = wrapText.beginning + Array("null".utf8) + wrapText.end
        let object = try DescriptionSource(text, maxDepth: Limits().maxDepth)
        return Self.wrapped(tree, wrapText.names[...], JSONDocument.root, object)
    }

    private static func wrapped(
        _ tree: DescriptionTree, _ names: ArraySlice<[UInt8]>, _ id: NodeID, _ object: DescriptionSource
    ) -> DescriptionTree {
        guard let first = names.first else { return tree }
        let members = object.members(of: id)
        let properties = members.map { name, value in
            DescriptionTree.Member(
                name,
                name == first
                    ? wrapped(tree, names.dropFirst(), value, object)
                    : .object(("enum", .array([.text(object.text(value))]))))
        }
        return .object(
            ("type", .text("\"object\"")), ("properties", .object(properties)),
            ("required", .strings(members.map(\.name))))
    }

    /// Rewrites the schemas that no payload has, as documents. Those for which that is impossible stay unchanged.
    func rewriteUnreached(in containers: [NodeID], _ side: DescriptionSide?) throws(DescriptionError) {
        let reached = graph.targets
        for container in containers {
            for (_, schema) in source.members(of: container) where !reached.contains(schema) {
                let path = side?.document
                _ = try graph.number(of: .init(target: schema, path: path))
            }
        }
        try rewriteReferenced()
    }

    /// The text of an example of a whole payload; nil, with a warning, if the plan refuses it.
    func convertedPayload(_ value: NodeID, _ side: DescriptionSide) -> [UInt8]? {
        // Examples of other formats, and JSON in a string, are strings.
        if case .string = source[value].kind { return source.text(value) }
        do throws(ConversionError) {
            let text = try side.plan.convert(source.text(value))
            return text
        } catch {
            warn(at: value, below: error.pointer, "this example is left out: \(error.message)", rule: error.rule)
            return nil
        }
    }
}
