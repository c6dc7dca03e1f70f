import ConvertEngine

/// Values that `move` and `flatten` put elsewhere: their schemas are put there, too.
extension SchemaRewriter {
    func addMoved(_ id: NodeID, _ path: DescribedPath, to object: inout RewrittenObject) throws(DescriptionError) {
        for index in 0..<path.side.paths.moveCount {
            guard let move = path.side.paths.move(index), let first = move.source.first,
                let end = end(of: move, index, path)
            else { continue }
            guard let (schema, isRequired) = try value(at: move.source, of: id) else {
                if try !isClosed(id, against: move.source) {
                    try noteUndescribed(id, index, rule: move.rule, path)
                }
                continue
            }
            // Another part of the schema describes it.
            guard let properties = source.member("properties", of: id), source.member(first, of: properties) != nil
            else { continue }
            object.exactness.isExact = false
            appliedMoves.insert(index)
            let containers = kinds(of: schema).intersection([.object, .array])
            if end.keepsContainersOnly, containers.isEmpty { continue }
            let part = try rewrite(schema, end)
            object.exactness.limit(to: part.exactness)
            let isKept = !end.keepsContainersOnly || containers == kinds(of: schema)
            var combination = RewrittenObject.Combination.both
            if let holder = object[move.target[0]], try !mayGain(move.target.dropFirst(), holder) {
                let at = holder.source ?? id
                warn(at: at, "a value moves into this object, so its new schema allows any value", rule: move.rule)
                combination = .anything
            }
            object.add(
                at: move.target, part.tree, isRequired: isRequired && isKept,
                mayVanish: mayVanish(schema, end), combination)
        }
    }

    /// Whether the schema of a property still holds if a value is put into its object at these keys.
    ///
    /// If there is no such object, one is made.
    private func mayGain(
        _ names: ArraySlice<[UInt8]>, _ holder: RewrittenObject.Property
    ) throws(DescriptionError) -> Bool {
        guard var schema = holder.source, !names.isEmpty, !holder.schema.isAnything else { return true }
        // A rule may make it null.
        if case .object(let members) = holder.schema, members.contains(where: { $0.name == Array("anyOf".utf8) }) {
            return false
        }
        var isRequired = holder.isRequired
        for name in names {
            let parts = try self.parts(of: schema)
            let isInline = parts.count == 1 && source.member("properties", of: schema) != nil
            guard isInline || kinds(of: schema) == .object else { return false }
            for (key, value) in parts.flatMap({ source.members(of: $0) }) {
                let keyword = String(decoding: key, as: UTF8.self)
                switch keyword {
                case "type", "nullable", "properties", "$ref", "allOf": break
                case "additionalProperties":
                    guard isInline || source[value].kind == .boolean(true) else { return false }
                case "required", "minProperties": guard isRequired else { return false }
                default: guard Self.isAnnotation(keyword) else { return false }
                }
            }
            guard let found = try property(name, of: schema) else { return true }
            (schema, isRequired) = (found.schema, isRequired && found.isRequired)
        }
        // A property has the key of the value already.
        return false
    }

    /// Refuses a flattened object that no property describes.
    func checkUndescribedFlattening(
        of id: NodeID, _ known: Set<[UInt8]>, _ path: DescribedPath
    ) throws(DescriptionError) {
        for (_, member) in path.others(without: known) where member.move >= 0 {
            guard let flattening = path.side.paths.flattening(member.move), flattening.objects.isEmpty,
                try property(member.name, of: id) == nil, try !isClosed(id, against: [member.name])
            else { continue }
            try noteUndescribed(id, member.move, rule: flattening.rule, path)
        }
    }

    /// Notes that a value that no schema describes moves into instances of a schema. That is an error at once if the
    /// schema limits such members, and otherwise if no other schema describes the value.
    private func noteUndescribed(
        _ id: NodeID, _ move: Int, rule: String, _ path: DescribedPath
    ) throws(DescriptionError) {
        let error = DescriptionError(
            at: source.pointer(id), "no schema describes a value that the profile moves", rule: rule,
            hint: "describe each object on the path with `properties`, or close it with `additionalProperties`: false")
        let limits = ["additionalProperties", "patternProperties", "propertyNames", "unevaluatedProperties"]
        let limited = limits.contains { name in
            source.member(name, of: id).map { source[$0].kind != .boolean(true) } ?? false
        }
        if path.side.kind == .response, limited { throw error }
        // The parts of a composition speak for themselves.
        if path.side.kind == .response, !isComposed(id), takenMoves[move] == nil { takenMoves[move] = error }
    }

    /// Whether no instance of a schema has a value at a path that no `properties` describe.
    private func isClosed(_ id: NodeID, against path: [[UInt8]]) throws(DescriptionError) -> Bool {
        var schema = id
        for name in path {
            guard !mayBeIndex(name, of: schema) else { return false }
            guard kinds(of: schema).contains(.object) else { return true }
            guard let found = try property(name, of: schema) else {
                return try parts(of: schema).contains { part in
                    ["additionalProperties", "unevaluatedProperties"].contains { keyword in
                        source.member(keyword, of: part).map { source[$0].kind == .boolean(false) } ?? false
                    } && source.member("patternProperties", of: part) == nil
                }
            }
            schema = found.schema
        }
        return false
    }

    /// The path of the value that a move takes from below an object; nil if the move belongs to another object.
    private func end(of move: PlannedMove, _ index: Int, _ path: DescribedPath) -> DescribedPath? {
        var path = path
        for (depth, name) in move.source.enumerated() {
            let member = path.member(name)
            let isLast = depth == move.source.count - 1
            // Values also move out of an object that is flattened.
            let isOnWay = member.move < 0 || path.side.paths.flattening(member.move)?.objects.isEmpty == true
            guard !member.isDropped, isLast ? member.move == index : isOnWay else { return nil }
            path = path.at(member.path)
        }
        return path
    }

    /// The schema of the value at a path of keys, and whether it is in every object; nil if no schema says it.
    func value(at path: [[UInt8]], of id: NodeID) throws(DescriptionError) -> (schema: NodeID, isRequired: Bool)? {
        var (schema, isRequired) = (id, true)
        for (depth, name) in path.enumerated() {
            guard !mayBeIndex(name, of: schema), let found = try property(name, of: schema) else { return nil }
            isRequired =
                isRequired && found.isRequired && (depth == 0 || kinds(of: schema).isSubset(of: [.object]))
            schema = found.schema
        }
        return (schema, isRequired)
    }

    /// Whether a key may be the index of an element, which no property describes.
    private func mayBeIndex(_ name: [UInt8], of id: NodeID) -> Bool {
        Selector.isIndex(name) && kinds(of: id).contains(.array)
    }

    /// A property of a schema, or of a schema that it refers to or includes with `allOf`.
    private func property(
        _ name: [UInt8], of id: NodeID
    ) throws(DescriptionError) -> (schema: NodeID, isRequired: Bool)? {
        var found: NodeID?
        var isRequired = false
        for part in try parts(of: id) {
            if found == nil, let properties = source.member("properties", of: part) {
                found = source.member(name, of: properties)
            }
            if source.strings(source.member("required", of: part)).contains(name) { isRequired = true }
        }
        return found.map { ($0, isRequired) }
    }

    /// The schema, and all that it refers to or includes with `allOf`.
    func parts(of id: NodeID) throws(DescriptionError) -> [NodeID] {
        var parts: [NodeID] = []
        var known: Set<NodeID> = []
        var waiting = [id]
        while let next = waiting.popLast() {
            guard known.insert(next).inserted else { continue }
            parts.append(next)
            if let target = try source.referenced(by: next) { waiting.append(target) }
            waiting += source.elements(of: source.member("allOf", of: next)).reversed()
        }
        return parts
    }

    // MARK: Flattened objects

    /// Replaces a property by the properties of its object, or puts it back into one.
    func flatten(
        _ schema: NodeID, _ member: PlanPaths.Member, _ flattening: PlannedFlattening, isRequired: Bool,
        _ path: DescribedPath, to object: inout RewrittenObject
    ) throws(DescriptionError) {
        guard flattening.objects.isEmpty else {
            let part = try rewrite(schema, path.at(member.path))
            object.add(at: flattening.objects + [member.name], part.tree, isRequired: false, .either)
            return
        }
        let kinds = kinds(of: schema)
        appliedMoves.insert(member.move)
        for part in try parts(of: schema) {
            let isChoice = ["anyOf", "oneOf"].contains { source.member($0, of: part) != nil }
            guard !isChoice, !kinds.isDisjoint(with: [.object, .null]) else {
                throw DescriptionError(
                    at: source.pointer(schema), "only a schema of one kind of object can be flattened",
                    rule: flattening.rule, hint: "describe the object with `properties`, without `anyOf` or `oneOf`")
            }
            let inner = try self.object(part, path.at(member.path))
            for property in inner.properties {
                object.add(
                    flattening.prefix + property.name, property.schema,
                    isRequired: isRequired && property.isRequired && kinds == .object && member.path.rule < 0)
            }
            if inner.additional != .text("false") { object.isOpen = true }
        }
        // A rule for values accepts no object, but it may make it null.
        if kinds.contains(.null) || member.path.rule >= 0 { object.add(member.name, null, isRequired: false) }
    }
}
