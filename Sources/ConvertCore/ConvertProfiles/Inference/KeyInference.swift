import ConvertEngine
import ConvertText

/// Finds the shortest rules for keys: a case, then rules for the keys that it does not explain.
struct KeyInference {
    /// The output key of the input key at a path.
    struct Fate: Hashable {
        let path: SampleTree.Path
        let result: [UInt8]

        var name: [UInt8] { path.last?.text ?? [] }
    }

    private struct Solution {
        var draft: ProfileDraft
        var cost: Double
    }

    private let fates: [Fate]
    private let names: Set<Fate>

    init(_ alignments: [SampleAlignment]) {
        var results: [SampleTree.Path: [[UInt8]: Int]] = [:]
        for alignment in alignments {
            for (node, target) in alignment.target.enumerated() {
                guard let target, alignment.input.name(node) != nil, let result = alignment.output.name(target) else {
                    continue
                }
                results[alignment.input.paths[node], default: [:]][result, default: 0] += 1
            }
        }
        // If a path has two results, one of them comes from a wrong match.
        let found = results.map { path, counts in
            Fate(path: path, result: counts.max { ($0.value, $1.key.count) < ($1.value, $0.key.count) }?.key ?? [])
        }
        // Elements of an array mostly have equal keys. If all results are equal, the first element represents all.
        fates = Dictionary(grouping: found) { SelectorLearner.starred($0.path) }.values.flatMap { alike in
            let first = alike.min { SelectorLearner.isBefore($0.path, $1.path) }
            return alike.contains { $0.result != first?.result } ? alike : first.map { [$0] } ?? []
        }
        names = Set(
            fates.map { Fate(path: [SampleTree.Step(text: $0.name, isIndex: false)], result: $0.result) })
    }

    /// The output keys of each input key, for a second alignment of the samples.
    var known: SampleAlignment.KnownNames {
        fates.reduce(into: [:]) { $0[$1.name, default: []].insert($1.result) }
    }

    /// Adds the rules for keys to a draft. Returns the other cases that explain the samples equally well.
    func infer(into draft: inout ProfileDraft) -> [KeyCase] {
        var best: Solution?
        var equals: [KeyCase] = []
        for target in KeyCase.allCases {
            for (acronyms, style) in acronymChoices(target) {
                let found = solution(target, acronyms, style)
                if let known = best, found.cost > known.cost { continue }
                if let known = best, found.cost == known.cost {
                    if known.draft.keyCase != nil, target != .preserve { equals.append(target) }
                    continue
                }
                best = found
                equals = []
            }
        }
        guard let best else { return [] }
        draft.keyCase = best.draft.keyCase
        draft.acronyms = best.draft.acronyms
        draft.acronymStyle = best.draft.acronymStyle
        draft.except = best.draft.except
        draft.opaque = best.draft.opaque
        draft.renames = best.draft.renames
        return equals
    }

    // MARK: One case

    private func acronymChoices(_ target: KeyCase) -> [([[UInt8]], AcronymStyle)] {
        guard target != .preserve else { return [([], .title)] }
        let runs = Set(names.flatMap { Self.capitals($0.name) + Self.capitals($0.result) })
        guard !runs.isEmpty else { return [([], .title)] }
        let plain = misses(target, [], .title)
        var choices: [([[UInt8]], AcronymStyle)] = [([], .title)]
        for style in AcronymStyle.allCases {
            var (chosen, count) = ([[UInt8]](), plain)
            for run in runs.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                let next = misses(target, chosen + [run], style)
                if next < count { (chosen, count) = (chosen + [run], next) }
            }
            if !chosen.isEmpty { choices.append((chosen, style)) }
        }
        return choices
    }

    private func misses(_ target: KeyCase, _ acronyms: [[UInt8]], _ style: AcronymStyle) -> Int {
        let rule = Self.rule(target, acronyms, style)
        return names.count { rule.converted($0.name) != $0.result }
    }

    private static func rule(_ target: KeyCase, _ acronyms: [[UInt8]], _ style: AcronymStyle) -> KeyCaseRule {
        KeyCaseRule(
            target: target, acronyms: acronyms.map { String(decoding: $0, as: UTF8.self) }, acronymStyle: style)
    }

    /// Runs of capitals that may be acronyms, also without their last letter.
    private static func capitals(_ name: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        var run: [UInt8] = []
        for byte in name + [0] {
            if byte >= ASCII.upperA, byte <= ASCII.upperZ {
                run.append(byte)
            } else {
                if run.count > 1 { found.append(run) }
                // The last capital may begin the next word: `XMLHttp`.
                if run.count > 2 { found.append(run.dropLast()) }
                run = []
            }
        }
        return found.filter { $0.count <= 6 }
    }

    private func solution(_ target: KeyCase, _ acronyms: [[UInt8]], _ style: AcronymStyle) -> Solution {
        var draft = ProfileDraft()
        if target != .preserve {
            draft.keyCase = target
            draft.acronyms = acronyms
            draft.acronymStyle = style
        }
        let rule = Self.rule(target, acronyms, style)
        var converted: [[UInt8]: [UInt8]] = [:]
        for name in Set(fates.map(\.name)) { converted[name] = rule.converted(name) }
        var missed = fates.filter { converted[$0.name] != $0.result }
        let changed = Set(fates.filter { $0.result != $0.name }.map(\.path))
        let stays = Set(missed.filter { $0.result == $0.name }.map(\.path))
        let plain = SelectorLearner().cover(stays, without: changed) ?? []
        let (opaque, rest) = opaque(stays, changed)
        let except = SelectorLearner().cover(rest, without: changed) ?? []
        if opaque.count + except.count <= plain.count, !opaque.isEmpty {
            (draft.opaque, draft.except) = (opaque, except)
        } else {
            draft.except = plain
        }
        let inOpaque = { (path: SampleTree.Path) in
            !draft.opaque.isEmpty
                && path.indices.contains { cut in draft.opaque.contains { $0.matches(Array(path[..<cut])) } }
        }
        missed.removeAll { $0.result == $0.name }
        let free = fates.filter { !inOpaque($0.path) }
        var cost =
            (target == .preserve ? 0 : 1) + Double(draft.acronyms.count) / 2
            + Double(draft.except.count + draft.opaque.count)
        for (name, group) in Dictionary(grouping: missed, by: \.result).sorted(by: {
            $0.key.lexicographicallyPrecedes($1.key)
        }) {
            let others = Set(free.filter { $0.result != name }.map(\.path))
            let selectors = SelectorLearner().cover(Set(group.map(\.path)), without: others) ?? []
            draft.renames += selectors.map { ($0, name) }
            cost += selectors.isEmpty ? Double(group.count) : Double(selectors.count)
        }
        return Solution(draft: draft, cost: cost)
    }

    /// Selectors of objects below which no key changed although the case rule would change it, and the unchanged keys elsewhere.
    private func opaque(
        _ stays: Set<SampleTree.Path>, _ changed: Set<SampleTree.Path>
    ) -> (selectors: [SelectorPattern], rest: Set<SampleTree.Path>) {
        var still: Set<SampleTree.Path> = []
        let moving = Set(changed.flatMap { path in path.indices.map { Array(path[..<$0]) } })
        for path in stays {
            // The outermost container without a changed key below it.
            if let top = path.indices.dropFirst().first(where: { !moving.contains(Array(path[..<$0])) }) {
                still.insert(Array(path[..<top]))
            }
        }
        guard let selectors = SelectorLearner().cover(still, without: moving) else { return ([], stays) }
        let rest = stays.filter { path in
            !path.indices.contains { cut in selectors.contains { $0.matches(Array(path[..<cut])) } }
        }
        return (selectors, rest)
    }
}
