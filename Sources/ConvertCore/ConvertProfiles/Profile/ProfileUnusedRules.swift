import ConvertEngine

/// Warnings about rules that can never apply, if that is certain and cheap to find out.
///
/// A rule gets such a warning only if no payload makes it apply. A rule that only several others together cover may get none.
extension ProfileReader {
    /// The most pairs of segments that are compared for one kind of warning. A plain key counts as one segment.
    private static let maxPairs = 250_000
    /// Longer pointers get no warning: the time to compare two pointers grows with the square of their lengths.
    private static let maxSegments = 32

    mutating func warnOfUnusedRules(in profile: Profile) {
        let renames = profile.renames.located
        var values = profile.dates.flatMap { $0.at } + profile.values.flatMap { $0.at }
        var drops = profile.drops
        let moves = profile.moves.located
        let flattens = profile.flattens.located
        // With `preserve`, `except` has no effect at all, and another warning says so once.
        let exceptions = profile.keys.map { $0.target == .preserve ? [] : $0.except } ?? []

        let opaque = profile.keys?.opaque ?? []
        let document = profile.unwrap?.selector.pointerSegments ?? []

        if let unwrap = profile.unwrap?.located {
            for (rules, noun) in [(renames, "rename"), (exceptions, "exception"), (drops, "selector")] {
                warnOfUnused(rules, noun, outside: unwrap, [.anyOne, .anyDepth])
            }
            warnOfUnused(values, "selector", outside: unwrap, [.anyDepth])
            // Rules that never apply do not keep others from it. At the document and around it, `drop` does nothing.
            values = values.filter { !hasWarning($0) }
            drops = drops.filter { !hasWarning($0) && !Self.mayMatch($0, onWayTo: document[...]) }
        }

        // The relations of a rule to another one, which comes first.
        let isCovered = { (other: Selector, rule: Selector) in other.covers(rule) }
        let isBelow = { (other: Selector, rule: Selector) in other.shields(rule) }
        let isCoveredOrBelow = { (other: Selector, rule: Selector) in other.covers(rule) || other.shields(rule) }
        let isLessSpecific = { (other: Selector, rule: Selector) in other.rank > rule.rank && other.covers(rule) }

        for (rules, noun) in [(renames, "rename"), (exceptions, "exception")] {
            warnOfUnused(rules, noun, opaque, isBelow) { shield in
                "\(shield) in `opaque` protects every path it can match"
            }
            warnOfUnused(rules, noun, moves, isCovered) { move in "the move of \(move) writes the key" }
        }
        let renamed = { (name: String) in "the rename of \(name) takes precedence at every path it can match" }
        warnOfUnused(renames, "rename", renames, isLessSpecific, renamed)
        // `except` protects a key only from the case rule, which never applies to a renamed key.
        warnOfUnused(exceptions, "exception", renames, isCovered, renamed)
        warnOfUnused(values, "selector", values, isLessSpecific) { other in
            "the rule for \(other) takes precedence at every path it can match"
        }

        let dropped = { (name: String) in "\(name) in `drop` removes every path it can match" }
        for (rules, noun) in [
            (renames, "rename"), (exceptions, "exception"), (opaque, "selector"), (values, "selector"), (moves, "move"),
            (flattens, "rule"), (recordsAfterDrop(in: profile), "selector"),
        ] {
            warnOfUnused(rules, noun, drops, isCoveredOrBelow, dropped)
            warnOfUnused(rules, noun, notKeptBy: profile.keeps)
        }
        // A selector in `keep` and `drop` still keeps the containers around its values, unless `drop` removes them as well.
        let takesAll = { (drop: Selector, keep: Selector) in
            drop.covers(keep.pointerSegments.prefix(1)) && !keep.pointerSegments.isEmpty
        }
        warnOfUnused(profile.keeps, "selector", drops, takesAll, dropped)
        warnOfUnused(profile.drops, "selector", notKeptBy: profile.keeps)

        // `keep` is not in this list: the containers that its pointers lead through stay, and rules apply to them.
        func inDocument(_ rules: [LocatedSelector]) -> [LocatedSelector] {
            rules.filter { !hasWarning($0) && !Self.mayMatch($0, onWayTo: document.dropLast()) }
        }
        let masked = inDocument(profile.values.filter { $0.masksContainers }.flatMap { $0.at })
        let closed = inDocument(
            profile.dates.filter { profile.badValuePolicy($0.badValue) != .keep }.flatMap { $0.at }
                + profile.values.filter { profile.badValuePolicy($0.badValue) != .keep }.flatMap { $0.at })
        if !closed.isEmpty || !masked.isEmpty {
            let sections = [
                (renames, "rename"), (exceptions, "exception"), (values, "selector"), (moves, "move"),
                (flattens, "rule"), (profile.drops, "selector"), (opaque, "selector"),
            ]
            for (rules, noun) in sections {
                warnOfUnused(rules, noun, masked, isBelow) { rule in "the rule for \(rule) masks all that is below it" }
                warnOfUnused(rules, noun, closed, isBelow) { rule in
                    "the rule for \(rule) accepts no object or array, so nothing is below it"
                }
            }
        }
        warnOfUnusedScans(in: profile, beside: values)
        warnOfConstantDefaults(in: profile, renames)
        if let text = profile.values.first(where: { $0.readsJSON })?.at.first,
            let drop = profile.drops.first(where: { $0.selector.pointerSegments.first ?? .anyDepth == .anyDepth })
        {
            warn(text.location, "\(Self.quoted(drop.selector)) in `drop` does not act inside this JSON text")
        }
        if profile.keys?.target == .preserve, renames.isEmpty {
            for selector in opaque {
                warn(selector.location, "the selector never applies: no rule changes the keys that it protects")
            }
        }
        var lists: [(rules: [LocatedSelector], name: String, shadows: (Selector, Selector) -> Bool)] = [
            (exceptions, "except", isCovered), (opaque, "opaque", isCoveredOrBelow), (drops, "drop", isCoveredOrBelow),
            (profile.requires, "require", { other, rule in other.requires(rule) }),
        ]
        // Two rules for one path are an error, so two equal selectors here are in the `at` of one rule.
        lists += (profile.dates.map { $0.at } + profile.values.map { $0.at }).map { ($0, "at", ==) }
        // Even if a pointer in `keep` matches nothing, it keeps the containers that it leads through.
        lists.append(
            (
                profile.keeps, "keep",
                { other, rule in (rule.walksNowhere || !other.searches) && isCoveredOrBelow(other, rule) }
            ))
        for list in lists { warnOfShadowed(list.rules, in: list.name, list.shadows) }
        warnOfIdleRenames(in: profile)
    }

    /// Warns of a rename to the same key, if the profile has no other rule for keys that it could override. Also warns of selectors
    /// in both `keep` and `drop`.
    private mutating func warnOfIdleRenames(in profile: Profile) {
        let hasCase = profile.keys.map { $0.target != .preserve } ?? false
        if !hasCase, profile.renames.count == 1, let rename = profile.renames.first,
            let name = rename.selector.soleName, NewKey(name) == rename.target
        {
            warn(rename.location, "the rename changes nothing: the new key is the old one", hint: "remove it")
        }
        let keeps = Set(profile.keeps.filter { !hasWarning($0) }.map { $0.selector.text() })
        for drop in profile.drops where keeps.contains(drop.selector.text()) {
            warn(
                drop.location, "\(Self.quoted(drop.selector)) is also in `keep`, and what is dropped is not kept",
                hint: "remove one of the two")
        }
    }

    /// The selector of the records; none if a check before `keep` and `drop` can find an error in a record.
    private func recordsAfterDrop(in profile: Profile) -> [LocatedSelector] {
        guard let at = profile.records?.at, profile.requires.isEmpty, profile.policies.duplicateKey != .error else {
            return []
        }
        return [at]
    }

    /// Warns of scans if every string has a rule of its own. Only `/**` matches the outermost value, too.
    private mutating func warnOfUnusedScans(in profile: Profile, beside values: [LocatedSelector]) {
        guard let all = values.first(where: { $0.selector.form == .pointer([.anyDepth]) }) else { return }
        let name = Self.quoted(all.selector)
        for entry in profile.dates where entry.scans {
            warn(
                entry.location,
                "the scan never applies: the rule for \(name) takes precedence at every path it can match")
        }
    }

    /// Warns of selectors that another one in the same list covers. Of two that cover each other, the later one gets the warning.
    private mutating func warnOfShadowed(
        _ rules: [LocatedSelector], in list: String, _ shadows: (Selector, Selector) -> Bool
    ) {
        let rules = rules.filter(Self.isShort)
        guard Self.arePairsFew(rules, rules) else { return }
        for (index, rule) in rules.enumerated() where !hasWarning(rule) {
            let others = rules.enumerated().filter { other in
                other.offset != index && shadows(other.element.selector, rule.selector)
                    && (other.offset < index || !shadows(rule.selector, other.element.selector))
            }
            guard let other = others.first?.element else { continue }
            let name = Self.quoted(other.selector)
            warn(rule.location, "the selector never applies: \(name) in `\(list)` covers every path it can match")
        }
    }

    /// Warns of defaults for keys that renames remove from every output.
    private mutating func warnOfConstantDefaults(in profile: Profile, _ renames: [LocatedSelector]) {
        let defaults = profile.defaults.located
        guard profile.keys?.target ?? .preserve == .preserve, profile.moves.isEmpty, profile.flattens.isEmpty,
            Self.arePairsFew(defaults, renames)
        else { return }
        let targets = Set(profile.renames.compactMap { $0.target.literal })
        let patterns = profile.renames.filter { $0.target.literal == nil }
        for rule in defaults {
            guard let name = rule.selector.pointerSegments.last?.name, !targets.contains(name),
                !patterns.contains(where: { $0.target.mayBe(name) }),
                renames.contains(where: { $0.selector.covers(rule.selector) })
            else { continue }
            warn(rule.location, "the default always applies, because a rename removes this key; write the new key")
        }
    }

    /// Warns of rules for paths that are neither in nor around a kept value. A plain key may be anywhere.
    private mutating func warnOfUnused(_ rules: [LocatedSelector], _ noun: String, notKeptBy keeps: [LocatedSelector]) {
        guard !keeps.isEmpty, Self.arePairsFew(rules, keeps), keeps.allSatisfy(Self.isShort) else { return }
        for rule in rules
        where Self.isShort(rule) && !hasWarning(rule)
            && !keeps.contains(where: { $0.selector.reaches(rule.selector) })
        {
            warn(rule.location, "the \(noun) never applies: `keep` keeps none of the paths it can match")
        }
    }

    /// Warns of rules that match none of the paths that begin with the document's and go on as `others` say.
    private mutating func warnOfUnused(
        _ rules: [LocatedSelector], _ noun: String, outside document: LocatedSelector, _ others: [Selector.Segment]
    ) {
        let inside = Selector(segments: document.selector.pointerSegments + others)
        let misses = { (_: Selector, rule: Selector) in !inside.canMatchSamePath(as: rule) }
        warnOfUnused(rules, noun, [document], misses) { name in
            "it matches nothing in \(name), which becomes the document"
        }
    }

    /// Warns of rules for paths at which another one always acts instead.
    private mutating func warnOfUnused(
        _ rules: [LocatedSelector], _ noun: String, _ killers: [LocatedSelector],
        _ kills: (Selector, Selector) -> Bool, _ reason: (String) -> String
    ) {
        let killers = killers.filter(Self.isShort)
        guard Self.arePairsFew(rules, killers) else { return }
        for rule in rules where Self.isShort(rule) && !hasWarning(rule) {
            guard let killer = killers.first(where: { kills($0.selector, rule.selector) }) else { continue }
            warn(rule.location, "the \(noun) never applies: " + reason(Self.quoted(killer.selector)))
        }
    }
}

extension ProfileReader {
    private static func arePairsFew(_ rules: [LocatedSelector], _ others: [LocatedSelector]) -> Bool {
        let count = { (rules: [LocatedSelector]) in
            rules.reduce(0) { $0 + max(1, $1.selector.pointerSegments.count) }
        }
        return count(rules) * count(others) <= maxPairs
    }

    private static func isShort(_ rule: LocatedSelector) -> Bool { rule.selector.pointerSegments.count <= maxSegments }

    /// Whether a selector may match one of the values that these keys lead through, or to.
    private static func mayMatch(_ rule: LocatedSelector, onWayTo keys: ArraySlice<Selector.Segment>) -> Bool {
        guard keys.count <= maxSegments else { return true }
        return keys.indices.contains { rule.selector.canMatchSamePath(as: Selector(segments: Array(keys[...$0]))) }
    }

    /// Whether the rule already has a warning: one is enough.
    func hasWarning(_ rule: LocatedSelector) -> Bool {
        warnedPointers.contains(Array(rule.location.pointer.utf8))
    }
}

extension Selector {
    /// Whether every payload that meets this requirement also meets `other`.
    fileprivate func requires(_ other: Selector) -> Bool {
        let (mine, others) = (pointerSegments, other.pointerSegments)
        return mine.starts(with: others) && !mine.dropFirst(others.count).contains(.anyOne)
    }

    /// Whether every path that `other` matches certainly lies below one that this selector matches.
    fileprivate func shields(_ other: Selector) -> Bool {
        switch other.form {
        case .name: return form == .pointer([.anyDepth])
        case .pointer(let segments):
            return segments.indices.contains { end in
                segments[end...].contains { $0 != .anyDepth } && covers(segments[..<end])
            }
        }
    }

    /// Whether the selector names no container: a pointer names those before its first `**`, a plain key names none.
    fileprivate var walksNowhere: Bool {
        guard case .pointer(let segments) = form else { return true }
        return segments.first == .anyDepth
    }

    /// Whether a path that `other` matches may be equal to one that this selector matches, or lie inside or around it.
    func reaches(_ other: Selector) -> Bool {
        guard case .pointer(let mine) = form, case .pointer(let others) = other.form else { return true }
        return mine.indices.contains { Self.canMeet(mine[...$0], others[...]) }
            || others.indices.contains { Self.canMeet(others[...$0], mine[...]) }
    }

    /// Whether this selector certainly matches every path that `other` matches.
    fileprivate func covers(_ other: Selector) -> Bool {
        switch (form, other.form) {
        case (_, .pointer(let segments)): covers(segments[...])
        case (.pointer(let mine), .name):
            mine == [.anyDepth] || mine == [.anyDepth, .anyOne]
                || other.literalName.map { mine == [.anyDepth, .literal($0)] } == true
        case (.name, .name): other.literalName.map { matchesName($0) } ?? (self == other)
        }
    }
}
