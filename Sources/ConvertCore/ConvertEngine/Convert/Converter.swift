/// A push transducer: bytes of a payload in, converted bytes out.
///
/// Any split of the input into chunks gives the same output. There is one pass and no tree. Memory is bounded by the
/// depth of nesting, the longest key and the keys of the open objects. After an error or `finish` the converter accepts
/// no more input until `reset()`. An earlier call is a programming error, which stops the process.
///
///     var converter = Converter(plan)
///     try converter.convert(chunk, into: &output)
///     try converter.finish(into: &output)
public struct Converter: ~Copyable, Sendable {
    /// How values follow each other in the payload.
    public enum Framing: Sendable, Hashable {
        /// One JSON text.
        case document
        /// NDJSON: one JSON text on each line.
        case lines
    }

    /// How much of a payload is converted before its output goes through the stages.
    private static let sliceBytes = 64 * 1024

    private var retrying: RetryingEngine
    var stages: OutputStages
    /// The error of the engine, while output from before it is still to be written.
    private var failure: ConversionError?

    /// The engine of the plan.
    var engine: Engine {
        @inline(__always) _read { yield retrying.engine }
        @inline(__always) _modify { yield &retrying.engine }
    }

    /// The keys that the converter has learned.
    package var keys: KeyMapper { _read { yield engine.keys } }

    /// Creates a converter for payloads of one framing. It can convert any number of them.
    public init(_ plan: Plan, framing: Framing = .document) {
        self.init(plan, framing: framing, usesSpares: false)
    }

    /// - Parameter usesSpares: whether to begin with what earlier converters of the plan learned, if they kept it (`keepSpares()`).
    @inline(never)  // Each caller would get a copy.
    init(_ plan: Plan, framing: Framing, usesSpares: Bool) {
        retrying = RetryingEngine(plan.stages?.rules ?? plan, framing: framing, usesSpares: usesSpares)
        stages = OutputStages(plan, framing: framing, usesSpares: usesSpares)
    }

    /// Converts the next piece of the payload and appends the finished output to `output`.
    ///
    /// - Precondition: no call has failed or finished the payload since the last `reset()`.
    /// - Throws: `ConversionError` for the first error. `output` may then be incomplete.
    public mutating func convert(_ chunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        guard !stages.areIdle else { return try retrying.take(chunk, pauses: false, into: &output) }
        var start = 0
        repeat {
            let end = min(start + Self.sliceBytes, chunk.count)
            try begin(chunk.extracting(start..<end), into: &output)
            while isWriting { try continueWriting(into: &output) }
            start = end
        } while start < chunk.count
    }

    /// Converts the last piece of the payload, or all of it, and ends it.
    ///
    /// Does the same as `convert(_:into:)` and `finish(into:)`, but faster: it looks for the beginning of the last line
    /// only after an error.
    ///
    /// - Precondition: no call has failed or finished the payload since the last `reset()`.
    /// - Throws: `ConversionError` for the first error. `output` may then be incomplete.
    @inline(never)  // The compiler would copy it into each caller.
    public mutating func finish(_ lastChunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        guard !stages.areIdle else { return try retrying.finish(lastChunk, into: &output) }
        try convert(lastChunk, into: &output)
        try finish(into: &output)
    }

    /// Ends the payload. Throws if the payload is incomplete.
    ///
    /// - Precondition: no call has failed or finished the payload since the last `reset()`.
    public mutating func finish(into output: inout ByteBuffer) throws(ConversionError) {
        guard !stages.areIdle else { return try retrying.finish(into: &output) }
        while isWriting { try perform(.continueWriting, into: &output) }
        try perform(.finish, into: &output)
        while stages.isWriting { try perform(.continueWriting, into: &output) }
        try stages.finish(into: &output)
    }

    /// Makes the converter ready for another payload and keeps the remembered keys.
    public mutating func reset() {
        retrying.reset()
        stages.reset()
        failure = nil
    }

    /// Ends the use of the converter, and keeps what it learned about keys for another one of its plan.
    consuming func keepSpares() {
        retrying.keepSpares()
        stages.keepSpares()
    }

    /// Does the same as `reset()` for a later part of an NDJSON payload, which begins with a line and has no byte order
    /// mark.
    ///
    /// Lines and offsets of errors count from the beginning of the part.
    package mutating func resetForNextLines() {
        retrying.resetForNextLines()
        stages.reset()
        failure = nil
    }

    /// The number of bad records of this payload that were skipped or replaced by null.
    public var skippedRecords: Int { skippedRecordsByCode.total }

    /// The same number for each error code.
    package var skippedRecordsByCode: SkippedRecords { engine.payload.records.skipped }

    /// The number of line feeds in the bytes that `convert(_:into:)` took since the last reset.
    package var lineFeedsTaken: Int { retrying.lineFeeds }

    // MARK: Buffered output

    /// Whether output may have to be buffered, so that `begin(_:into:)` is useful.
    package var mayHoldOutput: Bool { engine.isStaged || stages.indents }

    /// Does the same as `convert(_:into:)`, but does not write the whole buffered output of an object that ends in the
    /// chunk, and no more than some hundred kilobytes of indented output.
    ///
    /// After that, call only `continueWriting(into:)` while `isWriting`, so that no call writes much.
    ///
    /// - Precondition: `isWriting` is false, and no call has failed or finished the payload since the last `reset()`.
    package mutating func begin(_ chunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        precondition(!isWriting, "the buffered output must be written first")
        guard !stages.areIdle else { return try retrying.take(chunk, pauses: true, into: &output) }
        try perform(.take, chunk, into: &output)
    }

    /// Whether a part of the output is buffered that can be written now.
    package var isWriting: Bool { stages.isWriting || retrying.isWriting }

    /// Writes the next piece of the buffered output, at most some hundred kilobytes. Before the first piece, it does the work
    /// for the whole object (`work`). After the last piece, it continues with the chunk in which the object ended.
    ///
    /// - Throws: `ConversionError` for the first error. `output` may then be incomplete.
    package mutating func continueWriting(into output: inout ByteBuffer) throws(ConversionError) {
        guard !stages.areIdle else { return try retrying.continueWriting(into: &output) }
        try perform(.continueWriting, into: &output)
    }

    /// The work of the next `continueWriting(into:)` before it writes, in members that it looks at, each some 50 to 500 ns.
    package var work: Int { stages.isWriting ? stages.work : retrying.work }

    /// Hands out this work, so that the caller can perform it elsewhere. Call `finish(_:)` before any other method except `reset()`.
    package mutating func takeWork() -> HeldWork { stages.isWriting ? stages.takeWork() : retrying.takeWork() }

    /// Takes back the work after it was performed.
    package mutating func finish(_ work: consuming HeldWork) {
        if stages.isWriting { stages.finish(work) } else { retrying.finish(work) }
    }

    // MARK: Stages

    private enum Step { case take, continueWriting, finish }

    /// Has the engine do a step, unless the stages have something to write from before, and writes a piece of its output. An error of the
    /// engine is thrown when everything from before it is written.
    @inline(never)
    private mutating func perform(
        _ step: Step, _ chunk: Span<UInt8> = Span(), into output: inout ByteBuffer
    ) throws(ConversionError) {
        do throws(ConversionError) {
            switch step {
            case _ where stages.isWriting: break
            case .take: try retrying.take(chunk, pauses: true, into: &stages.text)
            case .continueWriting: try retrying.continueWriting(into: &stages.text)
            case .finish: try retrying.finish(into: &stages.text)
            }
        } catch {
            failure = error
        }
        do throws(ConversionError) {
            try stages.write(into: &output)
        } catch {
            throw failure ?? retrying.limitError(error.message)
        }
        if let failure, !stages.isWriting { throw failure }
    }

    // MARK: Memory

    /// The approximate bytes of memory that the converter keeps for its next payload: the remembered keys and paths,
    /// and its buffers.
    ///
    /// A payload with many keys or much buffered output leaves more memory in use than usual. `reset()` keeps most of it.
    package var storedBytes: Int { retrying.storedBytes + stages.storedBytes }

    /// The approximate bytes of memory that the converter uses now: `storedBytes`, and the output
    /// that waits for the end of an object or a record.
    package var heldBytes: Int { retrying.heldBytes + stages.heldBytes }
}
