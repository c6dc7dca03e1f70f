import ConvertText

/// Strings, numbers and booleans under a rule: each is buffered until it is whole, given to its rule, and written as the rule says.
///
///     values.begin(ASCII.quote, under: rule)
///     guard try values.read(&reader) else { return false }        // continues in the next chunk
///     if let complaint = try values.rewrite(into: &output) { … values.writeUnchanged(into: &output) }
struct ScalarRewriter: ~Copyable, Sendable {
    private enum Kind { case string, number, boolean }

    private let plan: Plan
    private var rule = 0
    private var kind = Kind.string
    private var strings = StringCopier()
    private var number = NumberCopier.State.start
    private var boolean = LiteralProgress()
    /// The spelling of the value being read; for a string, without the opening quote.
    private(set) var held = ByteBuffer()
    /// How much of a string was taken into `content`. For JSON in a string, that has only the newest part; the others are converted.
    private var string = HeldString()
    private var content = ByteBuffer()
    /// The result of a rule.
    private var text = ByteBuffer()
    /// The converter for JSON texts in strings, once it was needed.
    private var embedded: UniqueBox<EmbeddedText>?
    /// The translator of keys in values, once it was needed.
    private var names: NameTranslator?

    init(_ plan: Plan) { self.plan = plan }

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int {
        held.capacity + content.capacity + text.capacity + embedded.count { $0.count { $0.heldBytes } }
            + names.count { $0.storedBytes }
    }

    // MARK: Reading

    /// Begins a value on which this rule acts. The opening quote of a string has already been read.
    mutating func begin(_ byte: UInt8, under rule: Int32) {
        self.rule = Int(rule)
        held.removeAll()
        switch byte {
        case ASCII.quote:
            kind = .string
            string = HeldString()
            strings.reset()
        case ASCII.t, ASCII.f:
            kind = .boolean
            boolean = LiteralProgress(byte)
        default:
            kind = .number
            number = .start
        }
    }

    /// Reads the rest of the value. Returns false at the end of the chunk, which may be the end of a number.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func read(_ reader: inout ChunkReader) throws(EngineError) -> Bool {
        switch kind {
        case .string: try strings.copy(&reader, into: &held)
        case .number: try NumberCopier.copy(&reader, into: &held, &number)
        case .boolean: try boolean.copy(&reader, into: &held)
        }
    }

    /// Whether what was read is a complete number, if nothing follows.
    var isWholeNumber: Bool { kind == .number && number.isComplete }

    /// The length of the value so far in bytes, without the closing quote of a string.
    private func length(isWhole: Bool) -> Int { held.count - (kind == .string && isWhole ? 1 : 0) }

    /// A message if the value is longer than any date, and therefore bad however it continues; otherwise nil.
    func complaintOfLength(isWhole: Bool) -> String? {
        // Escapes are counted at their longest.
        let maxBytes = plan.rules[rule].maxContentBytes * (kind == .string ? ByteWindow.escapeLength : 1)
        guard length(isWhole: isWhole) > maxBytes else { return nil }
        return "expected a date, not a \(kind == .string ? "string" : "number") of this length"
    }

    /// Writes the beginning of a value whose rest is copied as it comes. `strings` or `number` gets the state to continue with.
    mutating func writeBeginning(
        _ strings: inout StringCopier, _ number: inout NumberCopier.State, into output: inout ByteBuffer
    ) -> LexerState {
        guard kind == .string else {
            output.append(held.bytes)
            number = self.number
            return .number
        }
        output.append(ASCII.quote)
        output.append(held.bytes)
        swap(&strings, &self.strings)
        return .string
    }

    /// Takes the part of a long string that has arrived, because only the rule knows how much of it must be kept.
    mutating func takePiece() {
        if kind == .string, held.count >= HeldString.minBytes { take(isWhole: false) }
    }

    private mutating func take(isWhole: Bool) {
        let action = plan.rules[rule].action
        let isFirst = string.takenBytes == 0
        if case .conversion(.json) = action {
            readEmbedded(isFirst: isFirst)
        } else if isFirst {
            content.removeAll()
            text.removeAll()
        }
        let count = length(isWhole: isWhole)
        string.take(held, count: count, isWhole: isWhole, under: action, &content)
    }

    // MARK: Writing

    /// Writes the value that was read as its rule says. If it is bad, returns the reason and writes nothing.
    mutating func rewrite(into output: inout ByteBuffer) throws(EngineError) -> String? {
        if kind != .string { text.removeAll() }
        switch kind {
        case .string: return try write(outcomeOfString(), into: &output)
        case .number: return try write(plan.rules[rule].rewrite(number: held, into: &text), into: &output)
        case .boolean: return try write(plan.rules[rule].rewrite(boolean: held, into: &text), into: &output)
        }
    }

    private mutating func outcomeOfString() -> ValueRule.Outcome {
        take(isWhole: true)
        let outcome =
            switch plan.rules[rule].action {
            case .date: plan.rules[rule].rewrite(string: content, into: &text)
            case .conversion(let conversion): string.outcome(of: content, under: conversion, into: &text)
            }
        // If a rule does not change the content, the spelling stays unchanged, too.
        if case .string = outcome, held.contains(ASCII.backslash), text.equals(content) { return .unchanged }
        return outcome
    }

    /// Rewrites the string without escapes that is in the output from its opening quote at `mark` on, and adds the closing quote. If the
    /// string is bad, returns the reason and leaves it unchanged.
    @inline(never)
    mutating func rewriteString(
        from mark: Int, under rule: Int32, in output: inout ByteBuffer
    ) throws(EngineError) -> String? {
        self.rule = Int(rule)
        text.removeAll()
        var outcome = plan.rules[self.rule].rewrite(string: output.bytes.extracting((mark + 1)...), into: &text)
        if case .embedded = outcome {
            readEmbedded(isFirst: true)
            content.append(output.bytes.extracting((mark + 1)...))
            outcome = try convertEmbedded()
        }
        if case .names(let form) = outcome {
            content.removeAll()
            content.append(output.bytes.extracting((mark + 1)...))
            translateContent(form)
            outcome = .string
        }
        switch outcome {
        case .string, .token:
            output.truncate(to: mark)
            return try write(outcome, into: &output)
        case .unchanged, .embedded, .names:
            output.append(ASCII.quote)
            return nil
        case .bad(let message):
            output.append(ASCII.quote)
            return message
        }
    }

    /// Writes the result of the rule. If the value is bad, returns the reason and writes nothing.
    private mutating func write(
        _ outcome: ValueRule.Outcome, into output: inout ByteBuffer
    ) throws(EngineError) -> String? {
        switch outcome {
        case .string:
            output.append(ASCII.quote)
            if plan.rules[rule].contentMayNeedEscaping {
                JSONText.appendSpelling(of: text, to: &output)
            } else {
                output.append(first: text.count, of: text)
            }
            output.append(ASCII.quote)
        case .token: output.append(first: text.count, of: text)
        case .embedded: return try write(convertEmbedded(), into: &output)
        case .names(let form):
            translateContent(form)
            return try write(text.equals(content) ? .unchanged : .string, into: &output)
        case .unchanged: writeUnchanged(into: &output)
        case .bad(let message): return message
        }
        return nil
    }

    /// Writes the value that was read without changes.
    func writeUnchanged(into output: inout ByteBuffer) {
        if kind == .string { output.append(ASCII.quote) }
        output.append(held.bytes)
    }

    /// Writes the text that a mask uses for any value.
    mutating func writeMask(under rule: Int32, into output: inout ByteBuffer) throws(EngineError) {
        guard case .conversion(.mask(let mask)) = plan.rules[Int(rule)].action else { return }
        self.rule = Int(rule)
        text.removeAll()
        text.append(mask.text)
        _ = try write(.string, into: &output)
    }

    /// Turns the output from `mark` on into the content of a string. If it `hasBegun`, earlier content and the quote are written already.
    mutating func stringify(from mark: Int, hasBegun: Bool, in output: inout ByteBuffer) {
        content.removeAll()
        content.append(output.bytes.extracting(mark...))
        output.truncate(to: mark)
        if !hasBegun { output.append(ASCII.quote) }
        JSONText.appendSpelling(of: content, to: &output)
        output.append(ASCII.quote)
    }

    /// Translates the keys in `content` into `text`.
    private mutating func translateContent(_ form: NameForm) {
        var translator = names.take() ?? NameTranslator(plan)
        // A separate buffer, because a span of one of its buffers would prevent any change of the whole struct.
        var translated = ByteBuffer()
        swap(&translated, &text)
        translated.removeAll()
        translator.translate(content.bytes, form, into: &translated)
        swap(&translated, &text)
        names = consume translator
    }

    // MARK: JSON in strings

    /// Makes room in `content` for the first part of a JSON text, or for the next one. Then the part there is converted.
    private mutating func readEmbedded(isFirst: Bool) {
        var embedded = takeEmbedded()
        if isFirst {
            text.removeAll()
            embedded.value.begin()
        } else {
            embedded.value.read(content, into: &text)
        }
        content.removeAll()
        self.embedded = consume embedded
    }

    /// Converts the last part of a JSON text, which is in `content`. No rule acts inside the text.
    private mutating func convertEmbedded() throws(EngineError) -> ValueRule.Outcome {
        var embedded = takeEmbedded()
        let outcome = embedded.value.finish(content, into: &text)
        self.embedded = consume embedded
        switch outcome {
        case .text: return .token
        case .notJSON(let reason): return .bad("\(ValueConversion.expectedJSON); \(reason)")
        case .tooLong: throw EngineError(kind: .heldLength, position: 0)
        }
    }

    private mutating func takeEmbedded() -> UniqueBox<EmbeddedText> {
        if let known = embedded.take() { return known }
        return UniqueBox(EmbeddedText(sortsKeys: plan.output.sortKeys, plan.limits))
    }
}
