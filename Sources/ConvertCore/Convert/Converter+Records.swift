/// Faults of rules, and the records that spare the rest of a payload from them.
extension Converter {
    /// A fault that a rule found: it ends the conversion, unless a record is there to be left out instead.
    ///
    /// Returning means that the conversion goes on as if the value had been let pass.
    @inline(never)
    mutating func report(_ fault: Fault) throws(Fault) {
        if recordIsBad { return }
        if scopeDepth >= 0, expectation != .settlingScope, defersFaults {
            return try deferFault(fault)
        }
        guard recordDepth >= 0 else { throw fault }
        abandonRecord()
    }

    /// A fault of the name of a member, which may be a record itself; its text would begin at `mark`.
    mutating func reportName(_ fault: Fault, _ mark: Int) throws(Fault) {
        // Where null has to stand for it, its name is at fault all the same.
        let isRecord = memo.entries[Int(fault.entry)].traits.contains(.record) && plan.sparesRecords && !isLines
        if isRecord, plan.records == .null, recordDepth < 0 { throw fault }
        if isRecord, recordDepth < 0, scopeDepth < 0 {
            beginRecord(at: frames.depth)
            levels[recordDepth].valueMark = mark
            levels[recordDepth].isLeftOut = mutedDepth >= 0
        }
        try report(fault)
    }

    /// Whether a record goes whose name collides: left out it does, and so does the null in its place if that is pruned, or
    /// if `keep` wants more of the place than a scalar.
    func leavesOutCollidingRecord(mustHold: Bool) -> Bool {
        plan.records == .skip || mustHold || (prunes && plan.prune.null)
    }

    // MARK: Bad records

    /// Stands at a record, the member or element of the container at this depth.
    mutating func beginRecord(at depth: Int) {
        recordDepth = depth
        recordOuterDepth = min(uncommittedDepth, depth)
        recordIsFoundPlace = false
        recordHoldsFoundPlace = false
    }

    /// Writes nothing more of the current record; its text is still checked as JSON.
    mutating func abandonRecord() {
        recordIsBad = true
        scopeDepth = -1
        if quoteDepth >= 0 {
            // What is checked from here on goes nowhere.
            quoteDepth = -1
        }
        if mutedDepth < 0 || mutedDepth > recordDepth {
            mutedDepth = recordDepth
            mutedMark = levels[recordDepth].valueMark
        }
        uncommittedDepth = min(uncommittedDepth, recordOuterDepth)
    }

    /// The bad record is over: nothing of it stays, or `null` unless its member falls to another.
    mutating func endBadRecord(falls: Bool, _ output: inout ByteBuffer) throws(Fault) {
        let depth = frames.depth
        recordIsBad = false
        skippedRecords += 1
        // It counts as left out before anything is required.
        if levels[depth].requirement >= 0 {
            count(requirement: Int(levels[depth].requirement), by: -1)
        }
        guard mutedDepth < 0, !levels[depth].isLeftOut else { return }
        let isNull = plan.records == .null && !levels[depth].mustHold && !falls
        levels[depth].isRemoved = !isNull
        isLineLeftOut = isLines && !isNull
        guard isNull else { return }
        output.truncate(to: levels[depth].valueMark)
        output.append(utf8: "null")
    }

    // MARK: Lines

    /// Stands at the beginning of a line that holds a record.
    mutating func beginLine(_ output: inout ByteBuffer) {
        isLineLeftOut = false
        guard elaborates else { return }
        beginMember(mark: output.count, offset: 0)
        levels[0].valueMark = output.count
        if plan.sparesRecords { beginRecord(at: 0) }
    }

    /// The line's text is over: it is a record of its own.
    mutating func endLine(_ output: inout ByteBuffer) throws(Fault) {
        if elaborates { try settleMember(&output) }
        if !isLineLeftOut { output.append(ASCII.lineFeed) }
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
        abandonScope()
        fallenDepth = -1
        abandonRecord()
        mutedDepth = 0
        mutedMark = levels[0].valueMark
        presence.truncate(to: 0)
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
