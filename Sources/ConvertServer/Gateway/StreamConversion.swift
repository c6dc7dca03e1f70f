import Conversions
import ConvertEngine
import HTTPSemantics
import Observability
import PayloadStreams
import Sockets
import Text

// The payloads of a stream, one after another, between the bytes of one peer and those for the other:
//
//     splitting → converting → splitting → ended
//
// These must stay in step:
//
// - The converter's unit has the output of the current payload only. `output` has whole events and texts. So a payload
//   that cannot be converted leaves nothing behind.
// - Each `step` does little: it splits up to the next payload, or converts one slice of a payload.

/// An error of a stream, whatever its framing.
protocol StreamFailure: Error {
    var problem: Problem { get }
}

extension ConversionError: StreamFailure {
    var problem: Problem { Problem(self) }
}

/// Converts each payload of a peer's stream.
final class StreamConversion<Stream: PayloadFraming & ~Copyable> where Stream.FramingError: StreamFailure {
    /// Nil if the stream has no payloads.
    let conversion: PayloadConversion?
    private var stream: Stream
    private let withholds: Bool
    private let passesErrors: Bool
    private let count: (StreamOutcome) -> Void
    /// Whole events, texts and messages for the other peer.
    var output = ByteBuffer()
    private var input: [UInt8] = []
    private var position = 0
    /// How much of the current payload is converted; nil between two payloads.
    private var converted: Int?

    /// - Parameters:
    ///   - conversion: a conversion of lines, each of which is a payload; nil if the stream has no payloads.
    ///   - passesErrors: whether a payload that cannot be converted passes unchanged, and not only one that is not JSON.
    init(
        _ conversion: PayloadConversion?, _ stream: consuming Stream, withholds: Bool, passesErrors: Bool = false,
        _ count: @escaping (StreamOutcome) -> Void
    ) {
        precondition(conversion?.unit.framing ?? .lines == .lines, "a payload has no line feeds and ends as a line")
        self.conversion = conversion
        self.stream = stream
        self.withholds = withholds
        self.passesErrors = passesErrors
        self.count = count
        conversion?.beginNext()
    }

    /// Whether `step` has work to do without more input.
    var hasWork: Bool { converted != nil || position < input.count }

    /// Whether it waits for work outside the loop.
    var isAway: Bool { conversion?.isAway ?? false }

    /// The bytes of the unfinished event, text or message.
    var heldBytes: Int { stream.heldBytes }

    /// The bytes that arrived and are not split yet.
    var waitingBytes: Int { input.count }

    func take(_ bytes: Span<UInt8>) { input.append(span: bytes) }

    /// Splits or converts some of the bytes that arrived.
    ///
    /// - Throws: the error of a payload that cannot be converted, or must not pass.
    func step(_ clock: () -> MonotonicTime) throws(Problem) {
        if converted != nil { return try convert(clock) }
        let bytes = input
        let found: PayloadStream.Step
        do throws(Stream.FramingError) {
            found = try stream.take(bytes.span, at: &position, into: &output)
        } catch {
            let problem = error.problem
            if let code = problem.code.flatMap(ConversionError.Code.init) { conversion?.noteError(code) }
            throw problem
        }
        if position == bytes.count { (input, position) = ([], 0) }
        try note(found)
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
        guard let conversion else { return }
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
            let isJSON = error.code != ConversionError.Code.json.rawValue && stream.isJSON
            guard !withholds, !isJSON || passesErrors else { throw located(error) }
            return try passText(isJSON ? .passed : .notJSON)
        }
        try finishPayload(conversion)
    }

    /// Handles the end of a payload, which was converted or discarded as a bad record.
    private func finishPayload(_ conversion: PayloadConversion) throws(Problem) {
        let unit = conversion.unit
        if !withholds, stream.isText(conversion.skippedInPayload) { return try passText(.notJSON) }
        // The bytes are borrowed, so they must not belong to an object meanwhile.
        var data = ByteBuffer()
        swap(&data, &unit.output)
        defer { swap(&data, &unit.output) }
        stream.write(line: data.bytes, into: &output)
        if !data.isEmpty { count(.converted) }
        data.removeAll(keepingAtMost: PayloadStream.maxKeptBytes)
        beginNext(countsSkipped: true)
    }

    /// Handles data that is neither an object nor an array, on a route that withholds data.
    private func refuseText() throws(Problem) {
        guard let conversion else { return }
        let plan = conversion.order.recipe.plan
        guard plan.sparesRecords else {
            conversion.noteError(.json)
            throw located(Problem(.noObject))
        }
        stream.writeBadRecord(plan.records, into: &output)
        conversion.skipPayload(.json)
    }

    private func passText(_ outcome: StreamOutcome) throws(Problem) {
        guard stream.mayPass else { throw .notUTF8 }
        stream.pass(into: &output)
        count(outcome)
        beginNext(countsSkipped: false)
    }

    private func beginNext(countsSkipped: Bool) {
        // A connection with long pauses must not keep the room of its longest payload.
        conversion?.unit.output.removeAll(keepingAtMost: PayloadStream.maxKeptBytes)
        conversion?.beginNext(countsSkipped: countsSkipped)
        converted = nil
    }

    /// The error with its position in the stream.
    private func located(_ problem: Problem) -> Problem {
        guard let offset = problem.offset else { return problem }
        var problem = problem
        let position = stream.position(of: offset)
        (problem.line, problem.column, problem.offset) = (position.line, position.column, position.offset)
        return problem
    }
}

extension StreamConversion where Stream == PayloadStream {
    /// Handles an unfinished event or text at the end of the stream. False if there is none; else `step` continues.
    func end() throws(Problem) -> Bool {
        let found = stream.end(into: &output)
        try note(found)
        return found != .needsInput
    }
}

extension StreamConversion where Stream == MessageStream {
    /// Ends the stream with a close frame, if the output allows one. Input that waits is discarded.
    func close(_ code: CloseCode, reason: String) {
        stream.close(code, reason: reason, into: &output)
        (input, position, converted) = ([], 0, nil)
    }

    func clearOutput() { output.removeAll(keepingAtMost: PayloadStream.maxKeptBytes) }

    /// Returns the converter to its pool.
    ///
    /// - Parameter isComplete: whether the conversion counts as complete if no payload is unfinished.
    func end(_ context: GatewayContext, isComplete: Bool) {
        guard let conversion else { return }
        if isComplete, converted == nil { try? conversion.finish() }
        context.end(conversion)
    }
}
