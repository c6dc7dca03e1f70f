/// A push transducer: bytes of a payload in, converted bytes out.
///
/// Any split of the input into chunks gives the same output. One pass, no tree: memory is bounded by the depth of nesting,
/// the longest key and the names of the objects that are open. After an error the converter takes no more input until
/// `reset()`.
///
///     var converter = Converter(plan)
///     try converter.convert(chunk, into: &output)
///     try converter.finish(into: &output)
public struct Converter: ~Copyable, Sendable {
    /// How values follow each other in the payload.
    public enum Framing: Sendable, Hashable {
        /// One JSON text.
        case document
        /// NDJSON: one JSON text a line.
        case lines
    }

    private var box: UniqueBox<Engine>

    var engine: Engine {
        @inline(__always) _read { yield box.value }
        @inline(__always) _modify { yield &box.value }
    }

    /// Creates a converter for payloads of one framing; it may be used for any number of them.
    public init(_ plan: Plan, framing: Framing = .document) { box = UniqueBox(Engine(plan, framing: framing)) }

    /// Converts the next piece of the payload and appends what is ready to `output`.
    ///
    /// - Throws: `ConversionError` for the first error. `output` may then be incomplete.
    public mutating func convert(_ chunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        try box.value.feed(chunk, pauses: false, into: &output)
    }

    /// Converts the last piece of the payload, or all of it, and ends it.
    ///
    /// As `convert(_:into:)` and `finish(into:)`, but quicker: where the last line begins is looked for only for an error.
    ///
    /// - Throws: `ConversionError` for the first error. `output` may then be incomplete.
    public mutating func finish(_ lastChunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        try box.value.finish(lastChunk, into: &output)
    }

    /// Ends the payload; throws when it was cut off.
    public mutating func finish(into output: inout ByteBuffer) throws(ConversionError) {
        try box.value.finish(into: &output)
    }

    /// Makes the converter ready for another payload and keeps what it learned about keys.
    public mutating func reset() { box.value.reset() }

    /// As `reset()`, before a part of an NDJSON payload that is not its first: it begins with a line and with no mark.
    ///
    /// Lines and offsets of faults count from the beginning of the part.
    public mutating func resetForNextLines() { box.value.resetForNextLines() }

    /// Bad records of this payload, which were left out or replaced by null.
    public var skippedRecords: Int { skippedRecordsByCode.total }

    /// The same, by the code of the error of each.
    public var skippedRecordsByCode: SkippedRecords { box.value.payload.records.skipped }

    /// Line feeds in the bytes that `convert(_:into:)` took since the last reset.
    public var lineFeedsTaken: Int { box.value.position.lineFeeds }

    // MARK: Output that is held

    /// Whether output may have to be held, so that `begin(_:into:)` can be of use.
    public var mayHoldOutput: Bool { box.value.isStaged }

    /// As `convert(_:into:)`, but it does not write all that was held of an object which ends in the chunk.
    ///
    /// While `isWriting` then, `continueWriting(into:)` is to be called, and nothing else, so that no call writes much.
    public mutating func begin(_ chunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        precondition(!isWriting, "what was held of an object is to be written first")
        try box.value.feed(chunk, pauses: true, into: &output)
    }

    /// Whether an object ended of which something that was held is still to be written.
    public var isWriting: Bool { box.value.isWriting }

    /// Writes the next piece of what was held, some dozens of kilobytes, after what has to be done before for all of it (`work`);
    /// then goes on with the chunk in which that ended.
    ///
    /// - Throws: `ConversionError` for the first error. `output` may then be incomplete.
    public mutating func continueWriting(into output: inout ByteBuffer) throws(ConversionError) {
        try box.value.continueWriting(into: &output)
    }

    /// What the next `continueWriting(into:)` has to do beside writing, in members that it looks at: some 50 to 500 ns each.
    package var work: Int { box.value.work }

    /// Hands that out, to be performed elsewhere; `finish(_:)` is to be called before anything else then, but for `reset()`.
    package mutating func takeWork() -> HeldWork { box.value.takeWork() }

    /// Takes back what was performed.
    package mutating func finish(_ work: consuming HeldWork) { box.value.finish(work) }

    // MARK: Memory

    /// Bytes of memory that stay with the converter for its next payload, approximately: what it has learned of keys and
    /// places and the buffers for what it held.
    ///
    /// A payload of many names, or one of which much had to be held, leaves more than the usual behind; `reset()` keeps it.
    public var storedBytes: Int { box.value.storedBytes }

    /// Bytes of memory that the converter has at this moment, approximately: `storedBytes`, what waits for an object or a
    /// record to end, and the names of objects that are open.
    public var heldBytes: Int { box.value.heldBytes }
}
