package import ConvertEngine
import ConvertText

/// One rule of a profile's `move` section: the value at `source` in the input moves to `target` in the output.
///
/// Both are pointers with a common beginning, the anchor. Only the anchor may contain `*`.
package struct MoveRule: Sendable, Hashable {
    /// A pointer with input keys, from the root.
    package internal(set) var source: Selector
    /// The anchor has input keys. The keys after it are output keys, which no rule renames.
    package internal(set) var target: Selector
    package let location: DocumentLocation

    /// The segments that the two share.
    var anchor: [Selector.Segment]
    /// The input keys from the anchor to the value; at least one.
    let sourceNames: [[UInt8]]
    /// The output keys from the anchor to the new path; at least one.
    let targetNames: [[UInt8]]
}

// MARK: - Reading

extension ProfileReader {
    /// Reads the rules. Targets begin at the document, which `unwrap` may take from deeper inside the payload.
    mutating func readMoves(_ id: NodeID, unwrapped: UnwrapRule?) -> [MoveRule] {
        let base = unwrapped?.selector.pointerSegments ?? []
        let rules = readMoves(id, below: [], base)
        var sources: Set<[UInt8]> = []
        for rule in rules where !sources.insert(rule.source.text()).inserted {
            refuse(
                rule.location, "another move has the same source \(Self.quoted(rule.source))", hint: "leave one out")
        }
        return rules
    }

    /// Reads the moves of the section, or of an object in it. The key of such an object is a prefix for the source and the target of each.
    private mutating func readMoves(
        _ id: NodeID, below prefix: [Selector.Segment], _ base: [Selector.Segment]
    ) -> [MoveRule] {
        var rules: [MoveRule] = []
        for (child, name) in distinctMembers(of: id, expected: "an object of source and target pointers") {
            if prefix.isEmpty, document[child].kind == .object {
                guard let inner = pointer(parsing: name, at: locationOfKey(child), in: "move") else { continue }
                rules += readMoves(child, below: inner.pointerSegments, base)
                continue
            }
            let source = pointer(parsing: name, at: locationOfKey(child), in: "move")
            if document[child].kind == .array {
                refuse(child, expected: "the target pointer", hint: "a value moves to one target only")
                continue
            }
            guard let target = pointer(child, in: "move", expected: "the target pointer"), let source else { continue }
            let rule = moveRule(
                Selector(segments: prefix + source.pointerSegments),
                Selector(segments: (prefix.starts(with: base) ? prefix : base + prefix) + target.pointerSegments),
                at: locationOfKey(child))
            if let rule { rules.append(rule) }
        }
        return rules
    }

    private mutating func moveRule(_ source: Selector, _ target: Selector, at location: DocumentLocation) -> MoveRule? {
        let (from, to) = (source.pointerSegments, target.pointerSegments)
        let longest = min(from.count, to.count) - 1
        var shared = 0
        while shared < longest, from[shared] == to[shared] { shared += 1 }
        let sourceNames = Selector.names(from[shared...])
        let targetNames = Selector.names(to[shared...])
        guard let sourceNames, let targetNames else {
            refuse(
                location, "a `*` must be in the common beginning of source and target",
                hint: "write the `*` in both, as in \"/items/*/a/b\": \"/items/*/b\"")
            return nil
        }
        if to == [.literal([])] {
            warn(location, "`/` is the key \"\", not the root", hint: "name the new key, as in `/name`")
        }
        if from == to { warn(location, "the move only puts the value at the end of its parent") }
        warnOfNumber(in: targetNames, at: location, hint: "`move` makes objects, not arrays")
        return MoveRule(
            source: source, target: target, location: location, anchor: Array(from[..<shared]),
            sourceNames: sourceNames,
            targetNames: targetNames)
    }

    /// The pointer without `**` that a string must be.
    mutating func pointer(_ id: NodeID, in section: String, expected: String = "a pointer") -> Selector? {
        guard let text = text(id, expected: expected) else { return nil }
        return pointer(parsing: Array(text.utf8), at: location(id), in: section)
    }

    /// A selector that must be a pointer without `**`.
    mutating func pointer(parsing text: [UInt8], at location: DocumentLocation, in section: String) -> Selector? {
        guard let selector = selector(parsing: text, at: location) else { return nil }
        guard case .pointer(let segments) = selector.form else {
            refuse(
                location, "`\(section)` needs pointers, not keys",
                hint: "begin with `/`: \(Self.quoted([ASCII.slash] + text))")
            return nil
        }
        guard !segments.contains(.anyDepth) else {
            refuse(location, "`\(section)` does not accept `**`", hint: "write the levels one by one, or `*` for each")
            return nil
        }
        return selector
    }

    /// Warns of a number among the output keys of a pointer. Rules make objects, never arrays, so the number is no index.
    mutating func warnOfNumber(in keys: [[UInt8]], at location: DocumentLocation, hint: String) {
        guard keys.contains(where: { Selector.isIndex($0) }) else { return }
        warn(location, "a number in this pointer is a key, not an index", hint: hint)
    }
}

// MARK: - Order

extension ProfileReader {
    /// Warns of an object that moves to a path below which another move puts a value. If that value comes first in the payload, it
    /// makes the object of the target, and the moved one collides with it.
    ///
    /// The keys of an anchor are those of the input. If other rules than a case may change some, only moves with the same anchor are
    /// compared. An object and a value in it always come in the same order.
    mutating func warnOfOrder(amongMovesOf profile: Profile) {
        let moves = profile.moves.filter { !hasWarning($0.located) }
        let keepsNames = profile.renames.isEmpty && profile.keys.map { $0.except.isEmpty && $0.opaque.isEmpty } ?? true
        var tree = PointerTree()
        let root = tree.addRoot()
        var anchors: [[UInt8]: Int32] = [:]
        var objects: [Int32: Int] = [:]
        for (index, move) in moves.enumerated() {
            let anchor = Selector.text(of: move.anchor)
            if anchors[anchor] == nil {
                anchors[anchor] =
                    keepsNames
                    ? profile.outputNames(of: move.anchor).reduce(root) { tree.extend($0, by: $1) } : tree.addRoot()
            }
            guard var node = anchors[anchor] else { continue }
            for name in move.targetNames { node = tree.extend(node, by: .literal(name)) }
            objects[node] = objects[node] ?? index
        }
        for move in moves {
            guard var node = anchors[Selector.text(of: move.anchor)] else { continue }
            let value = move.source.pointerSegments
            for name in move.targetNames.dropLast() {
                node = tree.extend(node, by: .literal(name))
                guard let object = objects[node].map({ moves[$0] }) else { continue }
                let source = object.source.pointerSegments
                guard !value.starts(with: source), !source.starts(with: value) else { continue }
                warn(object, dependingOnOrderWith: move)
                // One warning for each object is enough.
                objects[node] = nil
            }
        }
    }

    private mutating func warn(_ object: MoveRule, dependingOnOrderWith move: MoveRule) {
        let name = Self.quoted(object.source)
        let isRename = object.sourceNames.count == 1 && object.targetNames.count == 1
        warn(
            object.location,
            "the result depends on the order of keys in the payload: \(Self.quoted(move.source)), moved"
                + " \(move.location.inWords), goes into the same target",
            hint: isRename
                ? "rename \(name) to \(Self.quoted(object.targetNames[0])) instead"
                : "move the values in \(name) one by one")
    }
}

extension Profile {
    /// A path with the keys that the case rule writes.
    fileprivate func outputNames(of path: [Selector.Segment]) -> [Selector.Segment] {
        guard let keys else { return path }
        let rule = keys.rule(to: keys.target)
        return path.map { segment in segment.name.map { .literal(rule.converted($0)) } ?? segment }
    }
}
