/// Values that a rule acts on: held whole, given to the rule, written as it says.
extension Engine {
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
        case ASCII.t, ASCII.f:
            guard plan.rules[Int(valueRule)].takesBooleans else { break }
            literal = LiteralProgress(byte)
            holdToken(.heldLiteral, reader.position)
            return true
        case ASCII.openBrace, ASCII.openBracket: break
        default:
            // null passes every rule; anything else is no JSON and is said to be so.
            return false
        }
        if plan.policies.badValue == .error {
            badValueMessage = "expected \(plan.rules[Int(valueRule)].noun), not \(Self.kindName(byte))"
            if valueTraits.contains(.searched), !hold.isActive || !payload.discard.isActive {
                // It is judged only if something in it stays.
                savepoints[containers.depth].badRule = valueRule
                savepoints[containers.depth].badOffset = payload.chunkOffset + reader.position
                noteOpenFault(at: savepoints[containers.depth].badOffset)
            } else if valueTraits.contains(.trail), hold.isActive {
                try deferUntilMoved(Fault(kind: .badValue, position: reader.position))
            } else {
                try report(Fault(kind: .badValue, position: reader.position))
            }
        }
        valueRule = -1
        if isStaged, !savepoints[containers.depth].isTentative, !savepoints[containers.depth].isSearched { commit() }
        return false
    }

    private static func kindName(_ byte: UInt8) -> String {
        switch byte {
        case ASCII.openBrace: "an object"
        case ASCII.openBracket: "an array"
        default: "a boolean"
        }
    }

    /// Whether scanning should hold the string that begins at the reader's next byte.
    @inline(__always)
    func isDateCandidate(_ reader: borrowing ChunkReader) -> Bool {
        guard reader.remaining >= DateScan.windowBytes else { return true }
        return DateScan.isCandidate(reader.nextWord, ninth: reader.peek(DateScan.windowBytes - 1))
    }

    /// A value that its rule cannot take: a fault, unless the profile keeps such values.
    private mutating func rejectValue(_ message: String) throws(Fault) {
        guard plan.policies.badValue == .error else { return }
        badValueMessage = message
        try report(Fault(kind: .badValue, position: payload.heldOffset - payload.chunkOffset))
    }

    // MARK: Strings

    /// Reads the rest of a held string; false at the end of the chunk.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func continueHeldString(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) -> Bool {
        let index = Int(valueRule >= 0 ? valueRule : scanRule)
        let longestEscape = 6
        let maxBytes = plan.rules[index].maxContentBytes * longestEscape
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
            if length > maxBytes {
                try releaseString(&output)
            } else if length >= LongString.minBytes {
                takeLongString(length, isWhole: false)
            }
            return false
        }
        lexerState = .afterValue
        let hasEscape = held.contains(ASCII.backslash)
        let outcome: ValueRule.Outcome
        if longString != nil {
            takeLongString(length, isWhole: true)
            outcome = try finishLongString()
        } else {
            content.removeAll()
            if hasEscape {
                _ = JSONText.appendContent(of: held, count: length, to: &content)
            } else {
                content.append(first: length, of: held)
            }
            text.removeAll()
            outcome = plan.rules[index].rewrite(string: content, into: &text)
        }
        switch outcome {
        case .string:
            // A rule that leaves the content leaves its spelling, too.
            if hasEscape, text.equals(content) { return try writeHeldString(&output) }
            writeText(&output, mayNeedEscaping: plan.rules[index].contentMayNeedEscaping)
        case .token: output.append(first: text.count, of: text)
        case .embedded:
            if try writeEmbedded(&output) { return true }
            try rejectValue(ValueConversion.expectedJSON)
            return try writeHeldString(&output)
        case .unchanged: return try writeHeldString(&output)
        case .bad(let message):
            try rejectValue(message)
            return try writeHeldString(&output)
        }
        return true
    }

    /// Takes what is held of a string that is long, and of which only the rule knows how much of it is needed.
    private mutating func takeLongString(_ length: Int, isWhole: Bool) {
        if longString == nil, case .conversion(let conversion) = plan.rules[Int(valueRule)].action {
            content.removeAll()
            text.removeAll()
            longString = LongString(conversion, embedded: conversion == .json ? beginEmbedded() : nil)
        }
        longString?.take(held, count: length, isWhole: isWhole, &content, into: &text)
    }

    /// What the rule makes of a long string, all of which was taken.
    private mutating func finishLongString() throws(Fault) -> ValueRule.Outcome {
        guard let long = longString.take() else { return .unchanged }
        return ValueRule.Outcome(try long.outcome(of: content, into: &text))
    }

    /// Rewrites the string without escapes that stands in the output from its opening quote at `mark` on, and ends it.
    @inline(never)
    mutating func rewriteString(from mark: Int, _ output: inout ByteBuffer) throws(Fault) {
        let index = Int(valueRule >= 0 ? valueRule : scanRule)
        text.removeAll()
        switch plan.rules[index].rewrite(string: output.bytes.extracting((mark + 1)...), into: &text) {
        case .string:
            output.truncate(to: mark)
            writeText(&output, mayNeedEscaping: plan.rules[index].contentMayNeedEscaping)
        case .token:
            output.truncate(to: mark)
            output.append(first: text.count, of: text)
        case .embedded:
            content.removeAll()
            content.append(output.bytes.extracting((mark + 1)...))
            output.truncate(to: mark)
            if try writeEmbedded(&output) { return }
            try rejectValue(ValueConversion.expectedJSON)
            output.append(ASCII.quote)
            output.append(first: content.count, of: content)
            output.append(ASCII.quote)
        case .unchanged: output.append(ASCII.quote)
        case .bad(let message):
            try rejectValue(message)
            output.append(ASCII.quote)
        }
    }

    /// A string that is longer than any date, escapes counted at their longest.
    private mutating func rejectLongString() throws(Fault) {
        if valueRule >= 0 { try rejectValue("expected a date, not a string of this length") }
    }

    /// Stops holding a string and copies the rest of it as it comes.
    private mutating func releaseString(_ output: inout ByteBuffer) throws(Fault) {
        output.append(ASCII.quote)
        try strings.copyBeginning(of: held, escapes, into: &output)
        lexerState = .string
    }

    /// Writes the held string as it stands, in the output's escapes.
    private mutating func writeHeldString(_ output: inout ByteBuffer) throws(Fault) -> Bool {
        output.append(ASCII.quote)
        try strings.copyWhole(held, escapes, into: &output)
        return true
    }

    /// Writes `text` as a string.
    private mutating func writeText(_ output: inout ByteBuffer, mayNeedEscaping: Bool) {
        output.append(ASCII.quote)
        if mayNeedEscaping {
            JSONText.appendSpelling(of: text, to: &output, plan.output.escapes)
        } else {
            output.append(first: text.count, of: text)
        }
        output.append(ASCII.quote)
    }

    /// Writes the JSON text that `content` holds, with no rule looking inside; false, with nothing written, if it is none.
    mutating func writeEmbedded(_ output: inout ByteBuffer) throws(Fault) -> Bool {
        let embedded = beginEmbedded()
        text.removeAll()
        switch embedded.finish(content, into: &text) {
        case .text: output.append(first: text.count, of: text)
        case .notJSON: return false
        case .tooLong: throw Fault(kind: .heldLength, position: 0)
        }
        return true
    }

    /// Stands before a JSON text at the place where the converter is.
    private mutating func beginEmbedded() -> EmbeddedText {
        // What is written for a held object is laid out later.
        let isLaidOut = indent > 0 && !hold.isActive
        let options = OutputOptions(
            indent: isLaidOut ? indent : 0, escapes: plan.output.escapes, sortKeys: plan.output.sortKeys)
        let embedded = (isLaidOut ? laidOutText : embeddedText) ?? EmbeddedText(options, plan.limits)
        if isLaidOut { laidOutText = embedded } else { embeddedText = embedded }
        embedded.begin(outerLevels: outerLevels + containers.depth)
        return embedded
    }

    // MARK: Numbers and literals

    /// Reads the rest of a held number; false at the end of the chunk.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func continueHeldNumber(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) -> Bool {
        let maxBytes = plan.rules[Int(valueRule)].maxContentBytes
        let message = "expected a date, not a number of this length"
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
            lexerState = isWhole ? .afterValue : .number
            return isWhole
        }
        if isWhole { try finishHeldNumber(&output) }
        return isWhole
    }

    /// Writes a held number as its rule says.
    mutating func finishHeldNumber(_ output: inout ByteBuffer) throws(Fault) {
        text.removeAll()
        let outcome = plan.rules[Int(valueRule)].rewrite(number: held, into: &text)
        try writeHeldToken(outcome, &output)
    }

    /// Reads the rest of a held `true` or `false`; false at the end of the chunk.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func continueHeldLiteral(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) -> Bool {
        guard try literal.copy(&reader, into: &held) else { return false }
        text.removeAll()
        let outcome = plan.rules[Int(valueRule)].rewrite(boolean: held, into: &text)
        try writeHeldToken(outcome, &output)
        return true
    }

    private mutating func writeHeldToken(_ outcome: ValueRule.Outcome, _ output: inout ByteBuffer) throws(Fault) {
        switch outcome {
        case .string:
            writeText(&output, mayNeedEscaping: plan.rules[Int(valueRule)].contentMayNeedEscaping)
        case .token: output.append(first: text.count, of: text)
        case .bad(let message):
            try rejectValue(message)
            output.append(first: held.count, of: held)
        case .unchanged, .embedded: output.append(first: held.count, of: held)
        }
        lexerState = .afterValue
    }
}
