import ConvertEngine

/// Proposes a profile from payloads and their expected outputs.
package struct ProfileInference {
    /// A payload and its expected output, as JSON texts.
    package struct Sample: Sendable {
        package let input: [UInt8]
        package let output: [UInt8]

        package init(input: [UInt8], output: [UInt8]) {
            self.input = input
            self.output = output
        }
    }

    /// The profile as a JSON text, indented.
    package let document: [UInt8]
    /// The indices of the samples that the profile does not reproduce.
    package let failures: [Int]
    /// Messages about choices that the samples do not decide.
    package let notes: [String]

    /// The maximum nesting depth of a sample.
    package static let maxDepth = JSONDocument.maxDepth
    /// The most samples that become examples of the profile, and the most bytes of one.
    private static let examples = (count: 3, bytes: 2_000)

    /// The number of drafts after which no further rule is left out.
    private static let maxTrials = 1000

    /// Infers a profile from samples. Those that are not JSON are not used, and count as failures.
    package init(_ samples: [Sample]) {
        let normalised = samples.map { sample in
            Sample(
                input: DraftTrial.normalised(sample.input) ?? [], output: DraftTrial.normalised(sample.output) ?? [])
        }
        let trees = normalised.compactMap { sample -> (SampleTree, SampleTree)? in
            guard let input = try? SampleTree(sample.input), let output = try? SampleTree(sample.output) else {
                return nil
            }
            return (input, output)
        }
        let trial = DraftTrial(samples: normalised)
        let isSorted = trees.allSatisfy(\.1.isSorted)
        let first = trees.map { SampleAlignment($0.0, $0.1, isSorted: isSorted) }
        let known = KeyInference(first).known
        let moves = MoveInference(trees.map { SampleAlignment($0.0, $0.1, known: known, isSorted: isSorted) })
        let (shaped, equals) = KeyInference(moves.alignments).infer()
        var shape = ShapeInference(moves)
        let values = ValueInference(moves.alignments)
        let shapes = shape.drafts(from: shaped)
        var best: (draft: ProfileDraft, failures: [Int])?
        search: for policy in BadValuePolicy.allCases {
            let rules = values.rules(policy)
            for shaped in shapes {
                var draft = shaped
                draft.values = rules
                if policy != .error { draft.policies["badValue"] = policy.rawValue }
                var failures = trial.failures(of: draft) ?? Array(samples.indices)
                Self.tune(&draft, &failures, trial)
                if failures.count < best?.failures.count ?? .max { best = (draft, failures) }
                if failures.isEmpty { break search }
            }
        }
        var (draft, failures) = best ?? (shaped, Array(samples.indices))
        Self.simplify(&draft, &failures, trial)
        draft.examples = normalised.filter { $0.input.count + $0.output.count <= Self.examples.bytes }
            .prefix(Self.examples.count).filter { Self.isExample($0, of: draft) }.map { ($0.input, $0.output) }
        document = Self.indented(draft.document)
        self.failures = failures
        notes = Self.notes(draft, equals, shape.uncertain)
    }

    /// Tries policies, and keeps each that reduces the number of failed samples.
    private static func tune(_ draft: inout ProfileDraft, _ failures: inout [Int], _ trial: DraftTrial) {
        let choices = [
            ("collision", ["first", "last", "keep"]), ("duplicateKey", ["first", "last", "keep"]),
            ("badValue", ["keep", "null"]),
        ]
        for (policy, values) in choices {
            for value in values where !failures.isEmpty {
                var next = draft
                next.policies[policy] = value
                if let found = trial.failures(of: next), found.count < failures.count {
                    (draft, failures) = (next, found)
                }
            }
        }
    }

    /// Leaves out rules as long as that reduces the number of failed samples: some are wrong guesses.
    private static func simplify(_ draft: inout ProfileDraft, _ failures: inout [Int], _ trial: DraftTrial) {
        var trials = 0
        while !failures.isEmpty, trials < maxTrials {
            let simpler = draft.simplified.compactMap { next in trial.failures(of: next).map { (next, $0) } }
            trials += simpler.count
            guard let best = simpler.min(by: { $0.1.count < $1.1.count }), best.1.count < failures.count else { return }
            (draft, failures) = best
        }
    }

    /// Whether `check` accepts the sample: the examples of a reversible profile must also hold backwards.
    private static func isExample(_ sample: Sample, of draft: ProfileDraft) -> Bool {
        var draft = draft
        draft.examples = [(sample.input, sample.output)]
        guard let profile = try? Profile(parsing: draft.document), profile.invertibility.isInvertible,
            let plan = try? profile.compile(.inverse)
        else { return true }
        return profile.examples.allSatisfy { $0.reversed.fault(under: plan) == nil }
    }

    private static func notes(
        _ draft: ProfileDraft, _ equals: [KeyCase], _ uncertain: Set<[UInt8]>
    ) -> [String] {
        var notes: [String] = []
        if let keyCase = draft.keyCase, !equals.isEmpty {
            let others = equals.map(\.rawValue).joined(separator: ", ")
            let choice = "\(keyCase.rawValue) explains the samples, and so does \(others)"
            notes.append("keys: \(choice): a key of two words would decide")
        }
        for target in draft.defaults.map(\.target) where uncertain.contains(target) {
            let path = String(decoding: target, as: UTF8.self)
            let choice = "\(path) may be a constant, or a value that disappears elsewhere"
            notes.append("defaults: \(choice): a sample with another value would decide")
        }
        return notes
    }

    private static func indented(_ text: [UInt8]) -> [UInt8] {
        (try? Plan.minify(output: OutputOptions(indent: 2)).convert(text)) ?? text
    }
}
