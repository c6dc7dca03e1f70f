import ConvertEngine
import PayloadStreams
import Sockets

/// Passes one stream of payloads through a converter to stdout: each event or text as soon as it is complete.
struct StreamFilter {
    private let plan: Plan
    private let framing: StreamFraming
    /// The name of the input in messages: its path, or `-`.
    private let file: String
    private let rule: StreamRule

    init(_ plan: Plan, _ framing: StreamFraming, file: String, withholds: Bool) {
        self.plan = plan
        self.framing = framing
        self.file = file
        rule = StreamRule(withholds: withholds)
    }

    /// The results for the payloads of one input so far.
    private struct State: ~Copyable {
        var converter: Converter
        /// Storage for the output of one payload.
        var converted = ByteBuffer()
        var output = ByteBuffer(capacity: PayloadFilter.readBufferBytes)
        var skipped = SkippedRecords()
        /// The number of payloads that are not JSON and passed unchanged.
        var texts = 0
    }

    func run() throws(Failure) {
        var progress = Progress()
        let input = try InputFile.open(file)
        progress.totalBytes = input.byteCount
        var stream = PayloadStream(framing, rule)
        var state = State(converter: Converter(plan, framing: .lines))
        var buffer = [UInt8](repeating: 0, count: PayloadFilter.readBufferBytes)
        var isEnded = false
        while !isEnded {
            let count = try input.read(into: &buffer, of: file)
            isEnded = count == 0
            var failure: Failure?
            do throws(ConversionError) {
                try take(buffer.span.extracting(0..<count), &stream, &state)
            } catch {
                progress.clear()
                failure = Failure(error, in: file)
            }
            // Whole events and texts, also those before an error.
            try OutputStream.output.writeAll(state.output.bytes)
            state.output.removeAll()
            if let failure { throw failure }
            progress.add(count)
        }
        progress.clear()
        if let note = PayloadFilter.note(onSkipped: state.skipped, of: plan, file: file) { Console.complain(note) }
        if state.texts > 0 { Console.complain(note(onTexts: state.texts)) }
    }

    private func note(onTexts count: Int) -> String {
        let noun = framing == .events ? "event" : "text"
        let subject = count == 1 ? "1 \(noun) is" : "\(count) \(noun)s are"
        return "\(file): note: \(subject) not JSON and passed unchanged"
    }

    /// Takes the next bytes of the stream. It ends if there are none.
    private func take(
        _ bytes: Span<UInt8>, _ stream: inout PayloadStream, _ state: inout State
    ) throws(ConversionError) {
        var position = 0
        while true {
            var step = try stream.take(bytes, at: &position, into: &state.output)
            if bytes.isEmpty { step = stream.end(into: &state.output) }
            switch step {
            case .needsInput: return
            case .passed: break
            case .notJSON: try refuseText(&stream, &state)
            case .payload: try convert(&stream, &state)
            }
        }
    }

    private func convert(_ stream: inout PayloadStream, _ state: inout State) throws(ConversionError) {
        var converted = ByteBuffer(capacity: 0)
        swap(&converted, &state.converted)
        defer { swap(&converted, &state.converted) }
        converted.removeAll()
        state.converter.resetForNextLines()
        do throws(ConversionError) {
            try state.converter.finish(stream.payload.bytes, into: &converted)
        } catch {
            guard error.code == .json, !rule.withholds else { throw located(error, stream) }
            return passText(&stream, &state)
        }
        let skipped = state.converter.skippedRecordsByCode
        if skipped[.json] > 0, !rule.withholds { return passText(&stream, &state) }
        state.skipped = state.skipped + skipped
        if converted.isEmpty {
            stream.discard(into: &state.output)
        } else {
            // A line ends with a line feed.
            stream.write(converted.bytes.extracting(0..<converted.count - 1), into: &state.output)
        }
    }

    private func passText(_ stream: inout PayloadStream, _ state: inout State) {
        state.texts += 1
        stream.pass(into: &state.output)
    }

    /// Handles data that is neither an object nor an array, with a profile that withholds data.
    private func refuseText(_ stream: inout PayloadStream, _ state: inout State) throws(ConversionError) {
        guard plan.sparesRecords else { throw located(.noObject, stream) }
        state.skipped[.json] += 1
        if plan.records == .null {
            let null = StreamRule.null
            stream.write(null.span, into: &state.output)
        } else {
            stream.discard(into: &state.output)
        }
    }

    /// The error with its position in the input.
    private func located(_ error: ConversionError, _ stream: borrowing PayloadStream) -> ConversionError {
        var error = error
        let position = stream.position(of: error.offset)
        (error.line, error.column, error.offset) = (position.line, position.column, position.offset)
        return error
    }
}
