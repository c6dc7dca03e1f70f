package import ConvertEngine

/// One rule of a profile's `flatten` section: the members of an object move into the object around it.
package struct FlattenRule: Sendable, Hashable {
    /// The object: a pointer with input keys, without `**`.
    package internal(set) var selector: Selector
    /// The beginning of the output keys of the members, UTF-8; may be empty.
    package let prefix: [UInt8]
    /// The output keys that the inverse direction puts back, UTF-8. It is empty if the rule has a `prefix`, or is one
    /// way.
    package let names: Set<[UInt8]>
    package let location: DocumentLocation

    /// The path of the object around it; `ownName` is the object's own input key, or nil for `*`.
    var parent: ArraySlice<Selector.Segment> { selector.pointerSegments.dropLast() }
    var ownName: [UInt8]? { selector.soleName }

    /// Whether the inverse takes a member with this output key for one of the object's.
    package func claims(_ name: [UInt8]) -> Bool {
        prefix.isEmpty ? names.contains(name) : name.starts(with: prefix)
    }

    /// Whether the inverse could mistake its members for those of another flattened object in the same parent.
    fileprivate func sharesNames(with other: FlattenRule) -> Bool {
        switch (prefix.isEmpty, other.prefix.isEmpty) {
        case (false, false): prefix.starts(with: other.prefix) || other.prefix.starts(with: prefix)
        case (false, true): other.names.contains { $0.starts(with: prefix) }
        case (true, false): names.contains { $0.starts(with: other.prefix) }
        case (true, true): !names.isDisjoint(with: other.names)
        }
    }
}

// MARK: - Reading

extension ProfileReader {
    /// The most objects that are flattened, and the most segments in their pointers, since each is compared with each.
    private static let maxFlattens = 250
    private static let maxFlattenSegments = 12_500

    mutating func readFlattens(_ id: NodeID) -> [FlattenRule] {
        var rules: [FlattenRule] = []
        var segments = 0
        for element in elements(id) {
            guard let rule = readFlatten(element) else { continue }
            segments += rule.selector.pointerSegments.count
            guard rules.count < Self.maxFlattens, segments <= Self.maxFlattenSegments else {
                refuse(
                    rule.location, "more than \(Self.maxFlattens) paths, or paths that are too long, in `flatten`",
                    hint: "write `*` instead of keys")
                break
            }
            if let first = rules.first(where: { $0.selector == rule.selector }) {
                refuse(rule.location, "the path is also \(first.location.inWords)", hint: "leave one out")
            }
            rules.append(rule)
        }
        return rules
    }

    private mutating func readFlatten(_ id: NodeID) -> FlattenRule? {
        guard document[id].kind == .object else {
            guard let text = text(id, expected: "a pointer or an object with `at`") else { return nil }
            return flattenRule(text, at: id, in: id)
        }
        guard let members = members(of: id, as: .flatten) else { return nil }
        guard let at = required("at", of: id, members, hint: "name the object, such as /data/attributes"),
            let text = text(at, expected: "a pointer")
        else { return nil }
        let prefix = members["prefix"].flatMap { readPrefix($0) }
        let names = members["names"].flatMap { readFlattenedNames($0) }
        if let node = members["names"], members["prefix"] != nil {
            refuse(locationOfKey(node), "`names` does nothing beside `prefix`", hint: "leave one out")
        }
        return flattenRule(text, at: at, in: id, prefix: prefix ?? [], names: names ?? [])
    }

    private mutating func flattenRule(
        _ text: String, at id: NodeID, in rule: NodeID, prefix: [UInt8] = [], names: Set<[UInt8]> = []
    ) -> FlattenRule? {
        guard let selector = pointer(parsing: Array(text.utf8), at: location(id), in: "flatten") else { return nil }
        if selector.pointerSegments == [.literal([])] {
            warn(location(id), "`/` is the key \"\", not the root", hint: "name the object, such as /data")
        }
        return FlattenRule(selector: selector, prefix: prefix, names: names, location: location(rule))
    }

    private mutating func readPrefix(_ id: NodeID) -> [UInt8]? {
        guard let text = text(id, expected: "a string") else { return nil }
        if text.isEmpty { refuse(id, "`prefix` is empty", hint: "leave it out") }
        return Array(text.utf8)
    }

    private mutating func readFlattenedNames(_ id: NodeID) -> Set<[UInt8]> {
        if elements(id).isEmpty { refuse(id, "`names` is empty", hint: "leave it out, or list the output keys") }
        return Set(elements(id).compactMap { text($0, expected: "a key").map { Array($0.utf8) } })
    }

    // MARK: Conflicts

    /// The most pairs of a move and a flattened object that are compared.
    private static let maxMovedPairs = 100_000

    /// Refuses rules that need the path of a flattened object. It has none in the output, so it cannot move, be a record, or contain
    /// the target of a move. If its members were records, the inverse would have to discard them before it makes the object.
    mutating func refuseFlattened(_ profile: Profile) {
        guard !profile.flattens.isEmpty else { return }
        guard profile.moves.count * profile.flattens.count <= Self.maxMovedPairs else {
            return refuse(
                profile.flattens[0].location, "too many moves to compare with `flatten`",
                hint: "use two profiles, one after the other")
        }
        for rule in profile.flattens {
            let name = Self.quoted(rule.selector)
            for move in profile.moves where move.source.canMatchSamePath(as: rule.selector) {
                refuse(
                    rule.location, "\(name) is also moved, \(move.location.inWords)",
                    hint: "move the values in it, or use two profiles, one after the other")
            }
            for move in profile.moves where rule.selector.isOnTheWay(of: move.target) {
                refuse(
                    move.location, "the target is in \(name), which is flattened \(rule.location.inWords)",
                    hint: "move into the object around it")
            }
            if let at = profile.sparedRecords, rule.selector.isOnTheWay(of: at.selector, most: 1) {
                refuse(
                    rule.location, "\(name) is a record or contains records, which may be discarded",
                    hint: "flatten objects in records")
            }
        }
    }
}

extension Selector {
    /// Whether the selector may match the path of a pointer, or a container on that path, at `most` so many levels above its end.
    fileprivate func isOnTheWay(of pointer: Selector, most levels: Int = .max) -> Bool {
        let (mine, others) = (pointerSegments, pointer.pointerSegments)
        return mine.count <= others.count && others.count - mine.count <= levels
            && Self.canMeet(mine[...], others.prefix(mine.count))
    }
}

// MARK: - Inverse

extension Profile {
    /// The reason why the inverse cannot undo a rule; nil if it can.
    func wayBackLoss(of rule: FlattenRule) -> ProfileFault? {
        guard !rule.prefix.isEmpty || !rule.names.isEmpty else {
            return rule.fault(
                "flattened keys cannot be distinguished from the other keys",
                hint: "write {\"at\": \"\(rule.selector)\", \"prefix\": \"…\"}, or list their output keys in `names`")
        }
        guard rule.ownName != nil else {
            return rule.fault(
                "keys of several objects cannot be distinguished", hint: "name each object, without `*` at the end")
        }
        for other in flattens where other.location != rule.location {
            let around = other.selector.pointerSegments[...]
            if around != rule.parent, Selector.canMeet(around, rule.parent) {
                return rule.fault(
                    "some of the objects around it are flattened, by the rule \(other.location.inWords)",
                    hint: "write the same path in both")
            }
            if Selector.canMeet(other.parent, rule.parent), rule.sharesNames(with: other) {
                return rule.fault(
                    "its keys cannot be distinguished from those of the rule \(other.location.inWords)",
                    hint: "choose prefixes of which none begins with another")
            }
        }
        return nil
    }

    /// The loss of a rule if another key looks like one of the object's members; nil if none does.
    func rivalLoss(of rule: FlattenRule) -> ProfileFault? {
        func loss(_ name: [UInt8], _ noun: String, _ location: DocumentLocation) -> ProfileFault {
            rule.fault(
                "\(ProfileReader.quoted(name)), which a \(noun) \(location.inWords) writes, looks like one of its keys",
                hint: "choose another key")
        }
        if rule.prefix.isEmpty, ownKeys(of: rule).contains(where: rule.claims) {
            return rule.fault(
                "`names` has the object's own key, so the inverse takes this value for the object",
                hint: "rename the key in the object")
        }
        for rename in renames {
            guard let key = rename.target.literal, rule.claims(key), rename.selector.canStandBeside(rule.selector)
            else {
                continue
            }
            return loss(key, "rename", rename.location)
        }
        for move in moves {
            guard let name = move.targetNames.first, rule.claims(name), Selector.canMeet(move.anchor[...], rule.parent)
            else { continue }
            return loss(name, "move", move.location)
        }
        return nil
    }

    /// The keys that the inverse takes for a flattened object itself, because null may be in its place.
    private func ownKeys(of rule: FlattenRule) -> [[UInt8]] {
        guard let name = rule.ownName else { return [] }
        return [name] + (keys.map { [$0.rule(to: $0.target).converted(name)] } ?? [])
    }

    /// The condition under which the inverse of a rule restores a payload, for a message.
    func condition(of rule: FlattenRule) -> String {
        guard !rule.prefix.isEmpty else {
            return "reversible if the object has keys, all of them in `names`, and no key beside it is one of these"
        }
        let own = ownKeys(of: rule).first { $0.starts(with: rule.prefix) }
        let excluded = own.map { ", none of which becomes \(ProfileReader.quoted($0))" } ?? ""
        let prefix = ProfileReader.quoted(rule.prefix)
        return "reversible if the object has keys\(excluded), and no key beside it begins with \(prefix)"
    }

    /// The rules that the inverse undoes. `names` has the input keys of the flattened objects around each, outermost first, and the
    /// object's own key last.
    var undoneFlattens: [(rule: FlattenRule, names: [[UInt8]])] {
        let undone = flattens.filter { wayBackLoss(of: $0) == nil }
        let indices = Dictionary(keepingFirst: undone.indices.map { (undone[$0].selector.text(), $0) })
        return undone.map { rule in
            var path = rule.selector.pointerSegments
            var around: [[UInt8]] = []
            while let index = indices[Selector.text(of: path)] {
                around.append(undone[index].ownName ?? [])
                path.removeLast()
            }
            return (rule, around.reversed())
        }
    }
}
