/// The engine of a plan. Under `last`, another engine tries each document first.
///
/// A later member can replace an earlier one, whose errors then do not count. So the plan's engine buffers objects as trees, which takes ten
/// times as long. But hardly any document has two members with one key, or an error. So it is first converted as under `error`, and its
/// output is kept until its end. If that fails, the plan's engine begins again, with the input that was kept, too.
struct RetryingEngine: ~Copyable, Sendable {
    /// A document that is tried, as far as it has come.
    struct Attempt: ~Copyable, Sendable {
        /// The most bytes of storage that are kept for the next document.
        static let maxKeptBytes = 256 * 1024

        var engine: Engine
        var input = ByteBuffer(capacity: 0)
        var output = ByteBuffer(capacity: 0)

        /// The length of the longest piece of the input. No more is taken again at a time, because the caller knows how long that takes.
        var pieceBytes = 0
        /// How much of the output was handed on, or of the input taken again.
        var position = 0

        init(_ plan: Plan, _ learned: consuming LearnedKeys?) { engine = Engine(plan, learned: learned) }

        /// Whether the document has ended, so that its output counts.
        var isComplete: Bool { engine.isAfterValue }

        var bufferedBytes: Int { input.capacity + output.capacity }

        mutating func reset() {
            engine.reset()
            (pieceBytes, position) = (0, 0)
            input.removeAll(keepingAtMost: Self.maxKeptBytes)
            output.removeAll(keepingAtMost: Self.maxKeptBytes)
        }
    }

    /// The most bytes of a document, and of its output, that are kept.
    private static let maxBytes = 4 * 1024 * 1024

    /// The engine of the plan.
    private var box: UniqueBox<Engine>
    private var attempt: UniqueBox<Attempt>?
    private let maxKeptBytes: Int
    /// Whether the attempt has not failed.
    private var isTrying: Bool

    /// - Parameter usesSpares: whether to begin with what the plan's earlier engines learned about keys.
    init(_ plan: Plan, framing: Converter.Framing, usesSpares: Bool) {
        box = UniqueBox(Engine(plan, framing: framing, learned: usesSpares ? plan.spareKeys.take() : nil))
        if framing == .document, let plan = plan.triedFirst {
            attempt = UniqueBox(Attempt(plan, usesSpares ? plan.spareKeys.take() : nil))
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

    /// Ends the use of the engines, and keeps what they learned about keys.
    consuming func keepSpares() {
        box.take().keepSpares()
        attempt?.take().engine.keepSpares()
    }

    /// The number of line feeds in the input.
    var lineFeeds: Int {
        isTrying ? attempt.count { $0.value.engine.position.lineFeeds } : box.value.position.lineFeeds
    }

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
        guard isTrying else { return try box.value.take(chunk, pauses: pauses, into: &output) }
        // A long piece is not copied if it can be taken at once.
        if isTooLong(chunk.count), !pauses || attempt!.value.input.isEmpty {
            giveUp()
            while isWriting { try continueWriting(into: &output) }
            return try box.value.take(chunk, pauses: pauses, into: &output)
        }
        try tryStep(chunk) { attempt throws(ConversionError) in
            try attempt.engine.take(chunk, pauses: pauses, into: &attempt.output)
        }
        if !isEngineWriting { try continueWriting(into: &output) }
        while isWriting, !pauses { try continueWriting(into: &output) }
    }

    /// Takes the last piece and ends the payload.
    @inline(never)
    mutating func finish(_ lastChunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        guard isTrying else { return try box.value.finish(lastChunk, into: &output) }
        try take(lastChunk, pauses: false, into: &output)
        try finish(into: &output)
    }

    /// Ends the payload.
    @inline(never)
    mutating func finish(into output: inout ByteBuffer) throws(ConversionError) {
        guard isTrying else { return try box.value.finish(into: &output) }
        while isWriting { try continueWriting(into: &output) }
        try tryStep([UInt8]().span) { attempt throws(ConversionError) in
            try attempt.engine.finish(into: &attempt.output)
        }
        guard isTrying else {
            while isWriting { try continueWriting(into: &output) }
            return try box.value.finish(into: &output)
        }
        output.append(attempt!.value.output.bytes.extracting(attempt!.value.position...))
    }

    /// Takes a step of the attempt. If that fails, or if too much is kept, the plan's engine has to begin again.
    ///
    /// - Throws: an error that does not depend on later members: the document is not JSON.
    @inline(never)
    private mutating func tryStep(
        _ chunk: Span<UInt8>, _ step: (inout Attempt) throws(ConversionError) -> Void
    ) throws(ConversionError) {
        guard !attempt!.value.isComplete else { return try step(&attempt!.value) }
        attempt!.value.input.append(chunk)
        guard !isTooLong(0) else { return giveUp() }
        attempt!.value.pieceBytes = max(attempt!.value.pieceBytes, chunk.count)
        do throws(ConversionError) {
            try step(&attempt!.value)
            if attempt!.value.isComplete {
                attempt!.value.input.removeAll(keepingAtMost: Attempt.maxKeptBytes)
            } else if attempt!.value.output.count > maxKeptBytes {
                giveUp()
            }
        } catch {
            guard error.code != .json else { throw error }
            giveUp()
        }
    }

    /// Whether more is to be kept with the next bytes of an unfinished document than may be.
    private func isTooLong(_ count: Int) -> Bool {
        attempt.count { $0.value.isComplete ? 0 : $0.value.input.count + count } > maxKeptBytes
    }

    /// Ends the attempt. Only its input is still needed.
    private mutating func giveUp() {
        isTrying = false
        attempt!.value.engine.reset()
        attempt!.value.output = ByteBuffer(capacity: 0)
    }

    // MARK: Buffered output

    /// Whether output of the document is to be handed on, or input to be taken again.
    private var isBehind: Bool {
        attempt.count {
            let text = isTrying ? ($0.value.isComplete ? $0.value.output.count : 0) : $0.value.input.count
            return text - $0.value.position
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
        guard !isEngineWriting else {
            guard isTrying else { return try box.value.continueWriting(into: &output) }
            return try tryStep([UInt8]().span) { attempt throws(ConversionError) in
                try attempt.engine.continueWriting(into: &attempt.output)
            }
        }
        guard isBehind else { return }
        let start = attempt!.value.position
        guard !isTrying else {
            let end = min(start + box.value.pieceBytes, attempt!.value.output.count)
            attempt!.value.position = end
            return output.append(attempt!.value.output.bytes.extracting(start..<end))
        }
        // A local variable, because a span of the buffer would prevent any change of the whole struct.
        var input = ByteBuffer(capacity: 0)
        swap(&input, &attempt!.value.input)
        let end = min(start + min(box.value.pieceBytes, attempt!.value.pieceBytes), input.count)
        attempt!.value.position = end
        try box.value.take(input.bytes.extracting(start..<end), pauses: true, into: &output)
        // After the end or an error, it is not needed any more.
        if end < input.count { swap(&input, &attempt!.value.input) }
    }
}
