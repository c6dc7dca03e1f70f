// A field section, read byte by byte, in any pieces:
//
//     start ⇄ (name → valueStart → value → lineLF)
//       ↓
//     endLF → complete
//
// Offsets count from the start of the head, whose bytes the owner keeps in the fields' storage, so that the marks
// survive any cut. A state that loops stops at the offset where its limit is passed, not at the end of the piece. So
// the same error is found, however the head was cut.

import Text

/// Parses the fields of a head, request or response (RFC 9112 §5).
struct FieldSectionParser: Sendable {
    private enum State: Sendable {
        case start, name, valueStart, value, lineLF, endLF, complete
    }

    private let limits: WireLimits
    private var state = State.start
    private var lineStart = 0
    private var entry = Fields.Entry(nameStart: 0, nameEnd: 0, valueStart: 0, valueEnd: 0)

    init(limits: WireLimits) { self.limits = limits }

    /// Reads from `index` on, up to the end of the section or of the input. Returns whether the section is complete.
    ///
    /// `base` is the start of the head relative to the input, which may be before the input's first byte.
    mutating func scan(
        _ input: Span<UInt8>, _ index: inout Int, _ base: Int, _ fields: inout Fields
    ) throws(WireError) -> Bool {
        while index < input.count, state != .complete {
            switch state {
            case .start: try startField(input, &index, base, &fields)
            case .name: try scanName(input, &index, base)
            case .valueStart: try skipBlanks(input, &index, base)
            case .value: try scanValue(input, &index, base, &fields)
            case .lineLF, .endLF:
                try input.passLineFeed(&index, base)
                state = state == .endLF ? .complete : .start
            case .complete: break
            }
        }
        return state == .complete
    }

    private mutating func startField(
        _ input: Span<UInt8>, _ index: inout Int, _ base: Int, _ fields: inout Fields
    ) throws(WireError) {
        let byte = input[index]
        let offset = index - base
        if offset >= limits.maxHeadBytes { throw WireError(.headTooLong, at: offset) }
        if fields.linesStart == 0 { fields.linesStart = offset }
        if byte == ASCII.carriageReturn {
            fields.linesEnd = offset
            index += 1
            state = .endLF
        } else if ASCII.isToken(byte) {
            if fields.count >= limits.maxFields { throw WireError(.tooManyFields, at: offset) }
            lineStart = offset
            state = .name
        } else if ASCII.isBlank(byte) {
            throw WireError(.foldedField, at: offset)
        } else {
            throw WireError(byte == ASCII.lineFeed ? .bareLineEnd : .badFieldName, at: offset)
        }
    }

    // field-line = field-name ":" OWS field-value OWS
    private mutating func scanName(_ input: Span<UInt8>, _ index: inout Int, _ base: Int) throws(WireError) {
        let bound = base + fieldBound
        let end = min(input.count, bound)
        var position = index
        while position < end, ASCII.isToken(input[position]) { position += 1 }
        index = position
        if index >= bound { throw tooLong(index - base) }
        if index == input.count { return }
        guard input[index] == ASCII.colon else { throw WireError(.badFieldName, at: index - base) }
        entry.nameStart = UInt32(truncatingIfNeeded: lineStart)
        entry.nameEnd = UInt32(truncatingIfNeeded: index - base)
        index += 1
        state = .valueStart
    }

    private mutating func skipBlanks(_ input: Span<UInt8>, _ index: inout Int, _ base: Int) throws(WireError) {
        let bound = base + fieldBound
        let end = min(input.count, bound)
        while index < end, ASCII.isBlank(input[index]) { index += 1 }
        if index >= bound { throw tooLong(index - base) }
        if index == input.count { return }
        entry.valueStart = UInt32(truncatingIfNeeded: index - base)
        entry.valueEnd = entry.valueStart
        state = .value
    }

    private mutating func scanValue(
        _ input: Span<UInt8>, _ index: inout Int, _ base: Int, _ fields: inout Fields
    ) throws(WireError) {
        let bound = base + fieldBound
        let end = min(input.count, bound)
        let start = index
        var position = start
        while position < end, ASCII.isFieldContent(input[position]) { position += 1 }
        index = position
        // The value may continue after blanks. If it does not, they are not part of it.
        while position > start, ASCII.isBlank(input[position - 1]) { position -= 1 }
        if position > start { entry.valueEnd = UInt32(truncatingIfNeeded: position - base) }
        if index >= bound { throw tooLong(index - base) }
        if index == input.count { return }
        try input.passReturn(&index, base, else: .badFieldValue)
        fields.entries.append(entry)
        state = .lineLF
    }

    // MARK: Helpers

    /// The offset at which the current field line or the head is too long.
    private var fieldBound: Int { min(lineStart + limits.maxFieldBytes + 1, limits.maxHeadBytes) }

    private func tooLong(_ offset: Int) -> WireError {
        WireError(offset >= limits.maxHeadBytes ? .headTooLong : .fieldTooLong, at: offset)
    }
}

extension Span<UInt8> {
    /// Moves `index` past the carriage return that ends a line of a head. `code` is the error of a byte other than a line feed.
    @inline(__always)
    func passReturn(_ index: inout Int, _ base: Int, else code: WireError.Code) throws(WireError) {
        guard self[index] == ASCII.carriageReturn else {
            throw WireError(self[index] == ASCII.lineFeed ? .bareLineEnd : code, at: index - base)
        }
        index += 1
    }

    /// Moves `index` past the line feed after that.
    @inline(__always)
    func passLineFeed(_ index: inout Int, _ base: Int) throws(WireError) {
        guard self[index] == ASCII.lineFeed else { throw WireError(.bareLineEnd, at: index - base) }
        index += 1
    }
}

extension Fields {
    /// Keeps the received bytes of a head, in which the entries are offsets.
    mutating func keep(_ input: Span<UInt8>, _ range: Range<Int>) {
        // Appending nothing to an array without storage would write a count into the storage that all empty arrays
        // share.
        guard !range.isEmpty else { return }
        if storage.capacity == 0 { reserveUsual() }
        storage.append(span: input.extracting(range))
    }
}
