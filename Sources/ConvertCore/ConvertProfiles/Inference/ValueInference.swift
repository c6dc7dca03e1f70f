import ConvertEngine
import ConvertText

/// Finds the rules for values: those of dates, those of types, and tables.
struct ValueInference {
    /// A value of the input and its value in the output.
    struct Event: Hashable {
        let path: SampleTree.Path
        let before: [UInt8]
        let after: [UInt8]

        var isChanged: Bool { before != after }

        /// Whether a string became the number that it contains. No date is needed to explain that.
        var isNumber: Bool {
            guard before.first == ASCII.quote, after.first != ASCII.quote,
                let number = Double(String(decoding: after, as: UTF8.self))
            else { return false }
            return Double(String(decoding: before.dropFirst().dropLast(), as: UTF8.self)) == number
        }
    }

    private struct Candidate {
        let section: String
        let members: String
        var isScan = false
        /// The number of values in a table.
        var entries = 0

        /// Whether a change that has this result is evidence for the rule.
        func isShown(by event: Event) -> Bool { section != "dates" || !event.isNumber }
    }

    /// A candidate with the selectors of the values it applies to.
    private struct Found {
        let candidate: Candidate
        let at: [Selector]
        let explained: Set<Event>
        /// The number of values that the rule explains, less what it needs for that and what it explains wrongly.
        let gain: Int

        init(_ candidate: Candidate, _ at: [Selector], _ explained: Set<Event>, misses: Int = 0) {
            self.candidate = candidate
            self.at = at
            self.explained = explained
            gain = explained.count - at.count - candidate.entries - misses
        }
    }

    private static let maxMapEntries = 200
    private static let maxRules = 12
    /// The most candidates for which selectors are searched: those that explain the most values.
    private static let maxLikely = 8

    private let events: Set<Event>
    /// All different values of the inputs.
    private let values: Set<[UInt8]>

    init(_ alignments: [SampleAlignment]) {
        var events: Set<Event> = []
        for alignment in alignments {
            for (node, target) in alignment.target.enumerated() {
                guard let target, alignment.input.kind(node) != .null else { continue }
                let (before, after) = (alignment.input.kind(node), alignment.output.kind(target))
                // No rule reads the content of a container, so it is stored as empty. An unchanged one shows a path without a rule.
                let isUnchanged = before.isContainer && before == after
                events.insert(
                    Event(
                        path: alignment.input.paths[node],
                        before: before.isContainer ? Self.opening(before) : alignment.input.text(node),
                        after: isUnchanged ? Self.opening(before) : alignment.output.text(target)))
            }
        }
        self.events = events
        values = Set(events.map(\.before))
    }

    private static func opening(_ kind: JSONDocument.Kind) -> [UInt8] {
        kind == .array ? Array("[]".utf8) : Array("{}".utf8)
    }

    /// The rules for values.
    ///
    /// - Parameter policy: the action for a value that its rule cannot convert.
    func rules(_ policy: BadValuePolicy) -> [ProfileDraft.ValueRule] {
        var rules: [ProfileDraft.ValueRule] = []
        var open = events.filter(\.isChanged)
        var explained: Set<Event> = []
        while !open.isEmpty, rules.count < Self.maxRules {
            let befores = Set(open.map(\.before))
            let ranked = candidates(open, policy).map { candidate in
                let results = results(of: candidate, befores, policy)
                let hits = open.count { results[$0.before] == $0.after && candidate.isShown(by: $0) }
                return (candidate: candidate, hits: hits)
            }
            let likely = ranked.filter { $0.hits > 0 }.sorted { $0.hits > $1.hits }.map(\.candidate)
            let (scans, others) = (likely.filter(\.isScan), likely.filter { !$0.isScan })
            let found = (others.prefix(Self.maxLikely) + scans.prefix(Self.maxLikely)).compactMap {
                self.found($0, open, explained, policy)
            }
            guard let best = found.sorted(by: { $0.gain > $1.gain }).first else { break }
            rules.append(
                ProfileDraft.ValueRule(
                    section: best.candidate.section, members: best.candidate.members, at: best.at))
            explained.formUnion(events.filter { event in best.at.contains { $0.matches(event.path) } })
            if best.candidate.isScan { explained.formUnion(best.explained) }
            open.subtract(best.explained)
        }
        return rules + tables(for: open, explained, policy)
    }

    // MARK: Rules

    private func found(
        _ candidate: Candidate, _ open: Set<Event>, _ explained: Set<Event>, _ policy: BadValuePolicy
    ) -> Found? {
        let results = results(of: candidate, values, policy)
        let hits = open.filter { results[$0.before] == $0.after }
        let misses = events.filter { event in
            if results[event.before] == event.after { return false }
            return !(candidate.isScan && explained.contains(event))
        }
        if candidate.isScan {
            // A few values may have been matched wrongly. The run of the draft on the samples decides whether the rule is right.
            let others = misses.count { !$0.isChanged || results[$0.before] != $0.before }
            return others < hits.count ? Found(candidate, [], hits, misses: others) : nil
        }
        let chosen = Set(hits.filter { candidate.isShown(by: $0) }.map(\.path))
        let rejected = Set(misses.map(\.path)).union(Set(hits.map(\.path)).subtracting(chosen))
        // The rule must explain all values at a path, otherwise the path is not one of its own.
        let sound = chosen.subtracting(rejected).subtracting([[]])
        guard !sound.isEmpty, let at = SelectorLearner().cover(sound, without: rejected.union(explained.map(\.path)))
        else { return nil }
        return Found(candidate, at, hits.filter { sound.contains($0.path) })
    }

    /// The result of a rule for each value. Values that the rule refuses are missing.
    private func results(
        of candidate: Candidate, _ values: Set<[UInt8]>, _ policy: BadValuePolicy
    ) -> [[UInt8]: [UInt8]] {
        let at = candidate.isScan ? "" : #""at":"/v","#
        let on = "\"on\":{\"badValue\":\"\(policy.rawValue)\"}"
        let profile = "{\"\(candidate.section)\":{\(at)\(candidate.members)},\(on)}"
        guard var trial = ValueTrial(profile) else { return [:] }
        return values.reduce(into: [:]) { results, value in results[value] = trial.result(of: value) }
    }

    // MARK: Tables

    private func tables(
        for open: Set<Event>, _ explained: Set<Event>, _ policy: BadValuePolicy
    ) -> [ProfileDraft.ValueRule] {
        var rules: [ProfileDraft.ValueRule] = []
        let groups = Dictionary(grouping: open.filter { !$0.path.isEmpty && Self.isEntry($0, policy) }) {
            $0.path.last?.text ?? []
        }
        for (_, group) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            var table: [[UInt8]: Set<[UInt8]>] = [:]
            for event in group { table[event.before, default: []].insert(event.after) }
            let sound = group.filter { table[$0.before]?.count == 1 }
            let misses = events.filter { event in
                if let known = table[event.before] { return !known.contains(event.after) }
                return switch policy {
                case .error: !Self.isScalar(event.before)
                case .keep: event.isChanged
                case .null: !Self.isScalar(event.before) && event.after != Self.null
                }
            }
            guard
                let at = SelectorLearner().cover(
                    Set(sound.map(\.path)).subtracting(misses.map(\.path)),
                    without: Set(misses.map(\.path)).union(explained.map(\.path))), !at.isEmpty
            else { continue }
            // An unchanged value needs an entry, unless the policy keeps values without one.
            for event in events where policy != .keep && at.contains(where: { $0.matches(event.path) }) {
                if policy == .error || event.after != Self.null { table[event.before] = [event.after] }
            }
            guard table.count <= Self.maxMapEntries else { continue }
            rules.append(ProfileDraft.ValueRule(section: "values", members: Self.members(table), at: at))
        }
        return rules
    }

    static let null = Array("null".utf8)

    /// Whether a change may be an entry of a table. With `null`, a value that became null may be missing in the table.
    private static func isEntry(_ event: Event, _ policy: BadValuePolicy) -> Bool {
        isScalar(event.before) && isScalar(event.after) && (policy != .null || event.after != null)
    }

    private static func isScalar(_ text: [UInt8]) -> Bool {
        text.first != ASCII.openBrace && text.first != ASCII.openBracket
    }

    /// The key of a table for a value: the content of a string, the text of anything else.
    private static func key(_ value: [UInt8]) -> String {
        value.first == ASCII.quote
            ? String(decoding: value, as: UTF8.self) : "\"\(String(decoding: value, as: UTF8.self))\""
    }

    // MARK: Candidates

    private func candidates(_ open: Set<Event>, _ policy: BadValuePolicy) -> [Candidate] {
        let types =
            ["string", "number", "integer", "boolean", "json", "uuid", "url"].map { "\"as\":\"\($0)\"" }
            + ["\"as\":\"uuid\",\"case\":\"upper\""]
        let hosts = Set(open.compactMap { Self.host($0) }).sorted().prefix(8)
        let values = types + hosts.map { "\"as\":\"url\",\"relativeTo\":\"\($0)\"" }
        return DateCandidates(open).all.map { Candidate(section: "dates", members: $0.members, isScan: $0.isScan) }
            + values.map { Candidate(section: "values", members: $0) }
            + (policy == .error ? [] : commonTable(open, policy))
    }

    /// One table of all scalars that always changed to the same value, for policies that allow missing entries.
    private func commonTable(_ open: Set<Event>, _ policy: BadValuePolicy) -> [Candidate] {
        var table: [[UInt8]: Set<[UInt8]>] = [:]
        for event in open where Self.isEntry(event, policy) {
            table[event.before, default: []].insert(event.after)
        }
        table = table.filter { $0.value.count == 1 }
        guard !table.isEmpty, table.count <= Self.maxMapEntries else { return [] }
        return [Candidate(section: "values", members: Self.members(table), entries: table.count)]
    }

    private static func members(_ table: [[UInt8]: Set<[UInt8]>]) -> String {
        let entries = table.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { before, after in
            "\(key(before)):\(String(decoding: after.first ?? [], as: UTF8.self))"
        }
        return "\"map\":{\(entries.joined(separator: ","))}"
    }

    /// The scheme and host that a URL has lost.
    private static func host(_ event: Event) -> String? {
        guard event.before.count > event.after.count, event.after.starts(with: Array("\"/".utf8)),
            event.before.suffix(event.after.count - 1).elementsEqual(event.after.dropFirst())
        else { return nil }
        let host = event.before.dropFirst().dropLast(event.after.count - 1)
        return String(decoding: host, as: UTF8.self)
    }
}

/// One rule, run on one value at a time.
struct ValueTrial: ~Copyable {
    private var converter: Converter

    /// Nil if the profile, whose rule is for `/v`, is not valid.
    init?(_ profile: String) {
        guard let plan = try? Profile(parsing: profile).compile(.forward) else { return nil }
        converter = Converter(plan)
    }

    mutating func result(of value: [UInt8]) -> [UInt8]? {
        let payload = Array("{\"v\":".utf8) + value + [ASCII.closeBrace]
        return converter.result(of: payload).map { Array($0.dropFirst(5).dropLast()) }
    }
}
