/// Warnings of rules that can never act, where that is cheap to tell and certain.
///
/// No rule is called dead that some payload wakes; a rule that several others shadow together may go unnoticed.
extension ProfileReader {
    /// The most pairs of rules that are looked at for one kind of warning.
    private static let maxPairs = 1_000_000

    mutating func warnOfDeadRules(in profile: Profile) {
        let renames = profile.renames.map { PlacedSelector(selector: $0.selector, place: $0.place) }
        let dates = profile.dates.flatMap(\.at)
        // Under `preserve` every `except` is without use, which is said once.
        let exceptions = profile.keys.map { $0.target == .preserve ? [] : $0.except } ?? []

        let opaque = profile.keys?.opaque ?? []
        for (rules, noun) in [(renames, "rename"), (exceptions, "exception")] {
            warnOfDead(rules, noun, below: opaque) { shield in
                "\(shield) in `opaque` shields every place it can match"
            }
            warnOfDead(rules, noun, beside: renames) { rename in "the rename of \(rename) decides all its places" }
        }
        warnOfDead(dates, "selector", beside: dates) { other in "the rule for \(other) decides all its places" }

        for (rules, noun) in [(renames, "rename"), (exceptions, "exception"), (dates, "selector")] {
            warnOfDead(rules, noun, droppedBy: profile.drops)
        }
    }

    private mutating func warnOfDead(
        _ rules: [PlacedSelector], _ noun: String, below shields: [PlacedSelector], reason: (String) -> String
    ) {
        warnOfDead(rules, noun, shields, { $0.selector.shields($1.selector) }, reason)
    }

    /// Rules that a more specific one of the same kind covers.
    private mutating func warnOfDead(
        _ rules: [PlacedSelector], _ noun: String, beside others: [PlacedSelector], reason: (String) -> String
    ) {
        let covers = { (other: PlacedSelector, rule: PlacedSelector) in
            other.selector.rank > rule.selector.rank && other.selector.covers(rule.selector)
        }
        warnOfDead(rules, noun, others, covers, reason)
    }

    private mutating func warnOfDead(_ rules: [PlacedSelector], _ noun: String, droppedBy drops: [PlacedSelector]) {
        let takes = { (drop: PlacedSelector, rule: PlacedSelector) in
            drop.selector.covers(rule.selector) || drop.selector.shields(rule.selector)
        }
        warnOfDead(rules, noun, drops, takes) { drop in "\(drop) in `drop` leaves out every place it can match" }
    }

    private mutating func warnOfDead(
        _ rules: [PlacedSelector], _ noun: String, _ killers: [PlacedSelector],
        _ kills: (PlacedSelector, PlacedSelector) -> Bool, _ reason: (String) -> String
    ) {
        guard killers.count * rules.count <= Self.maxPairs else { return }
        for rule in rules {
            guard let killer = killers.first(where: { kills($0, rule) }) else { continue }
            warn(rule.place, "the \(noun) is dead: " + reason(Self.quoted(Array(killer.selector.description.utf8))))
        }
    }
}

extension Selector {
    /// Whether every place that `other` matches surely lies below one that this selector matches.
    fileprivate func shields(_ other: Selector) -> Bool {
        switch other.form {
        case .name: return form == .pointer([.anyDepth])
        case .pointer(let segments):
            return segments.indices.contains { end in
                segments[end...].contains { $0 != .anyDepth } && covers(segments[..<end])
            }
        }
    }

    /// Whether this selector surely matches every place that `other` matches.
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
