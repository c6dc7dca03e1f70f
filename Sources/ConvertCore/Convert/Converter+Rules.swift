/// Values that a rule acts on: held whole, given to the rule, written as it says.
extension Converter {
    /// Begins a value that a rule names; false when it is handled like any other.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func beginRuledValue(_ byte: UInt8, _ reader: inout ChunkReader) throws(Fault) -> Bool {
        switch byte {
        case ASCII.quote:
            reader.advance()
            holdToken(.heldString, reader.position - 1)
            return true
        case ASCII.minus, ASCII.zero...ASCII.nine:
            number = .start
            holdToken(.heldNumber, reader.position)
            return true
        case ASCII.openBrace, ASCII.openBracket, ASCII.t, ASCII.f:
            if plan.policies.badValue == .error {
                badValueMessage = "a date was expected, not \(Self.kindName(byte))"
                throw Fault(kind: .badValue, position: reader.position)
            }
            return false
        default:
            // null passes every rule; anything else is no JSON and is said to be so.
            return false
        }
    }

    private static func kindName(_ byte: UInt8) -> String {
        switch byte {
        case ASCII.openBrace: "an object"
        case ASCII.openBracket: "an array"
        default: "a boolean"
        }
    }

    /// Reads the rest of a held string; false at the end of the chunk.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func continueHeldString(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) -> Bool {
        let index = Int(valueRule >= 0 ? valueRule : scanRule)
        let longestEscape = 6
        let maxBytes = plan.rules[index].date.maxContentBytes * longestEscape
        let isWhole: Bool
        do throws(Fault) {
            isWhole = try strings.copyVerbatim(&reader, into: &held)
        } catch {
            // In smaller chunks the length would have been judged before this fault was met.
            if held.count > maxBytes { try rejectLongString() }
            throw error
        }
        let length = held.count - (isWhole ? 1 : 0)
        if length > maxBytes { try rejectLongString() }
        guard isWhole else {
            if length > maxBytes { try releaseString(&output) }
            return false
        }
        expectation = .afterValue
        let mark = output.count
        if plan.rules[index].date.writesString { output.append(ASCII.quote) }
        let contentStart = output.count
        let hasEscape = held.contains(ASCII.backslash)
        let outcome: DateRule.Outcome
        if hasEscape {
            content.removeAll()
            _ = JSONText.appendContent(of: held, count: length, to: &content)
            outcome = plan.rules[index].date.rewrite(string: content.bytes, into: &output)
        } else {
            outcome = plan.rules[index].date.rewrite(string: held.bytes.extracting(0..<length), into: &output)
        }
        switch outcome {
        case .string:
            let isUnchanged =
                hasEscape && output.bytes.extracting(contentStart...).equals(content.bytes)
            if isUnchanged {
                output.truncate(to: mark)
                try writeHeldString(&output)
            } else {
                finishString(
                    from: contentStart, &output, mayNeedEscaping: plan.rules[index].date.contentMayNeedEscaping)
            }
        case .integer: break
        case .unchanged, .notADate:
            output.truncate(to: mark)
            try writeHeldString(&output)
        case .bad(let message):
            output.truncate(to: mark)
            try rejectValue(message)
            try writeHeldString(&output)
        }
        return true
    }

    /// Whether scanning should hold the string that begins at the reader's next byte.
    @inline(__always)
    func isDateCandidate(_ reader: borrowing ChunkReader) -> Bool {
        guard reader.remaining >= DateScan.windowBytes else { return true }
        return DateScan.isCandidate(reader.nextWord, ninth: reader.peek(DateScan.windowBytes - 1))
    }

    /// Rewrites the string without escapes that stands in the output from its opening quote at `mark` on, and ends it.
    @inline(never)
    mutating func rewriteString(from mark: Int, _ output: inout ByteBuffer) throws(Fault) {
        let index = Int(valueRule >= 0 ? valueRule : scanRule)
        content.removeAll()
        let outcome = plan.rules[index].date.rewrite(
            string: output.bytes.extracting((mark + 1)...), into: &content)
        switch outcome {
        case .string:
            output.truncate(to: mark + 1)
            output.append(first: content.count, of: content)
            finishString(
                from: mark + 1, &output, mayNeedEscaping: plan.rules[index].date.contentMayNeedEscaping)
        case .integer:
            output.truncate(to: mark)
            output.append(first: content.count, of: content)
        case .unchanged, .notADate:
            output.append(ASCII.quote)
        case .bad(let message):
            try rejectValue(message)
            output.append(ASCII.quote)
        }
    }

    /// A string that is longer than any date, escapes counted at their longest.
    private mutating func rejectLongString() throws(Fault) {
        if valueRule >= 0 { try rejectValue("a date was expected, not a string of this length") }
    }

    /// Stops holding a string and copies the rest of it as it comes.
    private mutating func releaseString(_ output: inout ByteBuffer) throws(Fault) {
        output.append(ASCII.quote)
        try strings.copyBeginning(of: held, into: &output)
        expectation = .string
    }

    /// Ends a string whose content stands in the output from `start` on, behind its opening quote.
    private mutating func finishString(from start: Int, _ output: inout ByteBuffer, mayNeedEscaping: Bool) {
        if mayNeedEscaping {
            content.removeAll()
            content.append(output.bytes.extracting(start...))
            output.truncate(to: start)
            JSONText.appendSpelling(
                of: content.bytes, to: &output, plan.output.escapes == .ascii ? .ascii : .minimal)
        }
        output.append(ASCII.quote)
    }

    /// Reads the rest of a held number; false at the end of the chunk.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func continueHeldNumber(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) -> Bool {
        let maxBytes = plan.rules[Int(valueRule)].date.maxContentBytes
        let message = "a date was expected, not a number of this length"
        let isWhole: Bool
        do throws(Fault) {
            isWhole = try NumberCopier.copy(&reader, into: &held, &number)
        } catch {
            if held.count > maxBytes { try rejectValue(message) }
            throw error
        }
        if held.count > maxBytes {
            try rejectValue(message)
            output.append(held.bytes)
            expectation = isWhole ? .afterValue : .number
            return isWhole
        }
        if isWhole { try finishHeldNumber(&output) }
        return isWhole
    }

    /// Writes a held number as its rule says.
    mutating func finishHeldNumber(_ output: inout ByteBuffer) throws(Fault) {
        expectation = .afterValue
        let index = Int(valueRule)
        let mark = output.count
        if plan.rules[index].date.writesString { output.append(ASCII.quote) }
        let contentStart = output.count
        switch plan.rules[index].date.rewrite(number: held.bytes, into: &output) {
        case .string:
            finishString(from: contentStart, &output, mayNeedEscaping: plan.rules[index].date.contentMayNeedEscaping)
        case .integer: break
        case .unchanged, .notADate:
            output.truncate(to: mark)
            output.append(held.bytes)
        case .bad(let message):
            output.truncate(to: mark)
            try rejectValue(message)
            output.append(held.bytes)
        }
    }

    /// A value that its rule cannot take: a fault, unless the profile keeps such values.
    private mutating func rejectValue(_ message: String) throws(Fault) {
        guard plan.policies.badValue == .error else { return }
        badValueMessage = message
        throw Fault(kind: .badValue, position: heldOffset - chunkOffset)
    }

    /// Writes the held string as it stands, in the output's escapes.
    private mutating func writeHeldString(_ output: inout ByteBuffer) throws(Fault) {
        output.append(ASCII.quote)
        try strings.copyWhole(held, into: &output)
    }
}
