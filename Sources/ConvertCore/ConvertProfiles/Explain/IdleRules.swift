import ConvertEngine

/// The rules of a profile that did nothing to the payloads of a tally, each with its reason.
struct IdleRules {
    /// A selector of a rule, with the data that decides whether the rule had an effect.
    private struct Candidate {
        let section: SelectorSection
        /// The rule's key in the tally: its JSON Pointer into the profile.
        let rule: String
        let located: LocatedSelector
    }

    /// The most rules that are listed.
    private static let maxRules = 1000
    /// The most steps for comparing selectors with paths. After these, no more rules are listed.
    private static let maxSteps = 20_000_000
    /// The most keys that are compared letter by letter with misspelt ones.
    private static let maxComparedKeys = 200_000

    private let tally: ExplanationTally
    private let named: PayloadShape
    private var nearest: NearestPath
    private var rules: [Explanation.IdleRule] = []
    private var steps = 0
    private var comparedKeys = 0
    /// The pointer of the `opaque` rule that protects the keys below a node.
    private var shields: [Int: String] = [:]

    init(_ tally: ExplanationTally) {
        self.tally = tally
        named = tally.named
        nearest = NearestPath(tally)
        for opaque in tally.profile.keys?.opaque ?? [] {
            for index in named.indices(of: opaque.selector) { shields[index] = opaque.location.pointer }
        }
    }

    consuming func all() -> [Explanation.IdleRule] {
        for candidate in candidates where canAdd { check(candidate) }
        if tally.direction == .forward { checkDefaults() }
        checkWholeSections()
        return rules
    }

    private var canAdd: Bool { rules.count < Self.maxRules && steps < Self.maxSteps }

    private mutating func add(
        _ rule: String, _ label: String, _ reason: String, at location: DocumentLocation? = nil,
        namesOutput: Bool = false
    ) {
        guard rules.count < Self.maxRules else { return }
        rules.append(
            Explanation.IdleRule(rule: rule, label: label, reason: reason, location: location, namesOutput: namesOutput)
        )
    }

    /// Every selector that acts in this direction.
    private var candidates: [Candidate] {
        let profile = tally.profile
        func each(_ section: SelectorSection) -> [Candidate] {
            profile.rules(in: section).flatMap { rule in
                rule.at.map { Candidate(section: section, rule: rule.location.pointer, located: $0) }
            }
        }
        func kept(_ selectors: [LocatedSelector]) -> [Candidate] {
            selectors.map { Candidate(section: .keep, rule: $0.location.pointer, located: $0) }
        }
        let both: [SelectorSection] = [.rename, .except, .opaque, .dates, .values, .move, .flatten]
        let found = both.flatMap(each)
        guard tally.direction == .forward else { return found }
        let scopes = profile.scopes.flatMap { scope in
            // If there is no such object, its members are not listed.
            kept([scope.located] + (named.indices(of: scope.selector).isEmpty ? [] : scope.memberSelectors))
        }
        let records = profile.records?.at.map { [Candidate(section: .records, rule: "/records", located: $0)] } ?? []
        return found + kept(profile.keeps) + scopes + each(.drop) + records
    }

    // MARK: Selectors

    private mutating func check(_ candidate: Candidate) {
        let selector = candidate.located.selector
        let length = max(1, selector.pointerSegments.count)
        steps += selector.hasWildcard ? named.nodes.count * length : length
        // These sections have a pointer for each selector.
        let isOfOneSelector = [.rename, .except, .move, .flatten, .drop].contains(candidate.section)
        guard !isOfOneSelector || tally.acting[candidate.rule] == nil else { return }
        let indices = named.indices(of: selector)
        guard !indices.isEmpty else {
            steps += named.nodes.count
            let isLoose = comparedKeys < Self.maxComparedKeys
            comparedKeys += named.nodes.count * max(length, candidate.located.selector.description.utf8.count / 8)
            let outputKey = nearest.outputKey(selector)
            return add(
                candidate.rule, label(candidate), outputKey ?? nearest.reason(for: selector, isLoose: isLoose),
                at: candidate.located.location, namesOutput: outputKey != nil)
        }
        // These rules have their effect as soon as they match: the value stays, or is a record.
        guard ![.keep, .records, .opaque].contains(candidate.section) else { return }
        let acting = tally.acting[candidate.rule] ?? []
        guard !indices.contains(where: acting.contains) else { return }
        add(candidate.rule, label(candidate), reason(candidate, at: indices))
    }

    private func label(_ candidate: Candidate) -> String {
        RuleLabels.label(candidate.section.rawValue, [candidate.located])
    }

    /// The reason why a rule has no effect although its selector matches.
    private func reason(_ candidate: Candidate, at indices: [Int]) -> String {
        let index = indices[0]
        let path = named.path(to: index)
        if let rule = rule(in: tally.discarding, at: index) { return "\(path) is discarded by \(tally.labels[rule])" }
        if let rival = rival(of: candidate, at: index) {
            return "\(tally.labels[rival]) takes precedence at \(path)"
        }
        switch candidate.section {
        case .rename, .except:
            if named.nodes[index].name == nil { return "\(path) is an array's element, which has no key" }
            if let shield = rule(in: shields, at: named.nodes[index].parent) {
                return "\(tally.labels[shield]) protects the keys below it"
            }
            let rename = tally.profile.renames.first { $0.location.pointer == candidate.rule }
            if let target = rename?.target.literal, target == named.nodes[index].name {
                return "the new key is the old one"
            }
        case .dates, .values:
            if indices.allSatisfy({ named.nodes[$0].isNull }) { return "\(path) is null, and null is never converted" }
        default: break
        }
        return "it matches \(path), but nothing changes there"
    }

    /// The rule of a node or of the nearest container around it that has one; nil if there is none.
    private func rule(in rules: [Int: String], at index: Int) -> String? {
        var current = index
        while current >= 0 {
            if let rule = rules[current] { return rule }
            current = named.nodes[current].parent
        }
        return nil
    }

    /// Another rule of the same kind that had an effect at a node; nil if none had.
    private func rival(of candidate: Candidate, at index: Int) -> String? {
        let profile = tally.profile
        let isOfValues = candidate.section == .dates || candidate.section == .values
        let sections: [SelectorSection] = isOfValues ? [.dates, .values] : [.rename, .move, .flatten]
        return sections.lazy.flatMap { profile.rules(in: $0) }.map { $0.location.pointer }
            .first { $0 != candidate.rule && tally.acting[$0]?.contains(index) == true }
    }

    // MARK: Other rules

    private mutating func checkDefaults() {
        for rule in tally.profile.defaults where tally.acting[rule.location.pointer] == nil && canAdd {
            let segments = rule.selector.pointerSegments
            steps += named.nodes.count
            // Selectors of defaults have output keys. This default was not added, so a value at its path was there before.
            let indices = tally.output.indices(of: rule.selector)
            let label = tally.labels[rule.location.pointer]
            if let index = indices.first {
                let isNull = tally.output.nodes[index].isNull
                let reason =
                    "\(tally.output.path(to: index)) is there already\(isNull ? ": null counts as a value" : "")"
                add(rule.location.pointer, label, reason)
            } else {
                let parent = Array(segments.dropLast())
                add(
                    rule.location.pointer, label,
                    parent.isEmpty
                        ? "the output is not an object"
                        : "the output has no object at \(Selector(segments: parent).description)")
            }
        }
    }

    private mutating func checkWholeSections() {
        let profile = tally.profile
        if let keys = profile.keys, keys.target != .preserve, tally.acting["/keys"] == nil {
            add("/keys", "keys", "every key is written in this case already, or is never converted")
        }
        guard tally.direction == .forward else { return }
        for entry in profile.dates where entry.scans && tally.acting[entry.location.pointer] == nil {
            add(
                entry.location.pointer, tally.labels[entry.location.pointer],
                "no string is a date-time with a zone in another format")
        }
        let options = [
            ("null", profile.prune.null, "null"), ("emptyString", profile.prune.emptyString, "empty string"),
            ("emptyArray", profile.prune.emptyArray, "empty array"),
            ("emptyObject", profile.prune.emptyObject, "empty object"),
        ]
        for (option, isOn, noun) in options where isOn && tally.acting["/prune/\(option)"] == nil {
            add("/prune/\(option)", "prune.\(option)", "there is no \(noun) that it could discard")
        }
    }
}
