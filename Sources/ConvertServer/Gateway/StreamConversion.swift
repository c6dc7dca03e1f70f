import Conversions
import ConvertEngine
import HTTPSemantics
import HTTPWire
import Observability
import PayloadStreams
import Sockets
import Text

// The payloads of a stream, one after another, between the bytes of the upstream and those for the client:
//
//     splitting → converting → splitting → ended
//
// These must stay in step:
//
// - The converter's unit has the output of the current payload only. `output` has whole events and texts. So a payload
//   that cannot be converted leaves nothing behind.
// - Each `step` does little: it splits up to the next payload, or converts one slice of a payload.

/// Converts each payload of an upstream's stream.
final class StreamConversion {
    private let conversion: Conversion
    private var stream: PayloadStream
    private let withholds: Bool
    /// Counts the outcome of a payload.
    private let count: (StreamOutcome) -> Void
    /// Whole events and texts for the client.
    var output = ByteBuffer(capacity: 0)
    private var input: [UInt8] = []
    private var position = 0
    /// How much of the current payload is converted; nil between two payloads.
    private var converted: Int?

    /// - Parameter conversion: a conversion of lines, each of which is a payload.
    init(
        _ conversion: Conversion, _ framing: StreamFraming, _ rule: StreamRule, maxUnitBytes: Int,
        _ count: @escaping (StreamOutcome) -> Void
    ) {
        precondition(conversion.unit.framing == .lines, "a payload has no line feeds and ends as a line")
        self.conversion = conversion
        stream = PayloadStream(framing, rule, maxUnitBytes: maxUnitBytes)
        withholds = rule.withholds
        self.count = count
        conversion.beginNext()
    }

    /// Whether `step` has work to do without more input.
    var hasWork: Bool { converted != nil || position < input.count }

    /// The bytes of the unfinished event or text.
    var heldBytes: Int { stream.heldBytes }

    /// Takes the next bytes of the stream.
    func take(_ bytes: Span<UInt8>) { input.append(span: bytes) }

    /// Splits or converts some of the bytes that arrived.
    ///
    /// - Throws: the error of a payload that cannot be converted, or must not pass.
    func step(_ clock: () -> MonotonicTime) throws(Problem) {
        if converted != nil { return try convert(clock) }
        let bytes = input
        let found: PayloadStream.Step
        do throws(ConversionError) {
            found = try stream.take(bytes.span, at: &position, into: &output)
        } catch {
            conversion.noteFault(error.code)
            throw Problem(error)
        }
        if position == bytes.count { (input, position) = ([], 0) }
        try note(found)
    }

    /// Handles an unfinished event or text at the end of the stream. False if there is none; else `step` continues.
    func end() throws(Problem) -> Bool {
        let found = stream.end(into: &output)
        try note(found)
        return found != .needsInput
    }

    // MARK: Transitions

    private func note(_ step: PayloadStream.Step) throws(Problem) {
        switch step {
        case .needsInput: break
        case .passed: count(.passed)
        case .notJSON: try refuseText()
        case .payload: converted = 0
        }
    }

    /// Converts the next slice of the payload.
    private func convert(_ clock: () -> MonotonicTime) throws(Problem) {
        do throws(Problem) {
            if conversion.isWriting {
                try conversion.continueWriting(clock)
            } else if let start = converted {
                let end = min(stream.payload.count, start + conversion.sliceBytes)
                converted = end
                try conversion.begin(stream.payload.bytes.extracting(start..<end), clock)
            }
            guard converted == stream.payload.count, !conversion.isWriting, !conversion.isAway else { return }
            try conversion.finish()
        } catch {
            guard error.code == ConversionError.Code.json.rawValue, !withholds else { throw placed(error) }
            return passText()
        }
        finishPayload()
    }

    /// Handles the end of a payload, which was converted or discarded as a bad record.
    private func finishPayload() {
        let unit = conversion.unit
        if conversion.hasSkippedText, !withholds { return passText() }
        // The bytes are borrowed, so they must not belong to an object meanwhile.
        var data = ByteBuffer(capacity: 0)
        swap(&data, &unit.output)
        defer { swap(&data, &unit.output) }
        if data.isEmpty {
            stream.leaveOut(into: &output)
        } else {
            // A line ends with a line feed.
            stream.write(data.bytes.extracting(0..<data.count - 1), into: &output)
            count(.converted)
        }
        data.removeAll()
        beginNext(countsSkipped: true)
    }

    /// Handles data that is neither an object nor an array, on a route that withholds data.
    private func refuseText() throws(Problem) {
        let plan = conversion.order.recipe.plan
        guard plan.sparesRecords else {
            conversion.noteFault(.json)
            throw placed(Problem(.noObject))
        }
        if plan.records == .null {
            let null = StreamRule.null
            stream.write(null.span, into: &output)
        } else {
            stream.leaveOut(into: &output)
        }
        conversion.skipPayload(.json)
    }

    private func passText() {
        stream.pass(into: &output)
        count(.notJSON)
        beginNext(countsSkipped: false)
    }

    private func beginNext(countsSkipped: Bool) {
        conversion.unit.output.removeAll()
        conversion.beginNext(countsSkipped: countsSkipped)
        converted = nil
    }

    /// The error with its position in the stream.
    private func placed(_ problem: Problem) -> Problem {
        guard let offset = problem.offset else { return problem }
        var problem = problem
        let place = stream.place(of: offset)
        (problem.line, problem.column, problem.offset) = (place.line, place.column, place.offset)
        return problem
    }
}
