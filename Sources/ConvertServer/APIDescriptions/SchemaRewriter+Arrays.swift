import ConvertEngine

/// Elements of arrays.
extension SchemaRewriter {
    func addArrayKeyword(_ keyword: String, _ value: NodeID, to members: inout SchemaMembers) throws(DescriptionError) {
        let (id, path) = (members.id, members.path)
        let all = path.allElements
        let mayShrink =
            path.plan.prune.isActive && path.plan.prune.inArrays || all.contains { mayBeDiscarded($0, path) }
        let needsAll = ["minItems", "contains", "minContains", "maxContains", "additionalItems", "unevaluatedItems"]
        if mayShrink {
            // An array may fit without an element that does not.
            members.exactness.isExact = false
            if needsAll.contains(keyword) { return }
        }
        switch keyword {
        case "prefixItems" where !mayShrink: try addTuple(keyword, value, to: &members)
        case "items" where source[value].kind == .array && !mayShrink:
            try addTuple(keyword, value, to: &members)
        case "prefixItems", "items":
            // If elements may be missing, those of a tuple can be anywhere.
            let tuple = source.elements(of: source.member("prefixItems", of: id)) + source.elements(of: value)
            let isTuple = source[value].kind == .array || source.member("prefixItems", of: id) != nil
            guard isTuple, mayShrink else { return members.add(keyword, try elements(value, path)) }
            guard !members.contains("items") else { return }
            let rest = ["items", "additionalItems"].compactMap { source.member($0, of: id) }
                .filter { source[$0].kind != .array }
            // Without a schema for the rest, it can be anything.
            guard !rest.isEmpty else { return }
            var choices: [DescriptionTree] = []
            for schema in tuple + rest where source[schema].kind != .boolean(false) {
                choices.append(try elements(schema, path).tree)
            }
            members.add("items", .any(of: choices))
        case "contains", "minContains", "maxContains":
            guard let contained = source.member("contains", of: id) else {
                members.exactness.isExact = false
                return
            }
            var part = try elements(contained, path)
            if keyword != "contains" { part.tree = .text(source.text(value)) }
            // More elements may fit than before.
            if keyword == "maxContains" {
                members.add(keyword, part.tree, ifExact: part.exactness)
            } else {
                members.add(keyword, part)
            }
        case "uniqueItems":
            // Elements that differ may become equal.
            let isTuple = source.member("prefixItems", of: id) != nil
            let kinds = isTuple ? .any : source.member("items", of: id).map { self.kinds(of: $0) } ?? .any
            guard all.allSatisfy({ !$0.isDropped && stays(kinds, path.at($0.path)) }) else {
                members.exactness.isExact = false
                return
            }
            members.add(keyword, .text(source.text(value)))
        case "additionalItems", "unevaluatedItems": members.add(keyword, try elements(value, path))
        default: members.add(keyword, .text(source.text(value)))
        }
    }

    private func elements(_ schema: NodeID, _ path: DescribedPath) throws(DescriptionError) -> RewrittenSchema {
        guard source.isObject(schema) else { return RewrittenSchema(.text(source.text(schema))) }
        var parts: [RewrittenSchema?] = []
        for (index, element) in path.allElements.enumerated() {
            // The first path is that of most elements.
            if index > 0, !element.isDropped, isRefused(schema, path.at(element.path)) { continue }
            parts.append(element.isDropped ? nil : try rewriteSparing(schema, path.at(element.path)))
        }
        var rewritten = RewrittenSchema(anyOf: parts)
        // In OpenAPI 3.0, a schema is an object.
        if usesNullable, rewritten.tree == .text("false") { rewritten.tree = .object(("not", .object([]))) }
        return rewritten
    }

    private func addTuple(_ keyword: String, _ value: NodeID, to members: inout SchemaMembers) throws(DescriptionError)
    {
        let (others, named) = members.path.elements
        var parts: [DescriptionTree] = []
        for (index, schema) in source.elements(of: value).enumerated() {
            let element = named.first { $0.index == index }?.element ?? others
            let part = try rewriteSparing(schema, members.path.at(element.path))
            members.exactness.limit(to: part.exactness)
            parts.append(part.tree)
        }
        members.add(keyword, .array(parts))
    }

    /// Whether the output may lack an element for another reason than `prune`.
    private func mayBeDiscarded(_ element: PlanPaths.Member, _ path: DescribedPath) -> Bool {
        element.isDropped || element.path.keepsContainersOnly || element.path.isSearched
            || (element.path.isRecord && path.plan.records == .skip)
    }
}
