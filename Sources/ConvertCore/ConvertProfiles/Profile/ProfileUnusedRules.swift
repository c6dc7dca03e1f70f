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
        let rules = warnOfRulesOutsideDocument(in: profile)
        warnOfOverriddenRules(rules)
        warnOfRemovedRules(rules, in: profile)
        warnOfRulesBelowValues(rules, in: profile)
        warnOfUnusedScans(in: profile, beside: rules.values)
        warnOfConstantDefaults(in: profile, rules.renames)
        if let text = profile.values.first(where: { $0.readsJSON })?.at.first,
            let drop = profile.drops.first(where: { $0.selector.pointerSegments.first ?? .anyDepth == .anyDepth })
        {
            warn(text.location, "\(Self.quoted(drop.selector)) in `drop` does not act inside this JSON text")
        }
        if profile.keys?.target == .preserve, rules.renames.isEmpty {
            for selector in rules.opaque {
                warn(selector.location, "the selector never applies: no rule changes the keys that it protects")
            }
        }
        warnOfShadowedRules(rules, in: profile)
        warnOfIdleRenames(in: profile)
    }

    /// Warns of rules that match nothing in the object that becomes the document. Returns the rules that others are compared with.
    private mutating func warnOfRulesOutsideDocument(in profile: Profile) -> ComparedRules {
        var rules = ComparedRules(profile)
        guard let unwrap = profile.unwrap?.located else { return rules }
        for (section, noun) in rules.ofKeys + [(rules.drops, "selector")] {
            warnOfUnused(section, noun, outside: unwrap, [.anyOne, .anyDepth])
        }
        warnOfUnused(rules.values, "selector", outside: unwrap, [.anyDepth])
        // Rules that never apply do not keep others from it. At the document and around it, `drop` does nothing.
        rules.values = rules.values.filter { !hasWarning($0) }
        rules.drops = rules.drops.filter { !hasWarning($0) && !Self.mayMatch($0, onWayTo: rules.document[...]) }
        return rules
    }

    /// Warns of rules that another rule for keys, or for values, overrides.
    private mutating func warnOfOverriddenRules(_ rules: ComparedRules) {
        for (section, noun) in rules.ofKeys {
            warnOfUnused(section, noun, rules.opaque, Self.isBelow) { shield in
                "\(shield) in `opaque` protects every path it can match"
            }
            warnOfUnused(section, noun, rules.moves, Self.isCovered) { move in "the move of \(move) writes the key" }
        }
        let isLessSpecific = { (other: Selector, rule: Selector) in other.rank > rule.rank && other.covers(rule) }
        let renamed = { (name: String) in "the rename of \(name) takes precedence at every path it can match" }
        warnOfUnused(rules.renames, "rename", rules.renames, isLessSpecific, renamed)
        // `except` protects a key only from the case rule, which never applies to a renamed key.
        warnOfUnused(rules.exceptions, "exception", rules.renames, Self.isCovered, renamed)
        warnOfUnused(rules.values, "selector", rules.values, isLessSpecific) { other in
            "the rule for \(other) takes precedence at every path it can match"
        }
    }

    /// Warns of rules for members that `drop` removes, or that `keep` does not keep.
    private mutating func warnOfRemovedRules(_ rules: ComparedRules, in profile: Profile) {
        let dropped = { (name: String) in "\(name) in `drop` removes every path it can match" }
        let records = (recordsAfterDrop(in: profile), "selector")
        for (section, noun) in rules.ofKeys + rules.ofOthers + [records] {
            warnOfUnused(section, noun, rules.drops, Self.isCoveredOrBelow, dropped)
            warnOfUnused(section, noun, notKeptBy: profile.keeps)
        }
        // A selector in `keep` and `drop` still keeps the containers around its values, unless `drop` removes them as well.
        let takesAll = { (drop: Selector, keep: Selector) in
            drop.covers(keep.pointerSegments.prefix(1)) && !keep.pointerSegments.isEmpty
        }
        warnOfUnused(profile.keeps, "selector", rules.drops, takesAll, dropped)
        warnOfUnused(profile.drops, "selector", notKeptBy: profile.keeps)
    }

    /// Warns of rules below values that are masked, or that may be no container.
    private mutating func warnOfRulesBelowValues(_ rules: ComparedRules, in profile: Profile) {
        // `keep` is not in this list: the containers that its pointers lead through stay, and rules apply to them.
        func inDocument(_ selectors: [LocatedSelector]) -> [LocatedSelector] {
            selectors.filter { !hasWarning($0) && !Self.mayMatch($0, onWayTo: rules.document.dropLast()) }
        }
        let masked = inDocument(profile.values.filter { $0.masksContainers }.flatMap { $0.at })
        let closed = inDocument(
            profile.dates.filter { profile.badValuePolicy($0.badValue) != .keep }.flatMap { $0.at }
                + profile.values.filter { profile.badValuePolicy($0.badValue) != .keep }.flatMap { $0.at })
        guard !closed.isEmpty || !masked.isEmpty else { return }
        for (section, noun) in rules.ofKeys + rules.ofOthers + [(profile.drops, "selector")] {
            warnOfUnused(section, noun, masked, Self.isBelow) { rule in
                "the rule for \(rule) masks all that is below it"
            }
            warnOfUnused(section, noun, closed, Self.isBelow) { rule in
                "the rule for \(rule) accepts no object or array, so nothing is below it"
            }
        }
    }

    /// Warns of selectors that another one of the same section covers.
    private mutating func warnOfShadowedRules(_ rules: ComparedRules, in profile: Profile) {
        warnOfShadowed(rules.exceptions, in: "except", Self.isCovered)
        warnOfShadowed(rules.opaque, in: "opaque", Self.isCoveredOrBelow)
        warnOfShadowed(rules.drops, in: "drop", Self.isCoveredOrBelow)
        warnOfShadowed(profile.requires, in: "require") { other, rule in other.requires(rule) }
        // Two rules for one path are an error, so two equal selectors here are in the `at` of one rule.
        for selectors in profile.dates.map({ $0.at }) + profile.values.map({ $0.at }) {
            warnOfShadowed(selectors, in: "at", ==)
        }
        // Even if a pointer in `keep` matches nothing, it keeps the containers that it leads through.
        warnOfShadowed(profile.keeps, in: "keep") { other, rule in
            (rule.walksNowhere || !other.searches) && Self.isCoveredOrBelow(other, rule)
        }
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
    // The relations of a rule to another one, which comes first.
    private static func isCovered(_ other: Selector, _ rule: Selector) -> Bool { other.covers(rule) }
    private static func isBelow(_ other: Selector, _ rule: Selector) -> Bool { other.shields(rule) }
    private static func isCoveredOrBelow(_ other: Selector, _ rule: Selector) -> Bool {
        other.covers(rule) || other.shields(rule)
    }

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

/// The selectors of the sections that are compared with each other, each with the word for one of its rules.
private struct ComparedRules {
    typealias Section = (selectors: [LocatedSelector], noun: String)

    let renames: [LocatedSelector]
    let exceptions: [LocatedSelector]
    let opaque: [LocatedSelector]
    let moves: [LocatedSelector]
    let flattens: [LocatedSelector]
    var values: [LocatedSelector]
    var drops: [LocatedSelector]
    /// The path of the object that becomes the document.
    let document: [Selector.Segment]

    init(_ profile: Profile) {
        renames = profile.renames.located
        // With `preserve`, `except` has no effect at all, and another warning says so once.
        exceptions = profile.keys.map { $0.target == .preserve ? [] : $0.except } ?? []
        opaque = profile.keys?.opaque ?? []
        moves = profile.moves.located
        flattens = profile.flattens.located
        values = profile.dates.flatMap { $0.at } + profile.values.flatMap { $0.at }
        drops = profile.drops
        document = profile.unwrap?.selector.pointerSegments ?? []
    }

    var ofKeys: [Section] { [(renames, "rename"), (exceptions, "exception")] }
    var ofOthers: [Section] {
        [(opaque, "selector"), (values, "selector"), (moves, "move"), (flattens, "rule")]
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
