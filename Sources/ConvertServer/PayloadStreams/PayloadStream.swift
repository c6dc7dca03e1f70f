package import ConvertEngine
import Text

// A unit is one event or one text of a sequence, with everything around its payload.
//
//     reading → found → reading       `take` or `end` found a payload; the caller decides about its output
//     reading → ended                 `end` found nothing more
//
// These must stay in step:
//
// - `unit` has the bytes of the current unit as they arrived. It is written when the unit is complete: unchanged, with
//   another payload, or without one. So nothing of an unfinished unit is in the output.
// - `payload` is made of the complete unit, with carriage returns instead of line feeds. So a converter of lines
//   (`Converter.Framing.lines`) keeps it together. JSON reads both alike between two tokens, and allows neither in a string.
// - `start` is the position of the unit in the stream, for the positions of errors.

/// Splits a stream into payloads and the bytes around them, and writes the converted payloads in the same framing.
///
///     while case let step = try stream.take(bytes, at: &position, into: &output), step != .needsInput {
///         // After `payload` and `notJSON`: convert `stream.payload`, then call one of
///         stream.write(converted, into: &output)
///         stream.pass(into: &output)
///         stream.discard(into: &output)
///     }
///
/// Any split of the input into pieces gives the same output. A unit is written as soon as it is complete.
package struct PayloadStream: ~Copyable, Sendable {
    /// The result of `take` or `end`.
    package enum Step: Sendable, Hashable {
        /// All bytes were taken.
        case needsInput
        /// A payload to convert.
        case payload
        /// A payload that cannot be converted, and must not pass: the data of an event, or a message, that is neither an object
        /// nor an array.
        case notJSON
        /// A payload that was written unchanged, because the rule says so.
        case passed
    }

    /// A position in the stream, for an error. Line and column count from 1, the column in bytes.
    package struct Position: Sendable, Hashable {
        package var line = 1
        package var column = 1
        package var offset = 0
    }

    package let framing: StreamFraming
    let rule: StreamRule
    private let maxUnitBytes: Int
    private var events = EventScanner()
    private var texts = TextScanner()
    var unit = ByteBuffer()
    package internal(set) var payload = ByteBuffer()
    /// The name of the current event as a range of `unit`; empty for none.
    var name = 0..<0
    var start = Position()
    /// Whether the last unit ended with a carriage return, so that a line feed belongs to its last line.
    var endedWithReturn = false
    private var isFound = false

    /// The largest unit if nothing else limits it.
    package static let defaultMaxUnitBytes = 64 * 1024 * 1024
    /// Larger buffers are released after their unit.
    package static let maxKeptBytes = 64 * 1024

    /// Begins a stream.
    ///
    /// - Parameter maxUnitBytes: the limit for one event or one text, with everything around its payload.
    package init(_ framing: StreamFraming, _ rule: StreamRule = StreamRule(), maxUnitBytes: Int = defaultMaxUnitBytes) {
        self.framing = framing
        self.rule = rule
        self.maxUnitBytes = maxUnitBytes
    }

    /// Takes bytes from `position` on, up to the end of the next payload, and moves `position`.
    ///
    /// - Throws: `limit` if a unit is too long.
    package mutating func take(
        _ bytes: Span<UInt8>, at position: inout Int, into output: inout ByteBuffer
    ) throws(ConversionError) -> Step {
        precondition(!isFound, "the last payload was neither written, passed nor discarded")
        while position < bytes.count {
            let begin = position
            let isComplete =
                switch framing {
                case .events: events.scan(bytes, at: &position)
                case .sequence: texts.scan(bytes, at: &position)
                }
            unit.append(bytes.extracting(begin..<position))
            guard unit.count <= maxUnitBytes else { throw tooLong }
            if isComplete, let step = complete(into: &output) { return step }
        }
        return .needsInput
    }

    /// Ends the stream. An unfinished event or text at its end is treated like a finished one.
    ///
    /// After a payload it must be called again.
    package mutating func end(into output: inout ByteBuffer) -> Step {
        precondition(!isFound, "the last payload was neither written, passed nor discarded")
        return unit.isEmpty ? .needsInput : complete(into: &output) ?? .needsInput
    }

    package mutating func write(_ converted: Span<UInt8>, into output: inout ByteBuffer) {
        switch framing {
        case .events: writeEvent(converted, into: &output)
        case .sequence: writeText(converted, into: &output)
        }
        finishUnit()
    }

    package mutating func pass(into output: inout ByteBuffer) {
        if framing == .events, rule.withholds {
            writeEvent(nil, into: &output)
        } else {
            output.append(unit.bytes)
        }
        finishUnit()
    }

    /// Writes the unit without a payload: an event keeps its id and retry time, and a text is removed.
    package mutating func discard(into output: inout ByteBuffer) {
        if framing == .events { writeEvent(Span(), into: &output) }
        finishUnit()
    }

    package func position(of offset: Int) -> Position {
        switch framing {
        case .events: positionInEvent(of: offset)
        case .sequence: positionInText(of: offset)
        }
    }

    package var heldBytes: Int { unit.capacity + payload.capacity }

    // MARK: Helpers

    /// Examines a complete unit. Nil if it has no payload; then it was written.
    private mutating func complete(into output: inout ByteBuffer) -> Step? {
        payload.removeAll()
        name = 0..<0
        switch framing {
        case .events: readEvent()
        case .sequence: readText()
        }
        guard let first = firstOfPayload else {
            pass(into: &output)
            return nil
        }
        if passesByRule {
            pass(into: &output)
            return .passed
        }
        isFound = true
        // An event stream is not labelled as JSON, so a number or a string may be any text.
        let isLabelled = framing == .sequence || first == ASCII.openBrace || first == ASCII.openBracket
        return rule.withholds && !isLabelled ? .notJSON : .payload
    }

    /// The payload's first byte that is not white space.
    private var firstOfPayload: UInt8? {
        let start = payload.bytes.endOfWhiteSpace(from: 0, to: payload.count)
        return start < payload.count ? payload[start] : nil
    }

    private var passesByRule: Bool {
        guard framing == .events else { return false }
        // A loop, because a closure cannot capture a value that cannot be copied.
        if let only = rule.only {
            var isListed = false
            for name in only where isNamed(name) { isListed = true }
            if !isListed { return true }
        }
        for text in rule.passes where payload.bytes.equals(text.span) { return true }
        return false
    }

    private mutating func finishUnit() {
        switch framing {
        case .events: advanceOverEvent()
        case .sequence: advanceOverText()
        }
        unit.removeAll(keepingAtMost: Self.maxKeptBytes)
        if payload.capacity > Self.maxKeptBytes { payload = ByteBuffer() }
        isFound = false
    }

    private var tooLong: ConversionError {
        let noun = framing == .events ? "an event" : "a text of the sequence"
        return ConversionError(
            code: .limit, message: "\(noun) is longer than \(maxUnitBytes) bytes", offset: start.offset,
            line: start.line, column: start.column, pointer: "")
    }
}
