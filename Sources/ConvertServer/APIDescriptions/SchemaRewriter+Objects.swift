import ConvertEngine
import Text

/// Properties of objects: new keys, and members that are removed, added or put elsewhere.
extension SchemaRewriter {
    /// The keywords about members, rewritten.
    func object(_ id: NodeID, _ side: DescriptionSide, _ place: Place) throws(DescriptionError) -> RewrittenObject {
        var object = RewrittenObject()
        let properties = source.member("properties", of: id)
        let declared = properties.map { source.members(of: $0) } ?? []
        let required = source.strings(source.member("required", of: id))
        object.hasProperties = properties != nil
        let isRequired = Set(required)
        for (name, schema) in declared {
            try add(schema, named: name, isRequired: isRequired.contains(name), side, place, to: &object)
        }
        let known = Set(declared.map(\.name))
        for name in required {
            let member = side.places.member(name, of: place)
            object.order.append(member.name)
            guard !known.contains(name) else { continue }
            guard !member.isDropped, member.move < 0, !mayVanish(nil, member.place, side) else {
                object.doubts.isExact = false
                continue
            }
            object.otherRequired.append(member.name)
        }
        if place.isAnchor { try addMoved(id, side, place, to: &object) }
        if let schema = source.member("additionalProperties", of: id) {
            try addAdditional(schema, of: id, known, side, place, to: &object)
        }
        if let patterns = source.member("patternProperties", of: id) {
            try addPatterns(patterns, of: id, known, side, place, to: &object)
        }
        if side.kind == .response, ownKinds(of: id).contains(.object) { addDefaults(id, side, place, to: &object) }
        for name in object.collisions {
            warn(
                DescriptionError(
                    at: source.pointer(id),
                    "several properties get the key `\(String(decoding: name, as: UTF8.self))`, so its schema allows each of them"))
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
        _ schema: NodeID, named name: [UInt8], isRequired: Bool, _ side: DescriptionSide, _ place: Place,
        to object: inout RewrittenObject
    ) throws(DescriptionError) {
        let member = side.places.member(name, of: place)
        if member.isDropped {
            object.doubts.isExact = false
            return
        }
        if member.move >= 0 {
            object.doubts.isExact = false
            if let flattening = side.places.flattening(member.move) {
                try flatten(schema, member, flattening, isRequired: isRequired, side, to: &object)
            } else if takenMoves[member.move] == nil {
                takenMoves[member.move] = DescriptionError(
                    at: source.pointer(schema), "this value moves to where no schema can say it",
                    rule: side.places.move(member.move)?.rule,
                    hint: "the schemas between the object and the value need `properties`, without `anyOf` or `oneOf`")
            }
            return
        }
        let kinds = kinds(of: schema)
        let isContainer = kinds.isSubset(of: [.object, .array])
        if member.place.keepsContainersOnly {
            object.doubts.isExact = false
            if kinds.isDisjoint(with: [.object, .array]) { return }
        }
        let part = try rewrite(schema, side, member.place)
        object.doubts.takeDoubts(of: part)
        let isLost =
            mayVanish(schema, member.place, side) || (member.place.keepsContainersOnly && !isContainer)
        if isLost, isRequired { object.doubts.isExact = false }
        let shown = spared(part, member.place, side)
        object.add(member.name, shown.tree, isRequired: isRequired && !isLost)
    }

    /// A schema that null fits, too, if bad records become null.
    func spared(_ schema: RewrittenSchema, _ place: Place, _ side: DescriptionSide) -> RewrittenSchema {
        guard place.isRecord, side.plan.records == .null else { return schema }
        return Self.nullable(schema, usesNullable: usesNullable)
    }

    /// Whether a value that is there in the input may be missing in the output. Without a schema, it may be any value.
    func mayVanish(_ schema: NodeID?, _ place: Place, _ side: DescriptionSide) -> Bool {
        if place.isSearched || place.isRemovedIfEmpty || (place.isRecord && side.plan.records == .skip) { return true }
        let prune = side.plan.prune
        guard prune.isActive else { return false }
        guard let schema else { return true }
        let kinds = kinds(of: schema)
        let writesNull =
            place.rule >= 0
            && (side.plan.policies.badValue == .null || side.plan.rules[place.rule].description.mayWriteNull)
        if prune.null, kinds.contains(.null) || writesNull { return true }
        let isSolid = isNeverEmpty(schema)
        return (prune.emptyString && !isSolid && !kinds.isDisjoint(with: [.string, place.rule >= 0 ? .any : .string]))
            || (prune.emptyArray && kinds.contains(.array) && (!isSolid || side.plan.removesMembers))
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
        _ schema: NodeID, of id: NodeID, _ known: Set<[UInt8]>, _ side: DescriptionSide, _ place: Place
    ) throws(DescriptionError) -> RewrittenSchema {
        var result = RewrittenSchema(.text("false"))
        var choices: [DescriptionTree] = []
        for member in side.places.others(of: place, without: known) {
            guard !member.isDropped, member.move < 0, !isRefused(schema, side, member.place) else {
                result.isExact = false
                continue
            }
            let kinds = kinds(of: schema)
            if member.place.keepsContainersOnly, kinds.isDisjoint(with: [.object, .array]) {
                result.isExact = false
                continue
            }
            let part = spared(try rewrite(schema, side, member.place), member.place, side)
            result.takeDoubts(of: part)
            choices.append(part.tree)
        }
        if !choices.isEmpty { result.tree = .any(of: choices) }
        return result
    }

    private func addAdditional(
        _ schema: NodeID, of id: NodeID, _ known: Set<[UInt8]>, _ side: DescriptionSide, _ place: Place,
        to object: inout RewrittenObject
    ) throws(DescriptionError) {
        guard source.isObject(schema) else {
            // Without `additionalProperties`, everything is allowed.
            object.additional = object.isOpen ? nil : .text(source.text(schema))
            return
        }
        let part = try others(schema, of: id, known, side, place)
        object.doubts.takeDoubts(of: part)
        object.additional = object.isOpen ? nil : part.tree
    }

    private func addPatterns(
        _ patterns: NodeID, of id: NodeID, _ known: Set<[UInt8]>, _ side: DescriptionSide, _ place: Place,
        to object: inout RewrittenObject
    ) throws(DescriptionError) {
        var members: [DescriptionTree.Member] = []
        for (pattern, schema) in source.members(of: patterns) {
            let part = try others(schema, of: id, known, side, place)
            object.doubts.takeDoubts(of: part)
            members.append(.init(pattern, part.tree))
        }
        guard !side.places.keepsKeys(of: place) else {
            object.patterns = .object(members)
            return
        }
        object.doubts.isExact = false
        warn(
            DescriptionError(
                at: source.pointer(patterns),
                "`patternProperties` becomes `additionalProperties`, because the profile changes keys"))
        if let additional = object.additional {
            let isClosed = additional == .text("false")
            object.additional = .any(of: (isClosed ? [] : [additional]) + members.map(\.value))
        }
    }

    /// Adds the members that `defaults` adds to each object.
    private func addDefaults(
        _ id: NodeID, _ side: DescriptionSide, _ place: Place, to object: inout RewrittenObject
    ) {
        for (name, text) in side.places.additions(to: place) {
            object.doubts.isExact = false
            if object.contains(name) {
                object.require(name, true)
                continue
            }
            guard let value = try? DescriptionSource(text, maxDepth: Limits().maxDepth),
                let member = value.member(name, of: JSONDocument.root)
            else { continue }
            object.add(name, Self.schema(of: value, member, usesNullable: usesNullable), isRequired: true)
        }
    }

    private static func schema(
        of source: DescriptionSource, _ value: NodeID, usesNullable: Bool
    ) -> DescriptionTree {
        let type =
            switch source[value].kind {
            case .null: "null"
            case .boolean: "boolean"
            case .number: "number"
            case .string: "string"
            case .array: "array"
            case .object: "object"
            }
        if type == "null" { return .object(("default", .text("null"))) }
        return .object(("type", .string(Array(type.utf8))), ("default", .text(source.text(value))))
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
