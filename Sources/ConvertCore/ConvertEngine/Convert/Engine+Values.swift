import ConvertText

/// Values that a rule acts on.
extension Engine {
    /// Begins a value that has a rule. Returns false if the value is then handled like any other.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func beginRuledValue(
        _ byte: UInt8, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(EngineError) -> Bool {
        switch byte {
        case ASCII.quote:
            reader.advance()
            holdValue(byte, at: reader.position - 1)
            return true
        case ASCII.minus, ASCII.zero...ASCII.nine:
            holdValue(byte, at: reader.position)
            return true
        case ASCII.t, ASCII.f:
            guard plan.rules[Int(valueRule)].takesBooleans else { break }
            holdValue(byte, at: reader.position)
            return true
        case ASCII.openBrace, ASCII.openBracket:
            guard !plan.rules[Int(valueRule)].masksContainers else {
                try maskContainer(&output)
                return false
            }
        default:
            // null passes every rule. Any other byte here is not JSON, and the caller reports it.
            return false
        }
        if plan.holdsDocument || badValuePolicy == .error {
            badValueMessage = "expected \(plan.rules[Int(valueRule)].noun), not \(Self.kindName(byte))"
            noteComplaint(badValueMessage)
        }
        switch badValuePolicy {
        case .keep: break
        case .null:
            replaceWithNull(&output)
            valueRule = -1
            return false
        case .error:
            if valueTraits.contains(.searched), !hold.isActive || !payload.discard.isActive {
                // It is an error only if `keep` leaves something in the container.
                pendingErrors.noteBadValue(
                    at: containers.depth, rule: valueRule, offset: position.offset(of: reader.position))
            } else if valueTraits.contains(.trail), hold.isActive {
                try deferUntilMoved(EngineError(kind: .badValue, position: reader.position))
            } else {
                try report(EngineError(kind: .badValue, position: reader.position))
            }
        }
        valueRule = -1
        if decidesMembers, !savepoints[containers.depth].isTentative, !savepoints[containers.depth].isSearched {
            commit()
        }
        return false
    }

    /// What the rule of the current value, or the scan rule, does with a value that it does not accept.
    private var badValuePolicy: BadValuePolicy { plan.rules[Int(valueRule >= 0 ? valueRule : scanRule)].badValue }

    /// Whether the rule for the value that comes next writes something in place of an object or array.
    var replacesContainer: Bool { valueRule >= 0 && plan.rules[Int(valueRule)].replacesContainers }

    /// Writes the mask for the container that comes next, and discards the container.
    private mutating func maskContainer(_ output: inout ByteBuffer) throws(EngineError) {
        if !payload.discard.isActive { try values.writeMask(under: valueRule, into: &output) }
        payload.discard.replaceValue(at: containers.depth, mark: output.count, isHidden: true)
        valueRule = -1
    }

    /// Writes null in place of the value that comes next or is being read, and discards the value.
    private mutating func replaceWithNull(_ output: inout ByteBuffer) {
        output.append(utf8: "null")
        payload.discard.replaceValue(at: containers.depth, mark: output.count, isHidden: false)
    }

    private static func kindName(_ byte: UInt8) -> String {
        switch byte {
        case ASCII.openBrace: "an object"
        case ASCII.openBracket: "an array"
        default: "a boolean"
        }
    }

    /// Whether scan mode should buffer the string whose content begins at the reader's next byte.
    @inline(__always)
    func isDateCandidate(_ reader: borrowing ChunkReader) -> Bool {
        guard reader.remaining >= DateScan.windowBytes else { return true }
        return DateScan.isCandidate(reader.nextWord, ninth: reader.peek(DateScan.windowBytes - 1))
    }

    /// Begins to buffer the value that begins with this byte, for its rule or for the scan rule, which looks at every string.
    mutating func holdValue(_ byte: UInt8, at position: Int) {
        values.begin(byte, under: valueRule >= 0 ? valueRule : scanRule)
        tokenBegins(.heldValue, at: position)
    }

    /// Reads the rest of a buffered value. Returns false at the end of the chunk.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func continueHeldValue(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) -> Bool
    {
        let isWhole: Bool
        do throws(EngineError) {
            isWhole = try values.read(&reader)
        } catch {
            // In smaller chunks the length would have been checked before this error was found.
            if let complaint = values.complaintOfLength(isWhole: false) { try rejectLongValue(complaint) }
            throw error
        }
        if let complaint = values.complaintOfLength(isWhole: isWhole) {
            try rejectLongValue(complaint)
            if isWhole {
                writeRejected(&output)
                lexerState = .afterValue
            } else {
                if valueRule >= 0, badValuePolicy == .null { replaceWithNull(&output) }
                lexerState = values.writeBeginning(&strings, &number, into: &output)
            }
            return isWhole
        }
        if isWhole { try finishHeldValue(&output) } else { values.takePiece() }
        return isWhole
    }

    /// Writes a buffered value as its rule says.
    mutating func finishHeldValue(_ output: inout ByteBuffer) throws(EngineError) {
        if let complaint = try values.rewrite(into: &output) {
            try rejectValue(complaint)
            writeRejected(&output)
        }
        lexerState = .afterValue
    }

    /// Writes a buffered value that its rule rejects, or that scan mode does not take for a date: as null or unchanged.
    private mutating func writeRejected(_ output: inout ByteBuffer) {
        guard valueRule >= 0, badValuePolicy == .null else {
            return values.writeUnchanged(into: &output)
        }
        output.append(utf8: "null")
    }

    /// Rejects a long value that has a rule. A string that only the scan rule looks at may have any length.
    private mutating func rejectLongValue(_ message: String) throws(EngineError) {
        if valueRule >= 0 { try rejectValue(message) }
    }

    /// Reports a value that its rule rejects, if the policy for bad values is `error`.
    private mutating func rejectValue(_ message: String) throws(EngineError) {
        noteComplaint(message)
        guard badValuePolicy == .error else { return }
        badValueMessage = message
        try report(EngineError(kind: .badValue, position: position.token))
    }

    /// Reads and rewrites a string without escapes and non-ASCII text. Returns false, with nothing read, for any other string.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func rewriteWholeString(
        _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(EngineError) -> Bool {
        let (start, mark) = (reader.position, output.count)
        var cursor = TokenCursor(reader, output)
        guard cursor.copyString() == ASCII.quote else { return false }
        cursor.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
        position.tokenBegins(at: start)
        output.truncate(to: output.count - 1)
        let rule = valueRule >= 0 ? valueRule : scanRule
        if let complaint = try values.rewriteString(from: mark, under: rule, in: &output) {
            try rejectValue(complaint)
            if badValuePolicy == .null {
                output.truncate(to: mark)
                output.append(utf8: "null")
            }
        }
        return true
    }
}
