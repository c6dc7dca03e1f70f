/// What a plan is made of.
package struct PlanSettings: Sendable {
    /// How the output text is written.
    package var output: OutputOptions
    /// The limits beyond which a payload is refused.
    package var limits: Limits
    /// The paths at which each rule acts, and its action there.
    package var selectors: SelectorTable
    /// The case rule for keys that have no rename; nil leaves them unchanged.
    package var caseRule: KeyCaseRule?
    /// Whether the plan converts in the inverse direction.
    package var isInverse = false
    /// The case rule that restores the case of keys; nil if the forward direction leaves cases unchanged, or they need not be restored.
    package var sourceCaseRule: KeyCaseRule?
    /// Whether a key is an error if the other direction would take it for another one. `on.lossyKey` decides this for the inverse
    /// direction, `roundTrip` for the forward direction.
    package var refusesLossyNames = false
    /// Rules for values; a selector's `.rule` is an index into them.
    package var rules: [ValueRule] = []
    /// The rule that checks every string that no other rule acts on, or -1.
    package var scanRule = -1
    package var policies: Policies
    package var prune = PruneOptions()
    /// The policy for bad records.
    package var records = RecordPolicy.fail
    /// Whether nothing depends on keys, so that they need not be looked up.
    var ignoresNames = false
    /// The text around a document, and around that of each NDJSON line.
    package var wrapText = WrapText.none
    /// Whether the whole document is buffered, to explain what rules do to it.
    var holdsDocument = false

    /// Creates the settings of a plan without rules, apart from `selectors`.
    package init(
        output: OutputOptions, limits: Limits, selectors: SelectorTable = SelectorTable(),
        policies: Policies = Policies()
    ) {
        (self.output, self.limits, self.selectors, self.policies) = (output, limits, selectors, policies)
    }

    /// Whether every object is buffered until it ends.
    var holdsObjects: Bool {
        holdsDocument || policies.collision == .last || policies.duplicateKey == .last
            || (output.sortKeys && !selectors.moves.isEmpty)
    }

    /// Whether members are sorted in the text that was written for them.
    var sortsText: Bool { output.sortKeys && !holdsObjects }

    /// Whether a rule turns values into text.
    var stringifies: Bool { rules.contains { $0.stringifiesValue } }
}

extension Plan {
    /// How the output text is written.
    public var output: OutputOptions { settings.output }
    /// The limits beyond which a payload is refused.
    public var limits: Limits { settings.limits }
    /// The policy for bad records.
    public var records: RecordPolicy { settings.records }

    @inline(__always) package var selectors: SelectorTable { settings.selectors }
    @inline(__always) package var caseRule: KeyCaseRule? { settings.caseRule }
    @inline(__always) package var isInverse: Bool { settings.isInverse }
    @inline(__always) package var sourceCaseRule: KeyCaseRule? { settings.sourceCaseRule }
    @inline(__always) package var refusesLossyNames: Bool { settings.refusesLossyNames }
    @inline(__always) package var rules: [ValueRule] { settings.rules }
    @inline(__always) package var scanRule: Int { settings.scanRule }
    @inline(__always) package var policies: Policies { settings.policies }
    @inline(__always) package var prune: PruneOptions { settings.prune }
    @inline(__always) package var wrapText: WrapText { settings.wrapText }
    @inline(__always) var ignoresNames: Bool { settings.ignoresNames }
    @inline(__always) var holdsDocument: Bool { settings.holdsDocument }
    @inline(__always) var holdsObjects: Bool { settings.holdsObjects }
    @inline(__always) var sortsText: Bool { settings.sortsText }
}
