import ConvertEngine
import ConvertText

/// Finds the shortest rules for keys: a case, then rules for the keys that it does not explain.
struct KeyInference {
    /// The output key of the input key at a path.
    struct KeyChange: Hashable {
        let path: SampleTree.Path
        let result: [UInt8]

        var name: [UInt8] { path.last?.text ?? [] }
    }

    private let keyChanges: [KeyChange]
    private let names: Set<KeyChange>
    /// The output keys of each input key, for a second alignment of the samples.
    let known: SampleAlignment.KnownNames

    init(_ alignments: [SampleAlignment]) {
        var results: [SampleTree.Path: [[UInt8]: Int]] = [:]
        // The keys of the output object that each missing value is not in.
        var removed: [SampleTree.Path: [Set<[UInt8]>]] = [:]
        var shares: [[UInt8]: [[UInt8]?: Int]] = [:]
        var changes: [KeyChange: (before: Set<[UInt8]>, after: Set<[UInt8]>)] = [:]
        for alignment in alignments {
            for (node, target) in alignment.target.enumerated() where !alignment.moved.contains(node) {
                guard let name = alignment.input.name(node), let parent = alignment.input.parent(node),
                    let holder = alignment.target[parent], alignment.output.kind(holder) == .object
                else { continue }
                if let target, let result = alignment.output.name(target) {
                    results[alignment.input.paths[node], default: [:]][result, default: 0] += 1
                    shares[name, default: [:]][result, default: 0] += 1
                    if !alignment.input.kind(node).isContainer, !alignment.output.kind(target).isContainer {
                        let step = SampleTree.Step(text: name, isIndex: false)
                        let keyChange = KeyChange(path: [step], result: result)
                        changes[keyChange, default: ([], [])].before.insert(alignment.input.text(node))
                        changes[keyChange, default: ([], [])].after.insert(alignment.output.text(target))
                    }
                } else if !alignment.input.kind(node).mayBeEmpty || !alignment.input.children(node).isEmpty {
                    // `prune` cannot have removed it.
                    let names = alignment.output.children(holder).compactMap { alignment.output.name($0) }
                    removed[alignment.input.paths[node], default: []].append(Set(names))
                    shares[name, default: [:]][nil, default: 0] += 1
                }
            }
        }
        // If a path has two results, one of them comes from a wrong match. One may be that the value is removed, unless it lost
        // its key to another value.
        let found = results.compactMap { path, counts -> KeyChange? in
            guard let best = counts.max(by: { ($0.value, $1.key.count) < ($1.value, $0.key.count) }),
                (removed[path] ?? []).count(where: { !$0.contains(best.key) }) <= best.value
            else { return nil }
            return KeyChange(path: path, result: best.key)
        }
        var known: SampleAlignment.KnownNames = shares.mapValues { counts in
            let all = Double(counts.values.reduce(0, +))
            return counts.reduce(into: [:]) { shares, entry in
                if let result = entry.key { shares[result] = Double(entry.value) / all }
            }
        }
        for (keyChange, texts) in changes where Self.isConstant(texts.before, texts.after) {
            if SampleAlignment.words(keyChange.name) != SampleAlignment.words(keyChange.result) {
                known[keyChange.name]?[keyChange.result] = SampleAlignment.unlike
            }
        }
        self.known = known
        // Elements of an array mostly have equal keys. If all results are equal, the first element represents all.
        keyChanges = Dictionary(grouping: found) { SelectorLearner.starred($0.path) }.values.flatMap { alike in
            let first = alike.min { SelectorLearner.isBefore($0.path, $1.path) }
            return alike.contains { $0.result != first?.result } ? alike : first.map { [$0] } ?? []
        }
        names = Set(
            keyChanges.map { KeyChange(path: [SampleTree.Step(text: $0.name, isIndex: false)], result: $0.result) })
    }

    /// Whether different values all became the same one, so that it is a default rather than any of them.
    private static func isConstant(_ before: Set<[UInt8]>, _ after: Set<[UInt8]>) -> Bool {
        before.count > 1 && after.count == 1 && !after.contains(ValueInference.null)
    }

    /// A draft with the rules for keys, and the other cases that explain the samples equally well.
    func infer() -> (draft: ProfileDraft, equals: [KeyCase]) {
        var best: (draft: ProfileDraft, cost: Double)?
        var equals: [KeyCase] = []
        for target in KeyCase.allCases {
            for spelling in spellings(target) {
                let found = solution(target, spelling)
                if let known = best, found.cost > known.cost { continue }
                if let known = best, found.cost == known.cost {
                    if let other = known.draft.keyCase, ![other, .preserve].contains(target) { equals.append(target) }
                    continue
                }
                best = found
                equals = []
            }
        }
        return (best?.draft ?? ProfileDraft(), equals)
    }

    // MARK: One case

    /// The plain spelling, and others under which the case explains more keys.
    private func spellings(_ target: KeyCase) -> [ProfileDraft.KeySpelling] {
        let plain = ProfileDraft.KeySpelling()
        guard target != .preserve else { return [plain] }
        let runs = Set(names.flatMap { Self.capitals($0.name) + Self.capitals($0.result) }).sorted()
        let hasDigits = names.contains { $0.name.contains(where: ASCII.isDigit) }
        let most = misses(target, plain)
        var choices = [plain]
        for digits in hasDigits ? DigitStyle.allCases : [.join] {
            for style in AcronymStyle.allCases {
                for base in [[], [CommonAcronyms.name]] {
                    var chosen = ProfileDraft.KeySpelling(acronyms: base, style: style, digits: digits)
                    var count = misses(target, chosen)
                    for run in runs {
                        var next = chosen
                        next.acronyms.append(run)
                        let found = misses(target, next)
                        if found < count { (chosen, count) = (next, found) }
                    }
                    if count < most { choices.append(chosen) }
                }
            }
        }
        return choices
    }

    private func misses(_ target: KeyCase, _ spelling: ProfileDraft.KeySpelling) -> Int {
        let rule = spelling.rule(target)
        return names.count { rule.converted($0.name) != $0.result }
    }

    /// Runs of capitals that may be acronyms, also without their last letter.
    private static func capitals(_ name: [UInt8]) -> [String] {
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
        return found.filter { $0.count <= 6 }.map { String(decoding: $0, as: UTF8.self) }
    }

    private func solution(
        _ target: KeyCase, _ spelling: ProfileDraft.KeySpelling
    ) -> (draft: ProfileDraft, cost: Double) {
        var draft = ProfileDraft()
        if target != .preserve {
            draft.keyCase = target
            draft.spelling = spelling
        }
        let rule = spelling.rule(target)
        var converted: [[UInt8]: [UInt8]] = [:]
        for name in Set(keyChanges.map(\.name)) { converted[name] = rule.converted(name) }
        var missed = keyChanges.filter { converted[$0.name] != $0.result }
        let changed = Set(keyChanges.filter { $0.result != $0.name }.map(\.path))
        let stays = Set(missed.filter { $0.result == $0.name }.map(\.path))
        let plain = SelectorLearner().cover(stays, without: changed) ?? []
        let (opaque, rest) = opaque(stays, changed)
        let except = SelectorLearner().cover(rest, without: changed) ?? []
        if opaque.count + except.count <= plain.count, !opaque.isEmpty {
            (draft.opaque, draft.except) = (opaque, except)
        } else {
            draft.except = plain
        }
        missed.removeAll { $0.result == $0.name }
        let free = keyChanges.filter { !Self.isBelow(draft.opaque, $0.path) }
        var cost =
            (target == .preserve ? 0 : 1) + spelling.cost
            + Double(draft.except.count + draft.opaque.count)
        for (name, group) in Dictionary(grouping: missed, by: \.result).sorted(by: {
            $0.key.lexicographicallyPrecedes($1.key)
        }) {
            let others = Set(free.filter { $0.result != name }.map(\.path))
            var learner = SelectorLearner()
            learner.rivals = draft.renames.map(\.selector)
            let selectors = learner.cover(Set(group.map(\.path)), without: others) ?? []
            draft.renames += selectors.map { ($0, name) }
            cost += selectors.isEmpty ? Double(group.count) : Double(selectors.count)
        }
        return (draft, cost)
    }

    /// Whether a path is below a value that one of the selectors matches.
    private static func isBelow(_ selectors: [Selector], _ path: SampleTree.Path) -> Bool {
        !selectors.isEmpty && path.indices.contains { cut in selectors.contains { $0.matches(Array(path[..<cut])) } }
    }

    /// Selectors of objects below which no key changed although the case rule would change it, and the unchanged keys elsewhere.
    private func opaque(
        _ stays: Set<SampleTree.Path>, _ changed: Set<SampleTree.Path>
    ) -> (selectors: [Selector], rest: Set<SampleTree.Path>) {
        var still: Set<SampleTree.Path> = []
        let moving = Set(changed.flatMap { path in path.indices.map { Array(path[..<$0]) } })
        for path in stays {
            // The outermost container without a changed key below it.
            if let top = path.indices.dropFirst().first(where: { !moving.contains(Array(path[..<$0])) }) {
                still.insert(Array(path[..<top]))
            }
        }
        guard let selectors = SelectorLearner().cover(still, without: moving) else { return ([], stays) }
        return (selectors, stays.filter { !Self.isBelow(selectors, $0) })
    }
}
