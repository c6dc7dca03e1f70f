import ConvertText

/// The work at the end of a large held object, without writing it. It takes long, so the caller may perform it where nobody waits.
///
///     var work = converter.takeWork()
///     work.perform()              // anywhere
///     converter.finish(work)
///
/// Until `finish(_:)`, the converter does not have the object and may only be reset. Then the work is dropped.
package struct HeldWork: ~Copyable, Sendable {
    fileprivate let plan: Plan
    fileprivate var object = HeldObject()
    fileprivate var sorted = LongObjects()

    fileprivate init(_ plan: Plan) { self.plan = plan }

    package mutating func perform() {
        if !sorted.isEmpty { sorted.sort() } else { object.resolve(by: plan) }
    }
}

/// The end of a held object, or of an object whose members are sorted: it is resolved and then written piece by piece.
///
/// A small object is resolved where it ends. At the end of a large one, `lexerState` becomes `.resolvingObject` or
/// `.sortingMembers`, and the rest of the chunk waits in `waitingInput`. Every piece is handed on before the next one
/// is made (`.writingObject`, `.writingMembers`), so the object is not in memory twice.
extension Engine {
    /// How many bytes of buffered text are written at a time.
    static let maxPieceBytes = 16 * 1024
    /// The bytes of a piece that count as one unit of work. An object with more work than a piece is large.
    private static let bytesPerWork = 4

    /// See `Converter.isWriting`.
    var isWriting: Bool {
        switch lexerState {
        case .resolvingObject, .writingObject, .sortingMembers, .writingMembers: true
        default: false
        }
    }

    /// See `Converter.continueWriting(into:)`.
    mutating func continueWriting(into output: inout ByteBuffer) throws(ConversionError) {
        guard isWriting else { return }
        try writePiece(into: &output)
        guard !isWriting, !waitingInput.isEmpty else { return }
        var rest = ByteBuffer()
        swap(&rest, &waitingInput)
        try take(rest.bytes, pauses: true, into: &output)
    }

    /// The work of the next `continueWriting(into:)` beside writing, counted in members that it looks at, some 50 to 500 ns each.
    var work: Int {
        switch lexerState {
        case .resolvingObject: hold.work
        case .sortingMembers: sorting.work
        default: 0
        }
    }

    /// Hands out this work, so that the caller can perform it elsewhere. Call `finish(_:)` before any other method except `reset()`.
    mutating func takeWork() -> HeldWork {
        var work = HeldWork(plan)
        exchange(&work)
        return work
    }

    /// Takes back the work after it was performed.
    mutating func finish(_ work: consuming HeldWork) {
        var work = work
        exchange(&work)
    }

    private mutating func exchange(_ work: inout HeldWork) {
        if lexerState == .resolvingObject { swap(&hold.object, &work.object) } else { sorting.exchange(&work.sorted) }
    }

    mutating func writePiece(into output: inout ByteBuffer) throws(ConversionError) {
        var waiting = staged.take() ?? ByteBuffer()
        do throws(EngineError) {
            switch lexerState {
            case .resolvingObject: try resolveHeldObject(&waiting)
            case .writingObject: writeHeldObject(into: &waiting)
            case .writingMembers where streamsMoves: try writeMoves(into: &waiting)
            default: writeSorted(into: &waiting)
            }
        } catch {
            guard isLines, plan.sparesRecords else {
                staged = consume waiting
                throw describe(error, in: [UInt8]().span)
            }
            abandonLine(code(of: error), &waiting)
        }
        try release(consume waiting, into: &output)
    }

    /// Keeps the output that may still be removed, and hands on the rest. Throws if more than `maxHeldBytes` are kept.
    mutating func release(
        _ waiting: consuming ByteBuffer, into output: inout ByteBuffer
    ) throws(ConversionError) {
        release(&waiting, into: &output)
        let heldBytes = waiting.count + hold.heldBytes + moves.text.count
        staged = consume waiting
        guard heldBytes <= plan.limits.maxHeldBytes else {
            throw describe(EngineError(kind: .heldLength, position: 0), in: [UInt8]().span)
        }
    }

    // MARK: Held objects

    /// Ends the held container. When it is resolved, its text so far is replaced by the result.
    mutating func endHeldObject(_ output: inout ByteBuffer) throws(EngineError) {
        let start = savepoints[hold.depth].valueMark + 1
        hold.takeText(ofMembersAt: hold.depth + 1, from: start, upTo: output.count - 1, &output)
        hold.object.isPrunedIfEmpty = savepoints[hold.depth].isTentative
        payload.uncommittedDepth = hold.outerUncommittedDepth
        lexerState = .resolvingObject
        if hold.work <= pieceBytes / Self.bytesPerWork { try resolveHeldObject(&output) }
    }

    private mutating func resolveHeldObject(_ output: inout ByteBuffer) throws(EngineError) {
        let depth = hold.depth
        hold.resolve(by: plan)
        if plan.sparesRecords { payload.records.noteSkipped(hold.object.skippedRecords) }
        if hold.object.holdsKept { savepoints[depth].isSearched = false } else { savepoints[depth].isRemoved = true }
        if let failure = hold.object.failure {
            if case .tooLong = failure { throw EngineError(kind: .heldLength, position: 0) }
            // If it is not thrown, the record around the object is skipped.
            try report(EngineError(kind: .held, position: 0))
            lexerState = .afterValue
            return
        }
        output.truncate(to: savepoints[depth].valueMark)
        if savepoints[depth].isTentative, hold.object.isEmpty {
            savepoints[depth].isRemoved = true
            if !savepoints[depth].isSearched { keepContainersOfListed() }
        }
        // A member that is removed in any case need not be written.
        guard !savepoints[depth].isRemoved else {
            lexerState = .afterValue
            return hold.abandon()
        }
        beginWriting(at: depth)
        hold.beginWriting(into: &output)
        writeHeldObject(into: &output)
    }

    /// Writes more of the resolved object.
    private mutating func writeHeldObject(into output: inout ByteBuffer) {
        lexerState = hold.write(upTo: pieceBytes, into: &output) ? .writingObject : .afterValue
    }

    // MARK: Sorted members

    /// Sorts the members of the object that ended, unless that is done, and writes more of them. After the last one,
    /// writes the object's end.
    private mutating func writeSorted(into output: inout ByteBuffer) {
        lexerState = .writingMembers
        guard !sorting.write(upTo: pieceBytes, into: &output) else { return }
        output.append(ASCII.closeBrace)
        lexerState = .afterValue
    }
}
