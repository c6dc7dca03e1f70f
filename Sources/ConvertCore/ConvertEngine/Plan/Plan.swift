/// A compiled profile: immutable tables that any number of converters share.
public final class Plan: Sendable {
    /// How the output text is written.
    public let output: OutputOptions
    /// The limits beyond which a payload is refused.
    public let limits: Limits
    /// The paths at which each rule acts, and its action there.
    package let selectors: SelectorTable
    /// The path automaton that each converter begins with.
    let paths: PathAutomaton
    /// The case rule for keys that have no rename; nil leaves them unchanged.
    package let caseRule: KeyCaseRule?
    /// Whether the plan converts in the inverse direction.
    package let isInverse: Bool
    /// The case rule that restores the case of keys; nil if the forward direction leaves cases unchanged, or they need not be restored.
    package let sourceCaseRule: KeyCaseRule?
    /// Whether a key is an error if the other direction would take it for another one. `on.lossyKey` decides this for the inverse
    /// direction, `roundTrip` for the forward direction.
    package let refusesLossyNames: Bool
    /// Rules for values; a selector's `.rule` is an index into them.
    package let rules: [ValueRule]
    /// How the fast path handles dates under each of the rules.
    let fastDates: [FastDates]
    /// The rule that checks every string that no other rule acts on, or -1.
    package let scanRule: Int
    package let policies: Policies
    /// Whether nothing depends on keys, so that they need not be looked up.
    let ignoresNames: Bool
    package let prune: PruneOptions
    /// The policy for bad records.
    public let records: RecordPolicy
    /// Whether the whole document is buffered, to explain what rules do to it.
    let holdsDocument: Bool
    /// Whether flattened objects are written as they come. Otherwise the object around them is buffered.
    let streamsFlattened: Bool
    /// The moves, if their values are written as they come (`StreamedMoves`); otherwise empty.
    let streamedMoves: [StreamedMove]
    /// Whether members of a buffered object that no move concerns are kept as text, without a look at each of them when the object ends.
    let holdsText: Bool
    /// The plan under which each document is tried first, because this one buffers objects only for `last`; see `RetryingEngine`.
    let triedFirst: Plan?
    /// The plans that do the same one after the other, if this one makes trees only for `sortKeys`; see `OutputStages`.
    let stages: Stages?
    /// The text around a document, and around that of each NDJSON line.
    package let wrapText: WrapText
    /// What converters learned that are no longer used.
    let spareKeys = Spares<LearnedKeys>(maxBytes: 1024 * 1024)

    package init(
        output: OutputOptions, limits: Limits, selectors: SelectorTable = SelectorTable(),
        caseRule: KeyCaseRule? = nil, isInverse: Bool = false, sourceCaseRule: KeyCaseRule? = nil,
        refusesLossyNames: Bool = false,
        rules: [ValueRule] = [], scanRule: Int = -1,
        policies: Policies = Policies(), prune: PruneOptions = PruneOptions(),
        records: RecordPolicy = .fail, ignoresNames: Bool = false, wrapText: WrapText = .none,
        holdsDocument: Bool = false
    ) {
        self.wrapText = wrapText
        self.output = output
        self.limits = limits
        self.selectors = selectors
        paths = PathAutomaton(selectors, sortsKeys: output.sortKeys)
        self.caseRule = caseRule
        self.isInverse = isInverse
        self.sourceCaseRule = sourceCaseRule
        self.refusesLossyNames = refusesLossyNames
        self.rules = rules
        fastDates = rules.map { $0.fastDates }
        self.scanRule = scanRule
        self.policies = policies
        self.ignoresNames = ignoresNames
        self.prune = prune
        self.records = records
        self.holdsDocument = holdsDocument
        let holdsMembers =
            holdsDocument || policies.collision == .last || policies.duplicateKey == .last
            || policies.duplicateKey == .keep
            || output.sortKeys || records != .fail || !selectors.defaults.rules.isEmpty
        streamsFlattened = !isInverse && selectors.onlyFlattens && !holdsMembers
        let looksAtMembers =
            holdsDocument || policies.collision == .last || policies.collision == .first
            || policies.duplicateKey == .last || output.sortKeys || selectors.removesUnkept
            || selectors.defaultsSearchMovedValues || rules.contains { $0.stringifiesValue }
        holdsText = !looksAtMembers && (isInverse || selectors.moves.allSatisfy { $0.flattening == nil })
        let looksAtMoves =
            isInverse || !holdsText || holdsMembers || refusesLossyNames || selectors.hasContracts || selectors.unwraps
        streamedMoves = looksAtMoves ? [] : selectors.streamedMoves
        guard !holdsDocument, records == .fail else {
            (triedFirst, stages) = (nil, nil)
            return
        }
        func variant(sortsKeys: Bool, _ policies: Policies) -> Plan {
            Plan(
                output: OutputOptions(indent: output.indent, escapes: output.escapes, sortKeys: sortsKeys),
                limits: limits, selectors: selectors, caseRule: caseRule, isInverse: isInverse,
                sourceCaseRule: sourceCaseRule, refusesLossyNames: refusesLossyNames, rules: rules, scanRule: scanRule,
                policies: policies, prune: prune, ignoresNames: ignoresNames, wrapText: wrapText)
        }
        let tried = policies.strict.map { variant(sortsKeys: output.sortKeys, $0) }
        triedFirst = tried?.makesTrees ?? true ? nil : tried
        let unsorted = output.sortKeys && !selectors.moves.isEmpty ? variant(sortsKeys: false, policies) : nil
        stages = unsorted.flatMap { ($0.triedFirst ?? $0).makesTrees ? nil : Stages(rules: $0) }
    }

    /// A plan that changes nothing but white space (and escapes, when `output` asks for it).
    ///
    /// Duplicate keys pass, because removing white space does not change what a payload means.
    public static func minify(output: OutputOptions = OutputOptions(), limits: Limits = Limits()) -> Plan {
        Plan(
            output: output, limits: limits,
            policies: Policies(collision: .keep, duplicateKey: .keep),
            ignoresNames: true)
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

    /// Whether every object is buffered until it ends.
    var holdsObjects: Bool {
        holdsDocument || policies.collision == .last || policies.duplicateKey == .last
            || (output.sortKeys && !selectors.moves.isEmpty)
    }

    /// Whether buffered objects become trees with a node for each member.
    private var makesTrees: Bool { holdsObjects || !(selectors.moves.isEmpty || holdsText || streamsFlattened) }

    /// Whether members are sorted in the text that was written for them.
    var sortsText: Bool { output.sortKeys && !holdsObjects }

    /// Whether members may be removed again, added or sorted, or objects buffered. Then the converter stages its output.
    var isStaged: Bool { prune.isActive || sortsText || isStagedOtherwise }

    /// Whether the only reason for `isStaged` is that empty members or elements are removed, apart from values that move as they come.
    var prunesOnly: Bool {
        prune.isActive && !sortsText && !isStagedWithoutMoves && (streamsMoves || selectors.moves.isEmpty)
    }

    /// Whether the only reason for `isStaged` is that members are sorted.
    var sortsOnly: Bool { sortsText && !prune.isActive && !isStagedOtherwise }

    /// Whether nothing is buffered for moves but the values that move.
    var streamsMoves: Bool { !streamedMoves.isEmpty }

    /// Whether the only reason for `isStaged` is that objects are buffered for moves, with text for what no move concerns.
    var movesOnly: Bool {
        holdsText && isStaged && !streamsMoves && !prune.isActive && !sortsText && !isStagedWithoutMoves
    }

    /// Whether `keep` may remove members and nothing is buffered, so that the fast path searches for what stays.
    var searches: Bool { selectors.removesUnkept && selectors.moves.isEmpty && !holdsObjects }

    private var isStagedOtherwise: Bool { !selectors.moves.isEmpty || isStagedWithoutMoves }

    private var isStagedWithoutMoves: Bool {
        selectors.removesUnkept || selectors.hasContracts || sparesRecords || holdsObjects || selectors.unwraps
            || rules.contains(where: { $0.stringifiesValue })
    }

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
