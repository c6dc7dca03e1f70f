/// What the engine's output goes through before it is handed on: a second engine sorts it, if the first one leaves that to it
/// (`Plan.stages`), and it is formatted. Neither engine knows of the other.
///
/// The engine appends to `text`. `write` takes that through the stages, and writes a piece. Further calls write the rest, before the engine
/// continues.
struct OutputStages: ~Copyable, Sendable {
    /// How many bytes of formatted output are written at a time, and the most bytes of storage that are kept between two texts.
    private static let maxPieceBytes = 256 * 1024

    /// Output of the engine that no stage has taken yet.
    var text = ByteBuffer()
    /// The engine that sorts members, and does nothing else.
    var sorter: UniqueBox<Engine>?
    private var formatter: OutputFormatter
    /// Whether there are no stages. Then the engine writes directly into the caller's buffer.
    let areIdle: Bool

    /// - Parameter usesSpares: whether to begin with what earlier sorters of the plan learned about keys.
    init(_ plan: Plan, framing: Converter.Framing, usesSpares: Bool) {
        formatter = OutputFormatter(
            OutputOptions(indent: framing == .lines ? 0 : plan.output.indent, escapes: plan.output.escapes))
        let isFormatted = !formatter.isIdle
        areIdle = plan.stages == nil && !isFormatted
        guard let plan = plan.stages?.sorting else { return }
        sorter = UniqueBox(Engine(plan, framing: framing, learned: usesSpares ? plan.spareKeys.take() : nil))
    }

    /// Whether one byte of text can become much output.
    var indents: Bool { formatter.indents }

    /// See `Converter.storedBytes` and `heldBytes`.
    var storedBytes: Int { text.capacity + formatter.storedBytes + sorter.count { $0.count(Engine.storedBytes) } }
    var heldBytes: Int { text.capacity + formatter.storedBytes + sorter.count { $0.count(Engine.heldBytes) } }

    /// Begins another output. A part of NDJSON begins like a payload, because output has no byte order mark.
    mutating func reset() {
        text.removeAll()
        sorter?.value.reset()
        formatter.reset()
    }

    /// Ends the use of the stages, and keeps what the sorter learned about keys.
    consuming func keepSpares() { sorter?.take().keepSpares() }

    // MARK: Writing

    private var isSorterWriting: Bool { sorter.count { $0.value.isWriting ? 1 : 0 } > 0 }

    /// Whether a stage has stopped before the end of its text.
    var isWriting: Bool { formatter.isPaused || isSorterWriting }

    /// Takes the text, or continues with what was taken, and writes a piece.
    ///
    /// - Throws: an error of the sorter, which is about a limit.
    mutating func write(into output: inout ByteBuffer) throws(ConversionError) {
        guard !formatter.isIdle else { return try Self.sort(&text, by: &sorter!.value, into: &output) }
        defer { formatter.write(upTo: Self.maxPieceBytes, into: &output) }
        guard !formatter.isPaused else { return }
        if sorter == nil {
            formatter.take(&text)
        } else {
            try Self.sort(&text, by: &sorter!.value, into: &formatter.text)
        }
    }

    /// Writes the rest, when the engine has finished and nothing else waits.
    mutating func finish(into output: inout ByteBuffer) throws(ConversionError) {
        guard !formatter.isIdle else { return try sorter!.value.finish(into: &output) }
        defer { formatter.write(into: &output) }
        try sorter?.value.finish(into: &formatter.text)
    }

    private static func sort(
        _ text: inout ByteBuffer, by sorter: inout Engine, into output: inout ByteBuffer
    ) throws(ConversionError) {
        guard !sorter.isWriting else { return try sorter.continueWriting(into: &output) }
        defer { text.removeAll(keepingAtMost: maxPieceBytes) }
        try sorter.take(text.bytes, pauses: true, into: &output)
    }

    /// See `Converter.work`, `takeWork()` and `finish(_:)`.
    var work: Int { formatter.isPaused ? 0 : sorter.count { $0.value.work } }
    mutating func takeWork() -> HeldWork { sorter!.value.takeWork() }
    mutating func finish(_ work: consuming HeldWork) { sorter!.value.finish(work) }
}
