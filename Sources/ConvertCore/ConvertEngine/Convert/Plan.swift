/// A compiled profile: immutable tables that any number of converters share.
public final class Plan: Sendable {
    /// How the output text is written.
    public let output: OutputOptions
    /// The limits beyond which a payload is refused.
    public let limits: Limits
    /// Where each rule acts and what it does there.
    package let selectors: SelectorTable
    /// What each converter begins with.
    let paths: PathAutomaton
    /// How names change that no rename covers; nil leaves them.
    package let caseRule: KeyCaseRule?
    /// Whether the profile is undone.
    package let isInverse: Bool
    /// Gives a name its case back; nil where the forward direction leaves cases alone, or need not be undone.
    package let sourceCaseRule: KeyCaseRule?
    /// Whether a name that the other direction would take for another one is a fault: the inverse's by `on.lossyKey`, the
    /// forward direction's by `roundTrip`.
    package let refusesLossyNames: Bool
    /// Rules for values; a selector's `.rule` is an index into them.
    package let rules: [ValueRule]
    /// What the fast path may do under each of the rules.
    let fastDates: [FastDates]
    /// The rule that looks at every string no other rule acts on, or -1.
    package let scanRule: Int
    package let policies: Policies
    /// Whether no name has a say in anything, so that names need not even be looked up.
    let ignoresNames: Bool
    package let prune: PruneOptions
    /// What happens to a bad record.
    public let records: RecordPolicy
    /// What is written around a document, and around that of a line.
    package let envelope, lineEnvelope: Envelope

    package init(
        output: OutputOptions, limits: Limits, selectors: SelectorTable = SelectorTable(),
        caseRule: KeyCaseRule? = nil, isInverse: Bool = false, sourceCaseRule: KeyCaseRule? = nil,
        refusesLossyNames: Bool = false,
        rules: [ValueRule] = [], scanRule: Int = -1,
        policies: Policies = Policies(), prune: PruneOptions = PruneOptions(),
        records: RecordPolicy = .fail, ignoresNames: Bool = false, envelope: Envelope = .none,
        lineEnvelope: Envelope = .none
    ) {
        self.envelope = envelope
        self.lineEnvelope = lineEnvelope
        self.output = output
        self.limits = limits
        self.selectors = selectors
        paths = PathAutomaton(selectors, output: output)
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
    }

    /// A plan that changes nothing but white space (and escapes, when `output` asks for it).
    ///
    /// Duplicate keys pass, because removing white space does not change what a payload means.
    public static func minify(output: OutputOptions = OutputOptions(), limits: Limits = Limits()) -> Plan {
        Plan(
            output: output, limits: limits,
            policies: Policies(collision: .keep, duplicateKey: .keep, badValue: .keep),
            ignoresNames: true)
    }

    /// Whether a rule writes something in the place of objects and arrays.
    func replacesContainer(under rule: Int) -> Bool {
        rules[rule].masksContainers || (policies.badValue == .null && !rules[rule].stringifiesValue)
    }

    /// Whether two input names can have one output name.
    var canRename: Bool { caseRule != nil || selectors.hasRenames }

    /// Whether a bad record is skipped or becomes null instead of refusing the payload.
    public var sparesRecords: Bool { records != .fail }

    /// Whether a record goes whose name collides: skipped it does, and so does the null in its place if that is pruned, or
    /// if `keep` wants more of the place than a scalar.
    package func skipsCollidingRecord(mustHold: Bool) -> Bool { records == .skip || mustHold || prune.null }

    /// Whether every object is held until it ends.
    var holdsObjects: Bool {
        policies.collision == .last || policies.duplicateKey == .last || (output.sortKeys && !selectors.moves.isEmpty)
    }

    /// Whether members are put in order in the text that was written of them.
    var sortsText: Bool { output.sortKeys && !holdsObjects }

    /// Whether members may be taken back or added, or objects held: what the converter keeps savepoints and stages output for.
    var isStaged: Bool { prune.isActive || isStagedBesidePrune }

    /// Whether of all that isStaged there is only the taking out of members that are empty, not of elements.
    var prunesOnly: Bool { prune.isActive && !prune.inArrays && !isStagedBesidePrune }

    private var isStagedBesidePrune: Bool {
        selectors.removesUnkept || selectors.hasContracts || !selectors.moves.isEmpty || sparesRecords || holdsObjects
            || sortsText || selectors.unwraps || rules.contains(where: { $0.stringifiesValue })
    }

    /// Whether the fast path may take names that no rule names without learning them.
    var passesNames: Bool {
        !ignoresNames && !isStaged && !isInverse && !refusesLossyNames && selectors.wildNames.isEmpty
            && caseRule?.isPlain != false
    }

    /// Whether objects must remember the names they had.
    var tracksNames: Bool { policies.duplicateKey != .keep || (canRename && policies.collision != .keep) }
}
