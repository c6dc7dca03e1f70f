import ConvertEngine
import Text

/// Properties of objects: new keys, and members that are removed, added or put elsewhere.
extension SchemaRewriter {
    /// The keywords about members, rewritten.
    func object(_ id: NodeID, _ path: DescribedPath) throws(DescriptionError) -> RewrittenObject {
        var object = RewrittenObject()
        let properties = source.member("properties", of: id)
        let declared = properties.map { source.members(of: $0) } ?? []
        let required = source.strings(source.member("required", of: id))
        object.hasProperties = properties != nil
        let isRequired = Set(required)
        for (name, schema) in declared {
            try add(schema, named: name, isRequired: isRequired.contains(name), path, to: &object)
        }
        let known = Set(declared.map(\.name))
        for name in required {
            let member = path.member(name)
            object.order.append(member.name)
            guard !known.contains(name) else { continue }
            guard !member.isDropped, member.move < 0, !mayVanish(nil, path.at(member.path)) else {
                object.exactness.isExact = false
                continue
            }
            object.otherRequired.append(member.name)
        }
        if path.isAnchor {
            try addMoved(id, path, to: &object)
            try checkUndescribedFlattening(of: id, known, path)
        }
        if let schema = source.member("additionalProperties", of: id) {
            try addAdditional(schema, known, path, to: &object)
        }
        if let patterns = source.member("patternProperties", of: id) {
            try addPatterns(patterns, known, path, to: &object)
        }
        if path.side.kind == .response, ownKinds(of: id).contains(.object) { addDefaults(path, to: &object) }
        for name in object.collisions {
            let key = String(decoding: name, as: UTF8.self)
            warn(at: id, "several properties get the key `\(key)`, so its schema allows each of them")
        }
        return object
    }

    /// Writes one of the keywords about members.
    func add(_ keyword: String, of object: RewrittenObject, to members: inout SchemaMembers) {
        switch keyword {
        case "properties":
            guard object.hasProperties || !object.properties.isEmpty, !members.contains(keyword) else { return }
            members.add(keyword, .object(object.properties.map { .init($0.name, $0.schema) }))
        case "required":
            guard !object.required.isEmpty, !members.contains(keyword) else { return }
            members.add(keyword, .strings(object.required))
        case "additionalProperties": if let tree = object.additional { members.add(keyword, tree) }
        default: if let tree = object.patterns { members.add(keyword, tree) }
        }
    }

    private func add(
        _ schema: NodeID, named name: [UInt8], isRequired: Bool, _ path: DescribedPath,
        to object: inout RewrittenObject
    ) throws(DescriptionError) {
        let member = path.member(name)
        if member.isDropped {
            object.exactness.isExact = false
            return
        }
        if member.move >= 0 {
            object.exactness.isExact = false
            if let flattening = path.side.paths.flattening(member.move) {
                try flatten(schema, member, flattening, isRequired: isRequired, path, to: &object)
            } else if takenMoves[member.move] == nil {
                takenMoves[member.move] = DescriptionError(
                    at: source.pointer(schema), "no schema can describe this value at its new path",
                    rule: path.side.paths.move(member.move)?.rule,
                    hint: "the schemas between the object and the value need `properties`, without `anyOf` or `oneOf`")
            }
            return
        }
        let kinds = kinds(of: schema)
        let isContainer = kinds.isSubset(of: [.object, .array])
        if member.path.keepsContainersOnly {
            object.exactness.isExact = false
            if kinds.isDisjoint(with: [.object, .array]) { return }
        }
        if member.isLossy, path.side.kind == .request {
            let key = String(decoding: member.name, as: UTF8.self)
            warn(at: schema, "clients cannot send this key: the profile does not make it of `\(key)`")
        }
        let part = try rewriteSparing(schema, path.at(member.path))
        object.exactness.limit(to: part.exactness)
        let isLost =
            mayVanish(schema, path.at(member.path)) || (member.path.keepsContainersOnly && !isContainer)
        let isRequired = isRequired && !isLost
        // Without a value that does not fit this schema, such as a null that is pruned, the object fits.
        if isLost || !isRequired && mayVanish(nil, path.at(member.path)) { object.exactness.isExact = false }
        object.add(member.name, part.tree, isRequired: isRequired, from: schema)
    }

    /// The schema of what clients see at a path below a container. Null fits it, too, if bad records become null.
    func rewriteSparing(_ id: NodeID, _ path: DescribedPath) throws(DescriptionError) -> RewrittenSchema {
        let schema = try rewrite(id, path)
        return path.isRecord && path.plan.records == .null ? nullable(schema) : schema
    }

    /// Whether a value that is there in the input may be missing in the output. Without a schema, it may be any value.
    func mayVanish(_ schema: NodeID?, _ path: DescribedPath) -> Bool {
        if path.isSearched || path.isRemovedIfEmpty || (path.isRecord && path.plan.records == .skip) { return true }
        let prune = path.plan.prune
        guard let schema else { return prune.isActive || path.keepsContainersOnly }
        guard prune.isActive else { return false }
        let kinds = kinds(of: schema)
        let writesNull =
            path.rule >= 0
            && (path.plan.rules[path.rule].badValue == .null || path.plan.rules[path.rule].description.mayWriteNull)
        if prune.null, kinds.contains(.null) || writesNull { return true }
        let isSolid = isNeverEmpty(schema)
        return (prune.emptyString && !isSolid && !kinds.isDisjoint(with: [.string, path.rule >= 0 ? .any : .string]))
            || (prune.emptyArray && kinds.contains(.array) && (!isSolid || path.plan.removesMembers))
            || (prune.emptyObject && kinds.contains(.object))
    }

    /// Whether no instance is an empty string or array, as far as the schema itself says.
    private func isNeverEmpty(_ id: NodeID) -> Bool {
        if let format = source.string(source.member("format", of: id)),
            ["date-time", "date", "uuid", "uri", "email"].contains(String(decoding: format, as: UTF8.self))
        {
            return true
        }
        if let values = source.member("enum", of: id) {
            return source.elements(of: values).allSatisfy { source.text($0) != Array("\"\"".utf8) }
        }
        return ["minLength", "minItems"].contains { name in
            source.member(name, of: id).map { source.text($0) != [ASCII.zero] } ?? false
        }
    }

    // MARK: Other members

    /// The schema of members that are not among the properties.
    func others(
        _ schema: NodeID, _ known: Set<[UInt8]>, _ path: DescribedPath
    ) throws(DescriptionError) -> RewrittenSchema {
        var parts: [RewrittenSchema?] = []
        var paths: Set<DescribedPath.Path> = []
        for (_, member) in path.others(without: known) {
            // Members at the same path have the same schema.
            guard member.isDropped || paths.insert(member.path).inserted else { continue }
            parts.append(try other(schema, member, path))
        }
        return RewrittenSchema(anyOf: parts)
    }

    /// The schema of a member that is not among the properties; nil if it is never there.
    private func other(
        _ schema: NodeID, _ member: PlanPaths.Member, _ path: DescribedPath
    ) throws(DescriptionError) -> RewrittenSchema? {
        guard !member.isDropped, member.move < 0, !isRefused(schema, path.at(member.path)) else { return nil }
        guard !member.path.keepsContainersOnly || !kinds(of: schema).isDisjoint(with: [.object, .array]) else {
            return nil
        }
        return try rewriteSparing(schema, path.at(member.path))
    }

    private func addAdditional(
        _ schema: NodeID, _ known: Set<[UInt8]>, _ path: DescribedPath,
        to object: inout RewrittenObject
    ) throws(DescriptionError) {
        if source[schema].kind != .boolean(true), mayLoseOrGainMembers(known, path) {
            object.exactness.isExact = false
        }
        guard source.isObject(schema) else {
            // Without `additionalProperties`, everything is allowed.
            object.additional = object.isOpen ? nil : .text(source.text(schema))
            return
        }
        var additional: DescriptionTree?
        var usualPath: DescribedPath.Path?
        for (which, member) in path.others(without: known) {
            // Most keys that a rename names are at the path of all others.
            guard member.isDropped || member.path != usualPath else { continue }
            if which == .unnamed { usualPath = member.path }
            guard let part = try other(schema, member, path) else {
                object.exactness.isExact = false
                continue
            }
            object.exactness.limit(to: part.exactness)
            guard let usual = additional, usual != part.tree else {
                additional = additional ?? part.tree
                continue
            }
            // A rule that narrows the values of one key says nothing that the schema of all must repeat.
            if usual.covers(part.tree) { continue }
            if which == .named {
                if object[member.name] == nil { object.add(member.name, part.tree, isRequired: false) }
            } else {
                additional = .any(of: [usual, part.tree])
            }
        }
        object.additional = object.isOpen ? nil : additional ?? .text("false")
    }

    private func addPatterns(
        _ patterns: NodeID, _ known: Set<[UInt8]>, _ path: DescribedPath,
        to object: inout RewrittenObject
    ) throws(DescriptionError) {
        var members: [DescriptionTree.Member] = []
        if mayLoseOrGainMembers(known, path) { object.exactness.isExact = false }
        for (pattern, schema) in source.members(of: patterns) {
            let part = try others(schema, known, path)
            object.exactness.limit(to: part.exactness)
            members.append(.init(pattern, part.tree))
        }
        let isAdded = path.side.kind == .response && !path.additions.isEmpty
        guard !path.keepsKeys || isAdded else {
            object.patterns = .object(members)
            return
        }
        object.exactness.isExact = false
        let result = object.additional == nil ? "is removed" : "becomes `additionalProperties`"
        warn(at: patterns, "`patternProperties` \(result), because the profile changes or adds keys")
        if let additional = object.additional {
            let isClosed = additional == .text("false")
            object.additional = .any(of: (isClosed ? [] : [additional]) + members.map(\.value))
        }
    }

    private func addDefaults(_ path: DescribedPath, to object: inout RewrittenObject) {
        for (name, text) in path.additions {
            object.exactness.isExact = false
            guard let value = try? DescriptionSource(text, maxDepth: Limits().maxDepth),
                let member = value.member(name, of: JSONDocument.root)
            else { continue }
            if let property = object[name] {
                let added = DescriptionTree.object(("enum", .array([.text(value.text(member))])))
                object.require(name, orAdd: fits(value, member, property) ? nil : added)
                continue
            }
            // The payload may have the member, with a value that no schema describes.
            object.add(name, .object(("default", .text(value.text(member)))), isRequired: true)
        }
    }

    /// Whether a value certainly fits a property: it has no children, and the schema, which is unchanged, says nothing but the type.
    private func fits(_ value: DescriptionSource, _ member: NodeID, _ property: RewrittenObject.Property) -> Bool {
        guard let id = property.source, source.isObject(id), value[member].children.isEmpty else { return false }
        let keywords = source.members(of: id)
        let saysOnlyType = keywords.allSatisfy {
            let name = String(decoding: $0.name, as: UTF8.self)
            return name == "type" || name == "nullable" || Self.isAnnotation(name)
        }
        let unchanged = keywords.map { DescriptionTree.Member($0.name, .text(source.text($0.value))) }
        return saysOnlyType && property.schema == .object(unchanged)
            && Self.kind(of: value[member].kind).isSubset(of: kinds(of: id))
    }
}

extension ValueDescription {
    /// Whether a value that is not null may become null.
    var mayWriteNull: Bool {
        switch output {
        case .any: true
        case .table(let rows): rows.contains { $0.json == Array("null".utf8) }
        default: false
        }
    }
}
