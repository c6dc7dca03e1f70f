import ConvertEngine
import Text

/// The keywords of one schema, at a path where no rule changes the value itself.
extension SchemaRewriter {
    /// The schema of what clients see for the instances of a schema at a path.
    func rewrite(_ id: NodeID, _ path: DescribedPath) throws(DescriptionError) -> RewrittenSchema {
        try count(id)
        guard !path.side.paths.isFull else {
            throw DescriptionError(
                at: source.pointer(id), "the profile distinguishes too many paths in these schemas",
                hint: "use fewer paths with `*` and `**`")
        }
        if let rule = rule(for: id, path) { return try rewrite(id, path, rule: rule) }
        guard source.isObject(id) else { return RewrittenSchema(.text(source.text(id))) }
        var members = SchemaMembers(id: id, path: path)
        let object = try self.object(id, path)
        members.exactness.limit(to: object.exactness)
        for (name, value) in source.members(of: id) {
            let keyword = String(decoding: name, as: UTF8.self)
            switch keyword {
            case "properties", "required", "additionalProperties", "patternProperties":
                add(keyword, of: object, to: &members)
            case "items", "prefixItems", "additionalItems", "contains", "unevaluatedItems", "minItems", "maxItems",
                "minContains", "maxContains", "uniqueItems":
                try addArrayKeyword(keyword, value, to: &members)
            default: try addKeyword(name, value, to: &members)
            }
        }
        add("properties", of: object, to: &members)
        add("required", of: object, to: &members)
        members.dropUnevaluatedUnlessExact()
        if members.contains("unevaluatedProperties"), mayLoseOrGainMembers([], path) {
            members.exactness.isExact = false
        }
        return members.schema
    }

    private func addKeyword(_ name: [UInt8], _ value: NodeID, to members: inout SchemaMembers) throws(DescriptionError)
    {
        let (id, path) = (members.id, members.path)
        let keyword = String(decoding: name, as: UTF8.self)
        switch keyword {
        case "$ref": try addReference(value, to: &members)
        case "allOf", "anyOf", "oneOf": try addComposition(keyword, value, to: &members)
        case "not":
            let part = try rewrite(value, path)
            warnIfLost(part, "not", value)
            members.add(keyword, part.tree, ifExact: part.exactness)
        case "if", "then", "else":
            guard let condition = source.member("if", of: id) else { return }
            let known = try rewrite(condition, path)
            if keyword == "if" { warnIfLost(known, "if", value) }
            let part = keyword == "if" ? known : try rewrite(value, path)
            members.exactness.limit(to: part.exactness)
            members.add(keyword, part.tree, ifExact: known.exactness)
        case "enum": try addValues(value, to: &members)
        case "const", "default", "example":
            let text = try converted(value, path, keyword)
            if let text { members.add(keyword, .text(text)) }
            let isApart = staysApart(Self.kind(of: source[value].kind), path)
            if keyword == "const", text != source.text(value) || !isApart { members.exactness.isExact = false }
        case "examples":
            members.add(keyword, .array(try convertedElements(value, path, keyword).map { .text($0) }))
        case "discriminator": try addDiscriminator(value, to: &members)
        case "minProperties", "maxProperties":
            let isMinimum = keyword == "minProperties"
            let mayBreak =
                (isMinimum ? path.plan.removesMembers : path.plan.addsMembers) || path.side.paths.moveCount > 0
            if mayBreak || mayLoseOrGainMembers([], path) { members.exactness.isExact = false }
            if !mayBreak { members.add(keyword, .text(source.text(value))) }
        case "propertyNames": try addPropertyNames(value, to: &members)
        case "dependentRequired", "dependentSchemas", "dependencies":
            try addDependencies(keyword, value, to: &members)
        case "unevaluatedProperties" where source.isObject(value):
            members.add(keyword, try others(value, [], path))
        case "$defs", "definitions":
            // Those that are referenced are copied to the definitions of the document.
            if id == JSONDocument.root { members.add(keyword, .definitions(value)) }
        case "$dynamicRef", "$recursiveRef":
            throw DescriptionError(
                at: source.pointer(value), "`\(keyword)` cannot be followed",
                hint: "write a `$ref` that begins with `#/`")
        case "$id" where id != JSONDocument.root:
            throw DescriptionError(
                at: source.pointer(value), "a schema inside of another one has its own `$id`",
                hint: "bundle the documents into one first")
        default: members.add(name, .text(source.text(value)))
        }
    }

    func addReference(_ value: NodeID, to members: inout SchemaMembers) throws(DescriptionError) {
        guard let written = source.string(value) else {
            throw DescriptionError(at: source.pointer(value), "expected a reference, a string")
        }
        let target = try source.target(of: written, at: value)
        let number = try graph.number(of: .init(target: target, path: members.path))
        members.add("$ref", .reference(number, written: written))
        members.exactness.dependencies.insert(number)
    }

    private func addComposition(
        _ keyword: String, _ value: NodeID, to members: inout SchemaMembers
    ) throws(DescriptionError) {
        var parts: [DescriptionTree] = []
        var exactness = Exactness()
        for choice in source.elements(of: value) {
            if keyword != "allOf", isRefused(choice, members.path) {
                exactness.isExact = false
                continue
            }
            let part = try rewrite(choice, members.path)
            exactness.limit(to: part.exactness)
            parts.append(part.tree)
        }
        if keyword == "oneOf" {
            // Values that differ may become equal, so they may fit more than one.
            members.add(keyword, .array(parts), ifExact: exactness, otherwise: "anyOf")
        } else {
            members.exactness.limit(to: exactness)
            members.add(keyword, .array(parts))
        }
    }

    private func warnIfLost(_ part: RewrittenSchema, _ keyword: String, _ value: NodeID) {
        guard !part.exactness.isExact else { return }
        warn(at: value, "`\(keyword)` is left out, because the profile removes what it checks")
    }

    // MARK: Names

    private func addDiscriminator(_ value: NodeID, to members: inout SchemaMembers) throws(DescriptionError) {
        let path = members.path
        guard let key = source.string(source.member("propertyName", of: value)) else {
            return members.add("discriminator", .text(source.text(value)))
        }
        let member = path.member(key)
        guard !member.isDropped, member.move < 0 else {
            return warn(at: value, "`discriminator` is left out, because the profile removes its property")
        }
        var parts: [DescriptionTree.Member] = []
        var mapping: [DescriptionTree.Member] = []
        var mapped: Set<NodeID> = []
        func entry(
            _ name: [UInt8], _ target: NodeID, _ written: [UInt8]
        ) throws(DescriptionError) -> DescriptionTree.Member {
            let shown = try? path.side.paths.convert(JSONText.quoted(name), at: member.path)
            let reference = try self.reference(to: target, path, written: written)
            return .init(shown.flatMap { JSONText.content(ofString: $0[...]) } ?? name, reference)
        }
        if let entries = source.member("mapping", of: value) {
            for (name, value) in source.members(of: entries) {
                guard let written = source.string(value), let target = try target(ofMapping: written, value) else {
                    continue
                }
                mapped.insert(target)
                mapping.append(try entry(name, target, written))
            }
        }
        for keyword in ["oneOf", "anyOf"] {
            for choice in source.elements(of: source.member(keyword, of: members.id)) {
                guard let reference = source.member("$ref", of: choice), let written = source.string(reference) else {
                    continue
                }
                let target = try source.target(of: written, at: reference)
                guard case .member(let name, _) = source[target].step, mapped.insert(target).inserted else { continue }
                var implied = try entry(name, target, written)
                if implied.name == name { implied.unlessNamed = name }
                mapping.append(implied)
            }
        }
        for (name, entry) in source.members(of: value) {
            switch String(decoding: name, as: UTF8.self) {
            case "propertyName": parts.append(.init(name, .string(member.name)))
            case "mapping": parts.append(.init(name, .object(mapping)))
            default: parts.append(.init(name, .text(source.text(entry))))
            }
        }
        if source.member("mapping", of: value) == nil, !mapping.isEmpty {
            parts.append(.init("mapping", .object(mapping)))
        }
        members.add("discriminator", .object(parts))
    }

    /// The schema that an entry of `mapping` names, by a reference or by its name.
    private func target(ofMapping written: [UInt8], _ entry: NodeID) throws(DescriptionError) -> NodeID? {
        if written.first == ASCII.numberSign { return try source.target(of: written, at: entry) }
        if let found = source.components("schemas").flatMap({ source.member(written, of: $0) }) { return found }
        return try source.target(of: written, at: entry)
    }

    private func addPropertyNames(_ value: NodeID, to members: inout SchemaMembers) throws(DescriptionError) {
        let path = members.path
        if mayLoseOrGainMembers([], path) { members.exactness.isExact = false }
        if path.keepsKeys, !path.plan.addsMembers {
            return members.add("propertyNames", .text(source.text(value)))
        }
        members.exactness.isExact = false
        guard let names = source.member("enum", of: value), source[value].children.count == 1, !path.plan.addsMembers,
            path.side.paths.moveCount == 0
        else {
            return warn(at: value, "`propertyNames` is left out, because the profile changes keys")
        }
        let written = source.strings(names).map { path.member($0) }.filter { !$0.isDropped }
        members.add("propertyNames", .object(("enum", .strings(written.map(\.name)))))
    }

    private func addDependencies(
        _ keyword: String, _ value: NodeID, to members: inout SchemaMembers
    ) throws(DescriptionError) {
        let path = members.path
        var entries: [DescriptionTree.Member] = []
        let added = Set(path.additions.map(\.name))
        for (name, entry) in source.members(of: value) {
            let member = path.member(name)
            // A key that is added, or moved to, is there without what depended on it.
            guard !member.isDropped, member.move < 0, !added.contains(member.name), !path.isAnchor else {
                members.exactness.isExact = false
                continue
            }
            // Nothing depends on a key that is pruned.
            if mayVanish(nil, path.at(member.path)) { members.exactness.isExact = false }
            if source[entry].kind == .array {
                let names = source.strings(entry).map { path.member($0) }
                let kept = names.filter { !$0.isDropped && $0.move < 0 && !mayVanish(nil, path.at($0.path)) }
                if kept.count < names.count { members.exactness.isExact = false }
                entries.append(.init(member.name, .strings(kept.map(\.name))))
            } else {
                let part = try rewrite(entry, path)
                members.exactness.limit(to: part.exactness)
                entries.append(.init(member.name, part.tree))
            }
        }
        members.add(keyword, .object(entries))
    }
}
