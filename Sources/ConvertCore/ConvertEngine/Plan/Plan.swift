/// A compiled profile: immutable tables that any number of converters share.
public final class Plan: Sendable {
    package let settings: PlanSettings
    /// The path automaton that each converter begins with.
    let paths: PathAutomaton
    /// How the fast path handles dates under each of the rules.
    let fastDates: [FastDates]
    /// Whether flattened objects are written as they come. Otherwise the object around them is buffered.
    let streamsFlattened: Bool
    /// The moves, if their values are written as they come (`StreamedMoves`); otherwise empty.
    let streamedMoves: [StreamedMove]
    /// Whether members of a buffered object that no move concerns are kept as text, without a look at each of them when the object ends.
    let holdsText: Bool
    /// How the members of a payload reach the output.
    let staging: Staging
    /// The plan under which each document is tried first, because this one buffers objects only for `last`; see `RetryingEngine`.
    let triedFirst: Plan?
    /// The plans that do the same one after the other, if this one makes trees only for `sortKeys`; see `OutputStages`.
    let stages: Stages?
    /// What converters learned that are no longer used.
    let spareKeys = Spares<LearnedKeys>(maxBytes: 1024 * 1024)

    package init(_ settings: PlanSettings) {
        self.settings = settings
        let selectors = settings.selectors
        paths = PathAutomaton(selectors, sortsKeys: settings.output.sortKeys)
        fastDates = settings.rules.map { $0.fastDates }
        let (policies, holdsDocument) = (settings.policies, settings.holdsDocument)
        let holdsMembers =
            holdsDocument || policies.collision == .last || policies.duplicateKey == .last
            || policies.duplicateKey == .keep
            || settings.output.sortKeys || settings.records != .fail || !selectors.defaults.rules.isEmpty
        streamsFlattened = !settings.isInverse && selectors.onlyFlattens && !holdsMembers
        let looksAtMembers =
            holdsDocument || policies.collision == .last || policies.collision == .first
            || policies.duplicateKey == .last || settings.output.sortKeys || selectors.removesUnkept
            || selectors.defaultsSearchMovedValues || settings.stringifies
        holdsText = !looksAtMembers && (settings.isInverse || selectors.moves.allSatisfy { $0.flattening == nil })
        let looksAtMoves =
            settings.isInverse || !holdsText || holdsMembers || settings.refusesLossyNames || selectors.hasContracts
            || selectors.unwraps
        streamedMoves = looksAtMoves ? [] : selectors.streamedMoves
        staging = Staging(settings, streamsMoves: !streamedMoves.isEmpty, holdsText: holdsText)
        guard !holdsDocument, settings.records == .fail else {
            (triedFirst, stages) = (nil, nil)
            return
        }
        func variant(_ change: (inout PlanSettings) -> Void) -> Plan {
            var settings = settings
            change(&settings)
            return Plan(settings)
        }
        let tried = policies.strict.map { strict in variant { $0.policies = strict } }
        triedFirst = tried?.makesTrees ?? true ? nil : tried
        let unsorted =
            settings.output.sortKeys && !selectors.moves.isEmpty ? variant { $0.output.sortKeys = false } : nil
        stages = unsorted.flatMap { ($0.triedFirst ?? $0).makesTrees ? nil : Stages(rules: $0) }
    }

    /// A plan that changes nothing but white space (and escapes, when `output` asks for it).
    ///
    /// Duplicate keys pass, because removing white space does not change what a payload means.
    public static func minify(output: OutputOptions = OutputOptions(), limits: Limits = Limits()) -> Plan {
        var settings = PlanSettings(
            output: output, limits: limits, policies: Policies(collision: .keep, duplicateKey: .keep))
        settings.ignoresNames = true
        return Plan(settings)
    }

    /// Bytes that change with the keys of `hash`, and do not show them; empty without such a rule.
    package var hashKeyMarks: [UInt8] {
        var marks: [UInt8] = []
        for case .conversion(.hash(let hash)) in rules.map({ $0.action }) { marks += hash.keyMark }
        return marks
    }

    /// Whether two input keys can have the same output key.
    var canRename: Bool { caseRule != nil || selectors.hasRenames }

    /// Whether a bad record is skipped or becomes null instead of refusing the payload.
    package var sparesRecords: Bool { records != .fail }

    /// Whether a record whose key collides is removed. The policy `skip` removes it. The null that otherwise replaces it may be removed by
    /// `prune`, or because `keep` allows only a container there (`mustHold`).
    func skipsCollidingRecord(mustHold: Bool) -> Bool { records == .skip || mustHold || prune.null }

    /// Whether buffered objects become trees with a node for each member.
    private var makesTrees: Bool { holdsObjects || !(selectors.moves.isEmpty || holdsText || streamsFlattened) }

    /// Whether the converter stages its output.
    var isStaged: Bool { staging != .none }

    /// Whether nothing is buffered for moves but the values that move.
    var streamsMoves: Bool { !streamedMoves.isEmpty }

    /// Whether `keep` may remove members and nothing is buffered, so that the fast path searches for what stays.
    var searches: Bool { selectors.removesUnkept && selectors.moves.isEmpty && !holdsObjects }

    /// Whether keys that no rule names may bypass the key cache on the fast path.
    ///
    /// The members must stay: what `prune` removes must be forgotten, and `sortKeys` and `move` look keys up when the object ends.
    var passesNames: Bool {
        !ignoresNames && !isInverse && !refusesLossyNames && selectors.wildNames.isEmpty
            && !prune.isActive && !output.sortKeys && selectors.moves.isEmpty
    }

    /// Whether objects must remember the keys that they have had.
    var tracksNames: Bool { policies.duplicateKey != .keep || (canRename && policies.collision != .keep) }
}

extension Plan {
    /// A plan without `sortKeys`, and one that only sorts.
    struct Stages: Sendable {
        let rules, sorting: Plan

        init(rules: Plan) {
            self.rules = rules
            sorting = .minify(
                output: OutputOptions(sortKeys: true),
                limits: Limits(
                    maxDepth: Limits.depths.upperBound, maxKeyBytes: .max, maxHeldBytes: rules.limits.maxHeldBytes))
        }
    }
}
