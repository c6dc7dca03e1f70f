/// Writing what was held of an object, in pieces.
///
/// A large object that had to be held is long to settle and to write, and its members may have to be put in order first. When it
/// ends, `expectation` says so (`.settlingScope`, `.writingScope`, `.emptyingScope`, `.writingSorted`), nothing more of the chunk is taken, and its rest waits in
/// `waitingInput`. Every piece is handed on before the next one is made, so that what was held is not there twice.
extension Converter {
    /// How much of what was held is written at a time.
    static let maxPieceBytes = 16 * 1024

    /// Whether output may have to be held, so that `begin(_:into:)` can be of use.
    public var mayHoldOutput: Bool { elaborates }

    /// As `convert(_:into:)`, but it does not write all that was held of an object which ends in the chunk.
    ///
    /// While `isWriting` then, `continueWriting(into:)` is to be called, and nothing else, so that no call takes long.
    public mutating func begin(_ chunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        precondition(!isWriting, "what was held of an object is to be written first")
        try feed(chunk, pauses: true, into: &output)
    }

    /// Whether an object ended of which something that was held is still to be written.
    @inlinable
    public var isWriting: Bool {
        switch expectation {
        case .settlingScope, .writingScope, .emptyingScope, .writingSorted: true
        default: false
        }
    }

    /// Writes the next piece of what was held, some dozens of kilobytes, or does as much other work for it; then goes on with the
    /// chunk in which that ended.
    ///
    /// - Throws: `ConversionError` for the first fault. `output` may then hold a beginning of the converted payload.
    public mutating func continueWriting(into output: inout ByteBuffer) throws(ConversionError) {
        guard isWriting else { return }
        try writePiece(into: &output)
        guard !isWriting, !waitingInput.isEmpty else { return }
        var rest = ByteBuffer(capacity: 0)
        swap(&rest, &waitingInput)
        try feed(rest.bytes, pauses: true, into: &output)
    }

    mutating func writePiece(into output: inout ByteBuffer) throws(ConversionError) {
        steps = stepsPerPiece
        var waiting = staged.take() ?? ByteBuffer()
        do throws(Fault) {
            switch expectation {
            case .settlingScope: try settleScope(&waiting)
            case .writingScope: writeScope(into: &waiting, upTo: Self.maxPieceBytes)
            case .emptyingScope: emptyScope()
            default: writeSorted(into: &waiting, upTo: Self.maxPieceBytes)
            }
        } catch {
            guard isLines, plan.sparesRecords else {
                staged = consume waiting
                throw describe(error, in: [UInt8]().span)
            }
            abandonLine(&waiting)
        }
        try release(consume waiting, into: &output)
    }

    /// Keeps what was written and may still be taken back, and hands on the rest.
    mutating func release(
        _ waiting: consuming ByteBuffer, into output: inout ByteBuffer
    ) throws(ConversionError) {
        release(&waiting, into: &output)
        let heldBytes = waiting.count + (payload.scopeDepth >= 0 ? payload.scopeBytes : 0)
        staged = consume waiting
        guard heldBytes <= plan.limits.maxHeldBytes else {
            throw describe(Fault(kind: .heldLength, position: 0), in: [UInt8]().span)
        }
    }
}
