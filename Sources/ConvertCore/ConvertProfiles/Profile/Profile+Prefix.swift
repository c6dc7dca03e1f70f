import ConvertEngine

extension Profile {
    /// This profile for payloads that contain the described value at a deeper path.
    ///
    /// The selectors of a profile name paths from the root of the payload. A profile of a `User` says nothing about a list of users:
    ///
    ///     let user = try Profile(.rename(["/b": "bets", "/b/*/i": "betId"]))
    ///     let users = try user.prefixed(with: "/*")              // [User]
    ///     let page = try user.prefixed(with: "/data/users/*")    // {"data": {"users": [User]}}
    ///
    /// Every pointer gets the prefix, also targets of moves and pointers of defaults. Plain keys, such as `firstName`,
    /// match at any depth and do not change. The profile's examples are omitted, because they show payloads without the
    /// prefix.
    ///
    /// - Parameter pointer: keys and `*`; not `**`.
    /// - Throws: `ProfileError` if the prefix is not such a pointer.
    public func prefixed(with pointer: String) throws(ProfileError) -> Profile {
        guard !pointer.isEmpty else { return self }
        let prefix = try Self.prefix(pointer)
        if let location = unwrap?.location ?? wrap?.location {
            throw ProfileError(
                at: location, "`unwrap` and `wrap` are for whole documents, so the profile takes no prefix")
        }
        var profile = self
        profile.examples = []
        profile.keys?.except.prefix(with: prefix)
        profile.keys?.opaque.prefix(with: prefix)
        profile.renames.prefix(with: prefix)
        for index in dates.indices { profile.dates[index].at.prefix(with: prefix) }
        for index in values.indices {
            profile.values[index].at.prefix(with: prefix)
            guard case .names(var form) = values[index].conversion else { continue }
            form.base = prefix + form.base
            profile.values[index].conversion = .names(form)
        }
        profile.drops.prefix(with: prefix)
        profile.keeps.prefix(with: prefix)
        profile.scopes.prefix(with: prefix)
        profile.requires.prefix(with: prefix)
        profile.moves.prefix(with: prefix)
        for index in moves.indices {
            profile.moves[index].target.prefix(with: prefix)
            profile.moves[index].anchor = prefix + moves[index].anchor
        }
        profile.flattens.prefix(with: prefix)
        profile.defaults.prefix(with: outputPath(prefix))
        profile.records?.at?.selector.prefix(with: prefix)
        return profile
    }

    /// The error of a default or move inside `ProfileRule.at`, if the output has another path there than the input.
    func faultOfOutputPath(_ rule: ProfileRule) -> ProfileFault? {
        let isDefault = rule.section == "defaults"
        guard isDefault || rule.section == "move", let prefix = try? Selector(parsing: Array(rule.prefix.utf8)) else {
            return nil
        }
        let path = prefix.pointerSegments
        // The common beginning of a move's source and target has input keys, but starts at the document that `unwrap` takes.
        var moved = isDefault ? moves.map { $0.source } + flattens.map { $0.selector } : []
        if let unwrap { moved.append(unwrap.selector) }
        let isMoved = path.indices.contains { end in moved.contains { $0.covers(path[...end]) } }
        guard isMoved || (isDefault && outputPath(path) != path) else { return nil }
        return rule.fault(
            "`\(rule.section)` names paths of the output, and the profile writes \(prefix) with another key or at another path",
            hint: "write this rule outside of `at`, with the path in the output")
    }

    /// A path of the input with its output keys, as `defaults` writes it.
    private func outputPath(_ path: [Selector.Segment]) -> [Selector.Segment] {
        path.indices.map { index in
            guard case .literal(var name) = path[index] else { return path[index] }
            let isOpaque = (0...index).contains { end in
                keys?.opaque.contains { $0.selector.covers(path[..<end]) } == true
            }
            if isOpaque { return path[index] }
            let isMeant = { (selector: Selector) in selector.covers(path[...index]) }
            let renames = renames.filter { isMeant($0.selector) }
            if let rename = renames.max(by: { $0.selector.rank < $1.selector.rank }) {
                name = rename.target.written(for: name)
                if rename.target.literal != nil { return .literal(name) }
            }
            guard let keys, keys.target != .preserve, !keys.except.contains(where: { isMeant($0.selector) }) else {
                return .literal(name)
            }
            return .literal(keys.rule(to: keys.target).converted(name))
        }
    }

    private static func prefix(_ pointer: String) throws(ProfileError) -> [Selector.Segment] {
        let message: String
        do throws(SelectorError) {
            let segments = try Selector(parsing: Array(pointer.utf8)).pointerSegments
            if !segments.isEmpty, !segments.contains(.anyDepth) { return segments }
            message = "a prefix must be a pointer without `**`, such as /users/*"
        } catch {
            message = "the prefix \(error.message)"
        }
        let location = DocumentLocation(pointer: "", line: 1, column: 1)
        throw ProfileError(at: location, message, hint: "write /users/* for the elements of users")
    }
}

extension Array where Element: LocatedRule {
    fileprivate mutating func prefix(with segments: [Selector.Segment]) {
        for index in indices { self[index].selector.prefix(with: segments) }
    }
}

extension Selector {
    /// Puts a pointer below `prefix`. A plain key matches at any depth, so it does not change.
    fileprivate mutating func prefix(with prefix: [Segment]) {
        if !pointerSegments.isEmpty { self = Selector(segments: prefix + pointerSegments) }
    }
}
