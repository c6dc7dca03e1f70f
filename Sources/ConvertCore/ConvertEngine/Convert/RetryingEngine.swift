import ConvertText

/// The engine of a plan. Under `last`, another engine tries each document first.
///
/// A later member can replace an earlier one, whose errors then do not count. So the plan's engine buffers objects as trees, which takes ten
/// times as long. But hardly any document has two members with one key, or an error. So it is first converted as under `error`, and its
/// output is kept until its end. If that fails, the plan's engine begins again, with the input that was kept, too. In NDJSON, that is the
/// line that failed.
struct RetryingEngine: ~Copyable, Sendable {
    /// The most bytes of a document or line, and of its output, that are kept.
    private static let maxBytes = 4 * 1024 * 1024
    /// How many bytes of lines are tried at a time.
    private static let linesBytes = 64 * 1024

    /// The engine of the plan.
    private var box: UniqueBox<Engine>
    private var attempt: UniqueBox<Attempt>?
    private let maxKeptBytes: Int
    /// Whether the attempt has not failed.
    private var isTrying: Bool

    /// - Parameter usesSpares: whether to begin with what the plan's earlier engines learned about keys.
    init(_ plan: Plan, framing: Converter.Framing, usesSpares: Bool) {
        box = UniqueBox(Engine(plan, framing: framing, learned: usesSpares ? plan.spareKeys.take() : nil))
        if let plan = plan.triedFirst {
            attempt = UniqueBox(Attempt(plan, framing: framing, usesSpares ? plan.spareKeys.take() : nil))
        }
        maxKeptBytes = min(Self.maxBytes, plan.limits.maxHeldBytes / 4)
        isTrying = attempt != nil
    }

    var engine: Engine {
        @inline(__always) _read { yield box.value }
        @inline(__always) _modify { yield &box.value }
    }

    /// Begins another payload.
    mutating func reset() {
        box.value.reset()
        attempt?.value.reset()
        isTrying = attempt != nil
    }

    /// See `Converter.resetForNextLines()`.
    mutating func resetForNextLines() {
        box.value.resetForNextLines()
        attempt?.value.resetForNextLines()
        isTrying = attempt != nil
    }

    /// Ends the use of the engines, and keeps what they learned about keys.
    consuming func keepSpares() {
        box.take().keepSpares()
        attempt?.take().engine.keepSpares()
    }

    /// The number of line feeds in the input.
    var lineFeeds: Int {
        isTrying ? attempt.count { $0.value.engine.position.lineFeeds } : box.value.position.lineFeeds
    }

    /// Whether lines are tried, perhaps from the next one on.
    private var triesLines: Bool { box.value.isLines && attempt != nil }

    /// See `Converter.storedBytes`.
    var storedBytes: Int {
        box.count(Engine.storedBytes)
            + attempt.count { $0.count { Engine.storedBytes(&$0.engine) + $0.bufferedBytes } }
    }

    /// See `Converter.heldBytes`.
    var heldBytes: Int {
        box.count(Engine.heldBytes) + attempt.count { $0.count { Engine.heldBytes(&$0.engine) + $0.bufferedBytes } }
    }

    // MARK: Input

    /// Takes the next piece. With `pauses`, the rest of it waits if buffered output must be written first.
    @inline(never)
    mutating func take(
        _ chunk: Span<UInt8>, pauses: Bool, into output: inout ByteBuffer
    ) throws(ConversionError) {
        if triesLines, !pauses, chunk.count > Self.linesBytes {
            for start in stride(from: 0, to: chunk.count, by: Self.linesBytes) {
                let end = min(start + Self.linesBytes, chunk.count)
                try take(chunk.extracting(start..<end), pauses: false, into: &output)
            }
            return
        }
        guard isTrying else { return try takeWithoutAttempt(chunk, pauses: pauses, into: &output) }
        // A long piece is not copied if it can be taken at once.
        if isTooLong(chunk.count), !pauses || attempt!.value.input.isEmpty {
            giveUp(into: &output)
            while isWriting { try continueWriting(into: &output) }
            return try box.value.take(chunk, pauses: pauses, into: &output)
        }
        try take(.take(pauses: pauses), chunk, into: &output)
        if !isEngineWriting { try continueWriting(into: &output) }
        while isWriting, !pauses { try continueWriting(into: &output) }
    }

    /// Takes the next piece after an attempt that failed. Lines are tried again from the next line on.
    private mutating func takeWithoutAttempt(
        _ chunk: Span<UInt8>, pauses: Bool, into output: inout ByteBuffer
    ) throws(ConversionError) {
        let lineEnd = triesLines ? chunk.firstIndex(of: ASCII.lineFeed, from: 0, to: chunk.count) + 1 : .max
        guard lineEnd < chunk.count else { return try box.value.take(chunk, pauses: pauses, into: &output) }
        let rest = chunk.extracting(lineEnd...)
        try box.value.take(chunk.extracting(..<lineEnd), pauses: pauses, into: &output)
        guard !box.value.isWriting else {
            attempt!.value.input.append(rest)
            (attempt!.value.position, attempt!.value.pieceBytes) = (0, chunk.count)
            return
        }
        attempt!.value.beginLine(box.value.position.line)
        isTrying = true
        try take(rest, pauses: pauses, into: &output)
    }

    /// Takes the last piece and ends the payload.
    @inline(never)
    mutating func finish(_ lastChunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        guard isTrying || triesLines else { return try box.value.finish(lastChunk, into: &output) }
        try take(lastChunk, pauses: false, into: &output)
        try finish(into: &output)
    }

    /// Ends the payload.
    @inline(never)
    mutating func finish(into output: inout ByteBuffer) throws(ConversionError) {
        guard isTrying else { return try box.value.finish(into: &output) }
        while isWriting { try continueWriting(into: &output) }
        try take(.finish, [UInt8]().span, into: &output)
        guard isTrying else {
            while isWriting { try continueWriting(into: &output) }
            return try box.value.finish(into: &output)
        }
        attempt!.value.write(into: &output)
    }

    /// Takes a step of the attempt. If that fails, or if too much is kept, the plan's engine has to begin again.
    ///
    /// - Throws: an error that does not depend on later members: the document is not JSON.
    @inline(never)
    private mutating func take(
        _ step: Attempt.Step, _ chunk: Span<UInt8>, into output: inout ByteBuffer
    ) throws(ConversionError) {
        guard !attempt!.value.isComplete else { return try attempt!.value.perform(step, chunk) }
        attempt!.value.input.append(chunk)
        guard !isTooLong(0) else { return giveUp(into: &output) }
        attempt!.value.pieceBytes = max(attempt!.value.pieceBytes, chunk.count)
        do throws(ConversionError) {
            try attempt!.value.perform(step, chunk)
            if attempt!.value.hasEnded {
                attempt!.value.countOutput()
                attempt!.value.dropInput()
            }
            if attempt!.value.isOutputTooLong(maxKeptBytes) { giveUp(into: &output) }
        } catch {
            attempt!.value.countOutput()
            guard error.code != .json else {
                attempt!.value.write(into: &output)
                throw error
            }
            giveUp(at: error, into: &output)
        }
    }

    /// Whether more is to be kept with the next bytes of an unfinished document than may be.
    private func isTooLong(_ count: Int) -> Bool {
        attempt.count { $0.value.isComplete ? 0 : $0.value.input.count + count } > maxKeptBytes
    }

    /// Ends the attempt. Only its input is still needed, in NDJSON from the line of the error on.
    private mutating func giveUp(at error: ConversionError? = nil, into output: inout ByteBuffer) {
        isTrying = false
        attempt!.value.write(into: &output)
        if box.value.isLines {
            var line = attempt!.value.start
            if let error { line = InputPosition.Line(number: error.line - 1, start: error.offset - error.column + 1) }
            attempt!.value.input.removeFirst(line.start - attempt!.value.start.start)
            if line.start > 0 { box.value.resetForNextLines() }
            box.value.position.begin(line)
        }
        attempt!.value.engine.reset()
        attempt!.value.output.removeAll(keepingAtMost: Attempt.maxKeptBytes)
    }

    /// An error about a limit, at the position up to which the input was taken.
    mutating func limitError(_ message: String) -> ConversionError {
        let error = EngineError(kind: .heldLength, position: 0)
        var described =
            isTrying
            ? attempt!.value.engine.describe(error, in: [UInt8]().span)
            : box.value.describe(error, in: [UInt8]().span)
        described.message = message
        return described
    }

    // MARK: Buffered output

    /// Whether output of the document is to be handed on, or input to be taken again.
    private var isBehind: Bool {
        attempt.count {
            (isTrying ? $0.value.finishedBytes : $0.value.input.count) - $0.value.position
        } > 0
    }

    /// Whether the engine that reads the input has to write first.
    private var isEngineWriting: Bool {
        isTrying ? attempt.count { $0.value.engine.isWriting ? 1 : 0 } > 0 : box.value.isWriting
    }

    /// See `Converter.isWriting`.
    var isWriting: Bool { isEngineWriting || isBehind }

    /// See `Converter.work`.
    var work: Int { isTrying ? attempt.count { $0.value.engine.work } : box.value.work }

    /// See `Converter.takeWork()`.
    mutating func takeWork() -> HeldWork { isTrying ? attempt!.value.engine.takeWork() : box.value.takeWork() }

    /// See `Converter.finish(_:)`.
    mutating func finish(_ work: consuming HeldWork) {
        if isTrying { attempt!.value.engine.finish(work) } else { box.value.finish(work) }
    }

    /// See `Converter.continueWriting(into:)`.
    @inline(never)
    mutating func continueWriting(into output: inout ByteBuffer) throws(ConversionError) {
        if isTrying, isBehind { return attempt!.value.write(upTo: box.value.pieceBytes, into: &output) }
        guard !isEngineWriting else {
            guard isTrying else { return try box.value.continueWriting(into: &output) }
            return try take(.continueWriting, [UInt8]().span, into: &output)
        }
        guard isBehind else { return }
        // A local variable, because a span of the buffer would prevent any change of the whole struct.
        var input = ByteBuffer()
        swap(&input, &attempt!.value.input)
        let start = attempt!.value.position
        let end = min(start + min(box.value.pieceBytes, attempt!.value.pieceBytes), input.count)
        attempt!.value.position = end
        try box.value.take(input.bytes.extracting(start..<end), pauses: true, into: &output)
        // After the end or an error, it is not needed any more.
        if end < input.count { swap(&input, &attempt!.value.input) }
    }
}
