import ConvertText

/// The parts of a converter: its lexers and stages, what it learned about keys, and the state of the current payload.
///
/// The state between two bytes is `lexerState`, the stack of containers and, inside a token, the part that was read. `keys` buffers a key,
/// and `values` a value that a rule may rewrite, until they are complete. All other bytes are copied as they come.
struct Engine: ~Copyable, Sendable {
    /// The most bytes of input for which the fast path reserves output at a time.
    static let maxFastPathBytes = 64 * 1024

    let plan: Plan
    /// Settings that the loop reads at every token.
    let isLines: Bool
    /// Whether the fast path copies keys without looking them up.
    let ignoresNames: Bool
    /// Whether payloads are taken by scans, see `takeScans`, and whether that continues in the current chunk.
    let scans: Bool
    var scansChunk = false
    let hasPatterns: Bool
    let maxDepth: Int
    /// How many containers are around the document, and the least depth at which the fast path may run.
    let documentDepth: Int
    let firstFastDepth: Int
    /// The text that is written around the document.
    let wrapText: WrapText
    let staging: Staging
    let holdsObjects: Bool
    let sortsText: Bool
    let streamsFlattened: Bool
    let streamsMoves: Bool
    let prune: PruneOptions
    let prunes: Bool
    /// Whether a rule turns values into text.
    let stringifies: Bool

    var lexerState = LexerState.start
    /// The state that belongs to the current payload only.
    var payload = PayloadState()
    var position = InputPosition()
    /// The open containers, the innermost one on top. At the bottom is the payload.
    var containers: UniqueStack<Container>
    /// The path state of the value that comes next, and the rule for it or -1.
    var valueState: Int32 = 0
    var valueRule: Int32 = -1
    var valueTraits = PathAutomaton.Traits()
    /// The rule that checks strings that no other rule acts on, or -1.
    var scanRule: Int32
    var keys: KeyMapper
    var indentations = Indentations()
    var strings = StringCopier()
    var number = NumberCopier.State.start
    var literal = LiteralProgress()
    var values: ScalarRewriter
    /// The last bytes of a chunk, with padding.
    var padded: ByteBuffer?

    /// Output that may still be removed or moved; and if `decidesMembers`, a savepoint for the payload and for every open container.
    var staged: ByteBuffer?
    var savepoints = UniqueArray<Savepoint>()
    var pendingErrors = PendingErrors()
    var counters = MemberCounters()
    var sorting = SortMembers()
    var moves = StreamedMoves()
    /// The rest of a chunk in which an object ended, while the buffered text of this object is written.
    var waitingInput = ByteBuffer()
    var hold = Hold()
    /// How many bytes of buffered text are written at a time.
    var pieceBytes = Engine.maxPieceBytes
    /// The requirement that the last error was about, if it was a missing key or element.
    var missing = ObjectContract.Requirement(name: [], pointer: "", rule: "")

    /// The message of the rule that rejected the last bad value.
    var badValueMessage = ""

    /// - Parameters:
    ///   - documentDepth: overrides the number of containers around the document that the plan expects.
    ///   - learned: what an earlier engine of the plan learned.
    init(
        _ plan: Plan, framing: Converter.Framing = .document, documentDepth: Int? = nil,
        learned: consuming LearnedKeys? = nil
    ) {
        self.plan = plan
        isLines = framing == .lines
        ignoresNames = plan.ignoresNames && !plan.isStaged && plan.limits.maxKeyBytes >= TokenCursor.stepBytes
        self.documentDepth = documentDepth ?? plan.selectors.document.payloadNames.count
        scans = Self.scans(plan, framing)
        hasPatterns = plan.selectors.changesOnTheWay
        maxDepth = min(plan.limits.maxDepth, ObjectTag.maxDepth)
        firstFastDepth = self.documentDepth == 0 ? 0 : self.documentDepth + 1
        wrapText = plan.wrapText
        scanRule = Int32(plan.scanRule)
        staging = plan.staging
        holdsObjects = plan.holdsObjects
        sortsText = plan.sortsText
        streamsFlattened = plan.streamsFlattened
        streamsMoves = plan.streamsMoves
        prune = plan.prune
        prunes = plan.prune.isActive
        stringifies = plan.settings.stringifies
        values = ScalarRewriter(plan)
        keys = KeyMapper(plan, lettingKeysPass: true, learned)
        containers = UniqueStack(Container(kind: .payload, state: plan.paths.rootMatch.state))
        savepoints.append(Savepoint())
        beginPayload()
    }

    /// Whether output is staged.
    @inline(__always)
    var isStaged: Bool { staging != .none }

    /// See `Staging.decidesMembers`.
    @inline(__always)
    var decidesMembers: Bool { staging.decidesMembers }

    /// See `Converter.finish(_:into:)`.
    mutating func finish(_ lastChunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        guard !isStaged else {
            try take(lastChunk, pauses: false, into: &output)
            return try finish(into: &output)
        }
        let mark = position.mark
        _ = try take(lastChunk, isLast: true, &output)
        do throws(EngineError) {
            try end(&output)
            lexerState = .failed
        } catch {
            position.findLine(in: lastChunk, before: lastChunk.count, since: mark)
            throw describe(error, in: [UInt8]().span)
        }
    }

    /// See `Converter.finish(into:)`.
    mutating func finish(into output: inout ByteBuffer) throws(ConversionError) {
        while isWriting { try continueWriting(into: &output) }
        do throws(EngineError) {
            if isStaged {
                var waiting = staged.take() ?? ByteBuffer()
                try end(&waiting)
                release(&waiting, into: &output)
            } else {
                // What is discarded was cut off at the end of the last chunk.
                payload.discard.chunkBegins(at: output.count)
                try end(&output)
            }
            lexerState = .failed
        } catch {
            throw describe(error, in: [UInt8]().span)
        }
    }

    /// Ends the use of the engine, and keeps what it learned about keys for another one of the plan.
    consuming func keepSpares() {
        let spares = plan.spareKeys
        let learned = keys.takeLearned()
        let bytes = learned.storedBytes
        spares.keep(learned, bytes: bytes)
    }

    /// Begins another payload, and keeps what was learned about keys.
    mutating func reset() {
        payload = PayloadState()
        position.beginPayload()
        keys.beginPayload()
        containers.removeAllAboveBottom()
        strings.reset()
        if isStaged { resetStaging() }
        lexerState = .start
        beginPayload()
    }

    /// Forgets what a payload that failed leaves behind of its open members.
    private mutating func resetStaging() {
        staged = nil
        savepoints.truncate(to: 0)
        savepoints.append(Savepoint())
        pendingErrors.removeAll()
        waitingInput.removeAll()
        counters.removeAll()
        sorting.abandon()
        moves.removeAll()
        hold.abandon()
    }

    /// Begins a part of an NDJSON payload that is not its first.
    mutating func resetForNextLines() {
        precondition(isLines)
        reset()
        lexerState = .lineStart
    }

    /// Begins the payload's value.
    mutating func beginPayload() {
        let root = keys.paths.rootMatch
        containers.top = Container(kind: .payload, state: root.state)
        (valueState, valueRule, valueTraits) = (root.state, root.rule, root.traits)
    }
}
