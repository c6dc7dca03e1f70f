/// A push transducer: bytes of a payload in, converted bytes out.
///
/// Any split of the input into chunks gives the same output. One pass, no tree: memory is bounded by the depth of nesting,
/// the longest key and the names of the objects that are open. After an error the converter takes no more input until
/// `reset()`.
///
///     var converter = Converter(plan)
///     try converter.convert(chunk, into: &output)
///     try converter.finish(into: &output)
///
/// The state between two bytes is `expectation`, the stack of frames and, inside a token, what is held of it: a key and a
/// value that a rule may rewrite are held whole in `held`, all else is copied as far as it came.
public struct Converter: ~Copyable, Sendable {
    /// How values follow each other in the payload.
    public enum Framing: Sendable, Hashable {
        /// One JSON text.
        case document
        /// NDJSON: one JSON text a line.
        case lines
    }

    /// How much output the fast lane makes room for at a time.
    static let maxLaneBytes = 64 * 1024
    /// Enough of a payload to tell UTF-16 and UTF-32 by.
    static let signatureBytes = 4

    let plan: Plan
    let framing: Framing
    /// Settings that the loop asks for at every token.
    let isLines: Bool
    let hasFastLane: Bool
    /// Whether the fast lane copies names without looking them up.
    let ignoresNames: Bool
    let indent: Int
    let tracksNames: Bool
    let hasPatterns: Bool
    let maxDepth: Int
    let maxKeyBytes: Int
    let scanRule: Int32
    /// Whether members may be taken back, and what `Plan.elaborates` names beside.
    let elaborates: Bool
    let holdsObjects: Bool
    let sortsText: Bool
    let prunes: Bool
    let prunesElements: Bool
    /// Whether members go for nothing but being empty.
    let prunesOnly: Bool
    /// Whether a rule turns values into text.
    let quotes: Bool

    var expectation = Expectation.start
    var frame: Frame
    var outer = TrivialArray<Frame>()
    /// The path state of the value that comes next, and the rule for it or -1.
    var valueState: Int32 = 0
    var valueRule: Int32 = -1
    var valueTraits: PathStates.Traits = []
    var rootMatch: PathStates.Match { paths.rootMatch }

    var paths: PathStates
    var memo: KeyMemo
    /// What predicts the next key; it has no last one at the very first.
    var context = KeyMemo.Context()
    /// The spaces that followed a line feed last, by the depth where they did, for the fast lane to expect again.
    var indentations = InlineArray<32, UInt8>(repeating: 0)
    static let indentationMask = 31
    var undo = TrivialArray<StampUndo>()
    var spills: [SpilledNames] = []
    /// Objects that have begun so far.
    var serial: UInt64 = 0
    let spillSeeds: (UInt64, UInt64)

    var strings: StringCopier
    var number = NumberCopier.State.start
    var literal = LiteralProgress()
    /// The key, string or number being read, where it must be whole before anything can be written.
    var held = ByteBuffer()
    /// Unescaped content of what is held.
    var content = ByteBuffer()
    /// What is being written for a key.
    var text = ByteBuffer()
    /// The last bytes of a chunk, with padding.
    var padded = ByteBuffer()
    /// What a rule knows of the string that is held, once that is long.
    var longString: LongString?
    /// Where the held token began, in bytes from the start of the payload.
    var heldOffset = 0

    /// While a member is left out: how many containers are around it; otherwise -1.
    var mutedDepth = -1
    /// Where the output stood when the member that is left out began.
    var mutedMark = 0

    /// Output that may still be taken back, and a level for every open container and the payload.
    var staged: ByteBuffer?
    var levels = TrivialArray<Level>()
    /// The depth of the outermost container whose member may still go, or `settled`.
    var uncommittedDepth = Converter.settled
    /// Counts of what open containers hold; see `Converter+Obligations`.
    var presence = TrivialArray<Int32>()
    /// The depth of the container whose member falls to a collision, though rules still look into it, or -1.
    var fallenDepth = -1
    /// The depth of the container whose member is the current record, or -1, and whether that is left out.
    var recordDepth = -1
    var recordIsBad = false
    /// As these two, for a record in a part of a scope that is left out anyhow.
    var mutedRecordDepth = -1
    var mutedRecordIsBad = false
    var isLineLeftOut = false
    /// Bad records of this payload, which were left out or replaced by null.
    public internal(set) var skippedRecords = 0
    /// The depth of the container whose member is written as text, or -1.
    var quoteDepth = -1
    /// Whether the beginning of that value was handed on.
    var isQuoteOpen = false
    /// The depth of the container whose member is the outermost object that is sorted in the text, or -1.
    var sortedDepth = -1
    /// Where the members of open objects begin in `staged`, those of the innermost object last.
    var memberMarks = TrivialArray<Int>()
    var sorter = MemberSorter()
    /// The rest of a chunk in which an object ended whose held text is still to be written.
    var waitingInput = ByteBuffer(capacity: 0)
    /// The depth of the container whose member is the scope, or -1.
    var scopeDepth = -1
    var scope = ScopeTree()
    var settling = ScopeSettling()
    var writer = ScopeWriter()
    /// How much more may be done for scopes that end before the rest is left for later, and for each piece of them.
    var steps = Converter.maxPieceSteps
    var stepsPerPiece = Converter.maxPieceSteps
    /// Text of the scope that went to its nodes.
    var scopeBytes = 0
    var scopeDefaultItems: [PathStates.Item] = []
    var isScopeEmpty = false
    /// The nodes of the scope whose line is known.
    var placedNodes = 0
    var deferredFaults: [DeferredFault] = []
    /// Requirements that members of the scope meet.
    var metRequirements: [Obligations.Requirement] = []
    /// What the last fault is about, beside what it says itself.
    var missing = Obligations.Requirement(name: [], place: "", rule: "")
    var deferredIndex = 0
    var faultyNode = 0
    var faultyMove = -1
    var collidingNode = 0

    /// Bytes taken before this chunk, line feeds among them, and the offset at which the last of those lines begins.
    var chunkOffset = 0
    var linesBefore = 0
    var lineOffset = 0
    /// The first four bytes, to name UTF-16 and UTF-32 by.
    var signature: [UInt8] = []
    /// Levels of nesting around the payload, where it is written into another.
    var outerLevels = 0
    /// What a rule said of the value at fault.
    var badValueMessage = ""

    /// Creates a converter for payloads of one framing; it may be used for any number of them.
    public init(_ plan: Plan, framing: Framing = .document) {
        self.plan = plan
        self.framing = framing
        let indent = framing == .lines ? 0 : plan.output.indent
        isLines = framing == .lines
        self.indent = indent
        hasFastLane = indent == 0 && plan.output.escapes == .preserve
        ignoresNames = plan.ignoresNames && !plan.elaborates && plan.limits.maxKeyBytes >= TokenCursor.stepBytes
        tracksNames = plan.tracksNames
        hasPatterns = plan.selectors.changesOnTheWay
        maxDepth = min(plan.limits.maxDepth, ObjectStamp.maxDepth)
        maxKeyBytes = plan.limits.maxKeyBytes
        scanRule = Int32(plan.scanRule)
        elaborates = plan.elaborates
        holdsObjects = plan.holdsObjects
        sortsText = plan.sortsText
        prunes = plan.prune.isActive
        prunesElements = plan.prune.inArrays
        prunesOnly = plan.prunesOnly
        quotes = plan.rules.contains(where: \.quotesValue)
        paths = plan.paths
        memo = KeyMemo(seed: UInt64.random(in: .min ... .max))
        spillSeeds = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
        strings = StringCopier(plan.output.escapes)
        frame = Frame(kind: .payload, state: plan.paths.rootMatch.state)
        levels.append(Level())
        beginPayload()
    }

    /// Converts the next piece of the payload and appends what is ready to `output`.
    ///
    /// - Throws: `ConversionError` for the first fault. `output` may then hold a beginning of the converted payload.
    public mutating func convert(_ chunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        try feed(chunk, pauses: false, into: &output)
    }

    /// Converts the last piece of the payload, or all of it, and ends it.
    ///
    /// As `convert(_:into:)` and `finish(into:)`, but quicker: the lines of the last piece are counted only for an error.
    ///
    /// - Throws: `ConversionError` for the first fault. `output` may then hold a beginning of the converted payload.
    public mutating func finish(_ lastChunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        guard !elaborates else {
            try convert(lastChunk, into: &output)
            return try finish(into: &output)
        }
        if signature.count < Self.signatureBytes {
            guard try takeSignature(lastChunk, pauses: false, into: &output) else { return try finish(into: &output) }
        }
        let start = chunkOffset
        _ = try take(lastChunk, countsLines: false, &output)
        do throws(Fault) {
            try end(&output)
            expectation = .failed
        } catch {
            countLines(of: lastChunk, before: lastChunk.count, from: start)
            throw describe(error, in: [UInt8]().span)
        }
    }

    /// Ends the payload; throws when it was cut off.
    public mutating func finish(into output: inout ByteBuffer) throws(ConversionError) {
        if signature.count < Self.signatureBytes {
            let held = signature
            try take(held.span, pauses: false, into: &output)
        }
        while isWriting { try continueWriting(into: &output) }
        do throws(Fault) {
            if elaborates {
                var waiting = staged.take() ?? ByteBuffer()
                try end(&waiting)
                release(&waiting, into: &output)
            } else {
                try end(&output)
            }
            expectation = .failed
        } catch {
            throw describe(error, in: [UInt8]().span)
        }
    }

    /// Makes the converter ready for another payload and keeps what it learned about keys.
    public mutating func reset() {
        undo.removeAll()
        spills.removeAll()
        outer.removeAll()
        held.removeAll()
        longString = nil
        strings.reset()
        mutedDepth = -1
        staged = nil
        // A payload that failed leaves judgements on its open members behind.
        levels.truncate(to: 0)
        levels.append(Level())
        presence.truncate(to: 0)
        uncommittedDepth = Self.settled
        fallenDepth = -1
        mutedRecordDepth = -1
        recordDepth = -1
        recordIsBad = false
        isLineLeftOut = false
        skippedRecords = 0
        quoteDepth = -1
        isQuoteOpen = false
        scopeDepth = -1
        waitingInput.removeAll()
        abandonSorting()
        if settling.phase != .settled { settling.end() }
        scope.removeAll()
        deferredFaults.removeAll()
        chunkOffset = 0
        linesBefore = 0
        lineOffset = 0
        signature.removeAll(keepingCapacity: true)
        expectation = .start
        context.beginPayload(objects: serial)
        beginPayload()
    }

    /// As `reset()`, before a part of an NDJSON payload that is not its first: it begins with a line and with no mark.
    ///
    /// Lines and offsets of faults count from the beginning of the part.
    public mutating func resetForNextLines() {
        precondition(isLines)
        reset()
        signature = [UInt8](repeating: ASCII.space, count: Self.signatureBytes)
        expectation = .lineStart
    }

    /// Line feeds in the bytes that `convert(_:into:)` took since the last reset.
    public var lineFeedsTaken: Int { linesBefore }

    /// Holds the payload back until its first bytes are known, which name its encoding in an error; false until then.
    private mutating func takeSignature(
        _ chunk: Span<UInt8>, pauses: Bool, into output: inout ByteBuffer
    ) throws(ConversionError) -> Bool {
        let held = signature
        for index in 0..<min(Self.signatureBytes - held.count, chunk.count) { signature.append(chunk[index]) }
        guard signature.count == Self.signatureBytes else { return false }
        if !held.isEmpty { try take(held.span, pauses: pauses, into: &output) }
        return true
    }

    /// Takes the next piece; with `pauses` the rest of it waits when an object ends whose held text is to be written first.
    mutating func feed(
        _ chunk: Span<UInt8>, pauses: Bool, into output: inout ByteBuffer
    ) throws(ConversionError) {
        steps = stepsPerPiece
        if signature.count < Self.signatureBytes {
            guard try takeSignature(chunk, pauses: pauses, into: &output) else { return }
        }
        try take(chunk, pauses: pauses, into: &output)
    }

    private mutating func take(
        _ chunk: Span<UInt8>, pauses: Bool, into output: inout ByteBuffer
    ) throws(ConversionError) {
        guard elaborates else {
            _ = try take(chunk, &output)
            return
        }
        guard !isWriting else { return waitingInput.append(chunk) }
        // Staged output is handed on slice by slice, however much comes at once.
        var start = 0
        repeat {
            let end = min(start + Self.maxLaneBytes, chunk.count)
            var waiting = staged.take() ?? ByteBuffer()
            do throws(ConversionError) {
                start += try take(chunk.extracting(start..<end), &waiting)
            } catch {
                staged = consume waiting
                throw error
            }
            try release(consume waiting, into: &output)
            if isWriting, pauses { return waitingInput.append(chunk.extracting(start...)) }
            while isWriting { try writePiece(into: &output) }
        } while start < chunk.count
    }

    /// Takes the whole chunk or, if an object ends in it whose held text is to be written first, a part; returns how much.
    ///
    /// Its lines must be counted unless it is the payload's last.
    private mutating func take(
        _ chunk: Span<UInt8>, countsLines: Bool = true, _ output: inout ByteBuffer
    ) throws(ConversionError) -> Int {
        let start = chunkOffset
        let taken: Int
        do throws(Fault) {
            taken = try take(chunk, padding: 0, &output)
        } catch {
            throw describe(error, in: chunk)
        }
        if countsLines { countLines(of: chunk, before: taken, from: start) }
        guard taken < chunk.count, !isWriting else { return taken }
        // The fast lane looks further ahead than the last bytes of a chunk go, so they are copied with padding behind them.
        var rest = ByteBuffer(capacity: 0)
        swap(&rest, &padded)
        defer { swap(&rest, &padded) }
        rest.removeAll()
        rest.append(chunk.extracting(taken...))
        rest.append(repeating: ASCII.null, count: TokenCursor.turnBytes)
        let restTaken: Int
        do throws(Fault) {
            restTaken = try take(rest.bytes, padding: TokenCursor.turnBytes, &output)
        } catch {
            if !countsLines { countLines(of: chunk, before: taken, from: start) }
            throw describe(error, in: rest.bytes)
        }
        if countsLines { countLines(of: rest.bytes, before: restTaken, from: start + taken) }
        return taken + restTaken
    }

    /// Takes the chunk that stands before `padding` bytes; returns how much of it was taken.
    private mutating func take(
        _ bytes: Span<UInt8>, padding: Int, _ output: inout ByteBuffer
    ) throws(Fault) -> Int {
        // Only plans that stage their output have marks of an earlier chunk, which stay true.
        if !elaborates { mutedMark = output.count }
        var reader = ChunkReader(bytes, padding: padding)
        do throws(Fault) {
            try run(&reader, &output)
        } catch {
            if mutedDepth >= 0 { output.truncate(to: mutedMark) }
            if ignoresNames { rememberPlaces(in: bytes) }
            throw error
        }
        if mutedDepth >= 0 { output.truncate(to: mutedMark) }
        if ignoresNames { rememberPlaces(in: bytes) }
        if scopeDepth >= 0 { placeNodes(in: bytes) }
        chunkOffset += reader.position
        return reader.position
    }

    /// Counts the lines of bytes that were taken, the first of which is `start` bytes into the payload.
    private mutating func countLines(of bytes: Span<UInt8>, before end: Int, from start: Int) {
        let (lines, afterLast) = ChunkReader(bytes).lineFeeds(before: end)
        linesBefore += lines
        if let afterLast { lineOffset = start + afterLast }
    }

    /// Stands before the payload's value.
    mutating func beginPayload() {
        frame = Frame(kind: .payload, state: rootMatch.state)
        valueState = rootMatch.state
        valueRule = rootMatch.rule
        valueTraits = rootMatch.traits
    }
}
