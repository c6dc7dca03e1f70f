/// Faults of rules, and the records that spare the rest of a payload from them.
extension Converter {
    /// A fault that a rule found: it ends the conversion, unless a record is there to be left out instead.
    ///
    /// Returning means that the conversion goes on as if the value had been let pass.
    @inline(never)
    mutating func report(_ fault: Fault) throws(Fault) {
        if payload.recordIsBad { return }
        if payload.scopeDepth >= 0, expectation != .settlingObject, defersFaults {
            return try deferFault(fault)
        }
        guard payload.recordDepth >= 0 else { throw fault }
        abandonRecord()
    }

    /// A fault of the name of a member, which may be a record itself; its text would begin at `mark`.
    mutating func reportName(_ fault: Fault, _ mark: Int) throws(Fault) {
        // Where null has to stand for it, its name is at fault all the same.
        let isRecord = memo.entries[Int(fault.entry)].traits.contains(.record) && plan.sparesRecords && !isLines
        if isRecord, plan.records == .null, payload.recordDepth < 0 { throw fault }
        if isRecord, payload.recordDepth < 0, payload.scopeDepth < 0 {
            beginRecord(at: frames.depth)
            levels[payload.recordDepth].valueMark = mark
            levels[payload.recordDepth].isLeftOut = payload.mutedDepth >= 0
        }
        try report(fault)
    }

    // MARK: Bad records

    /// Stands at a record, the member or element of the container at this depth.
    mutating func beginRecord(at depth: Int) {
        payload.recordDepth = depth
        payload.recordOuterDepth = min(payload.uncommittedDepth, depth)
        payload.recordIsFoundPlace = false
        payload.recordHoldsFoundPlace = false
    }

    /// Writes nothing more of the current record; its text is still checked as JSON.
    mutating func abandonRecord() {
        payload.recordIsBad = true
        payload.scopeDepth = -1
        // What is checked from here on goes nowhere.
        payload.quoteDepth = -1
        if payload.mutedDepth < 0 || payload.mutedDepth > payload.recordDepth {
            payload.mutedDepth = payload.recordDepth
            payload.mutedMark = levels[payload.recordDepth].valueMark
        }
        payload.uncommittedDepth = min(payload.uncommittedDepth, payload.recordOuterDepth)
    }

    /// The bad record is over: nothing of it stays, or `null` unless its member falls to another.
    mutating func endBadRecord(falls: Bool, _ output: inout ByteBuffer) throws(Fault) {
        let depth = frames.depth
        payload.recordIsBad = false
        payload.skippedRecords += 1
        // It counts as left out before anything is required.
        if levels[depth].requirement >= 0 {
            count(requirement: Int(levels[depth].requirement), by: -1)
        }
        guard payload.mutedDepth < 0, !levels[depth].isLeftOut else { return }
        let isNull = plan.records == .null && !levels[depth].mustHold && !falls
        levels[depth].isRemoved = !isNull
        payload.isLineLeftOut = isLines && !isNull
        guard isNull else { return }
        output.truncate(to: levels[depth].valueMark)
        output.append(utf8: "null")
    }

    // MARK: Lines

    /// Stands at the beginning of a line that holds a record.
    mutating func beginLine(_ output: inout ByteBuffer) {
        payload.isLineLeftOut = false
        guard elaborates else { return }
        beginMember(mark: output.count, offset: 0)
        levels[0].valueMark = output.count
        if plan.sparesRecords { beginRecord(at: 0) }
    }

    /// The line's text is over: it is a record of its own.
    mutating func endLine(_ output: inout ByteBuffer) throws(Fault) {
        if elaborates { try settleMember(&output) }
        if !payload.isLineLeftOut { output.append(ASCII.lineFeed) }
    }

    /// A line that is no JSON is left out where records may be: everything up to its end is passed over.
    mutating func abandonLine(_ output: inout ByteBuffer) {
        switch expectation {
        case .start, .secondMarkByte, .thirdMarkByte: beginLine(&output)
        default: break
        }
        strings.reset()
        longString = nil
        while frames.depth > 0 { leaveContainer() }
        abandonSorting()
        abandonHeldObject()
        payload.fallenDepth = -1
        abandonRecord()
        payload.mutedDepth = 0
        payload.mutedMark = levels[0].valueMark
        expectation = .abandonedLine
    }

    /// Passes over the rest of an abandoned line; false at the end of the chunk.
    @_lifetime(reader: copy reader)
    mutating func skipLine(_ reader: inout ChunkReader) -> Bool {
        while !reader.isAtEnd, reader.next != ASCII.lineFeed { reader.advance() }
        guard !reader.isAtEnd else { return false }
        expectation = .end
        return true
    }
}
