import ConvertText

/// `records`: the record that is being read. An error in it removes the record instead of failing the payload.
struct Records: BitwiseCopyable, Sendable {
    /// The depth of the container whose member it is, or -1, and whether it is bad.
    fileprivate var depth = -1
    fileprivate(set) var isBad = false
    /// The depth of the outermost container whose member may still be removed with it.
    fileprivate var outerDepth = Engine.allCommitted
    /// Whether `keep` names the record, or something in it, that another rule removes.
    fileprivate var isListed = false
    fileprivate var holdsListed = false
    fileprivate var isLineDiscarded = false
    /// The code of its error.
    fileprivate var code = ConversionError.Code.json
    /// The bad records so far.
    fileprivate(set) var skipped = SkippedRecords()

    @inline(__always)
    var isOpen: Bool { depth >= 0 }

    /// Whether the member of the container at this depth is the record.
    @inline(__always)
    func isRecord(at depth: Int) -> Bool { self.depth == depth }

    /// The outermost depth that something in the record can affect: `depth`, or the open record's own if that is further in.
    func outermost(_ depth: Int) -> Int { max(depth, self.depth) }

    /// Notes that `keep` names the member being read, which is in the container at this depth.
    mutating func noteListed(at depth: Int) { isListed = isRecord(at: depth) }

    /// Notes that `keep` names something in the record that another rule removes.
    mutating func noteHeldListed() { holdsListed = isOpen }

    /// Counts records that were skipped elsewhere, not as the current one.
    mutating func noteSkipped(_ records: SkippedRecords) { skipped = skipped + records }

    /// Counts one record that was skipped elsewhere, not as the current one.
    mutating func noteSkipped(_ code: ConversionError.Code) { skipped[code] += 1 }

    /// The position in the output before which everything stays, whether or not the record does.
    func heldFrom(_ savepoints: borrowing UniqueArray<Savepoint>) -> Int { isOpen ? savepoints[outerDepth].mark : .max }
}

/// Errors of rules, and the records that they remove instead of failing the payload.
extension Engine {
    /// Reports an error that a rule found. It ends the conversion, unless it can be deferred or an open record removed instead.
    ///
    /// If this returns, the conversion continues as if the value had been accepted.
    @inline(never)
    mutating func report(_ error: EngineError) throws(EngineError) {
        if payload.records.isBad { return }
        if hold.isActive, lexerState != .resolvingObject, defersErrors {
            return try deferError(error)
        }
        guard payload.records.isOpen else { throw error }
        abandonRecord(code(of: error))
    }

    /// Reports an error in the key of a member, which may be a record itself; its text would begin at `mark`.
    mutating func reportName(_ error: EngineError, _ mark: Int) throws(EngineError) {
        // If null has to replace the record, its key is still an error.
        let isRecord = keys[Int(error.entry)].traits.contains(.record) && plan.sparesRecords && !isLines
        if isRecord, plan.records == .null, !payload.records.isOpen { throw error }
        if isRecord, !payload.records.isOpen, !hold.isActive {
            beginRecord(at: containers.depth)
            savepoints[payload.records.depth].valueMark = mark
            savepoints[payload.records.depth].isDiscarded = payload.discard.isActive
        }
        try report(error)
    }

    // MARK: Bad records

    /// Begins a record, the member or element of the container at this depth.
    mutating func beginRecord(at depth: Int) {
        payload.records.depth = depth
        payload.records.outerDepth = min(payload.uncommittedDepth, depth)
        payload.records.isListed = false
        payload.records.holdsListed = false
    }

    /// Stops writing the current record; its text is still checked as JSON.
    mutating func abandonRecord(_ code: ConversionError.Code) {
        if !payload.records.isBad { payload.records.code = code }
        payload.records.isBad = true
        hold.release()
        // Nothing that is read from here on is written.
        payload.stringify.end()
        pendingErrors.removeMembers(inside: payload.records.depth)
        payload.discard.begin(at: payload.records.depth, mark: savepoints[payload.records.depth].valueMark)
        if sortsText { sorting.forget(from: savepoints[payload.records.depth].valueMark) }
        payload.uncommittedDepth = min(payload.uncommittedDepth, payload.records.outerDepth)
    }

    /// Ends the record, the member of the container at this depth. It `loses` if another member has its output key.
    mutating func endRecord(at depth: Int, loses: Bool, _ output: inout ByteBuffer) throws(EngineError) {
        payload.records.depth = -1
        // Content of the record is sure to stay only if the record itself does.
        payload.uncommittedDepth = min(payload.uncommittedDepth, payload.records.outerDepth)
        // The null that replaces a bad record is at the path that `keep` names, but contains nothing of the record.
        let holdsListed =
            payload.records.isBad
            ? payload.records.isListed && plan.records == .null : payload.records.holdsListed
        if payload.records.isBad { try endBadRecord(loses: loses, &output) }
        if holdsListed { keepContainersOfListed() }
    }

    /// Ends a bad record: nothing of it is written, or `null` unless its member loses to another.
    private mutating func endBadRecord(loses: Bool, _ output: inout ByteBuffer) throws(EngineError) {
        let depth = containers.depth
        payload.records.isBad = false
        payload.records.skipped[payload.records.code] += 1
        // A bad record meets no requirement.
        counters.takeBackRequirement(in: depth)
        guard !payload.discard.isActive, !savepoints[depth].isDiscarded else { return }
        let isNull = plan.records == .null && !savepoints[depth].mustHold && !loses
        savepoints[depth].isRemoved = !isNull
        payload.records.isLineDiscarded = isLines && !isNull
        guard isNull else { return }
        output.truncate(to: savepoints[depth].valueMark)
        output.append(utf8: "null")
    }

    // MARK: Lines

    /// Begins a line, which holds a record.
    mutating func beginLine(_ output: inout ByteBuffer) {
        payload.records.isLineDiscarded = false
        savepoints[0].mark = output.count
        if decidesMembers { memberBegins(mark: output.count, offset: 0, wasEmpty: containers.top.isEmpty) }
        output.append(wrapText.beginning)
        guard decidesMembers else { return }
        savepoints[0].valueMark = output.count
        if plan.sparesRecords { beginRecord(at: 0) }
    }

    /// Ends a line, which is a record of its own.
    mutating func endLine(_ output: inout ByteBuffer) throws(EngineError) {
        if decidesMembers { try valueEnds(&output) }
        guard !payload.records.isLineDiscarded else { return }
        output.append(wrapText.end)
        output.append(ASCII.lineFeed)
    }

    /// Abandons a line that is not JSON, under a policy that spares records: everything up to its end is skipped.
    mutating func abandonLine(_ code: ConversionError.Code, _ output: inout ByteBuffer) {
        switch lexerState {
        case .start, .secondMarkByte, .thirdMarkByte: beginLine(&output)
        default: break
        }
        strings.reset()
        while containers.depth > 0 { leaveContainer() }
        counters.removeAll()
        pendingErrors.removeAll()
        sorting.abandon()
        hold.abandon()
        payload.collidedDepth = -1
        payload.discard = Discard()
        abandonRecord(code)
        lexerState = .abandonedLine
    }

    /// Skips the rest of an abandoned line. Returns false at the end of the chunk.
    @_lifetime(reader: copy reader)
    mutating func skipLine(_ reader: inout ChunkReader) -> Bool {
        while !reader.isAtEnd, reader.next != ASCII.lineFeed { reader.advance() }
        guard !reader.isAtEnd else { return false }
        lexerState = .end
        return true
    }
}
