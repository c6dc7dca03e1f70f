import ConvertEngine
import PayloadStreams
import Sockets

/// Passes one stream of payloads through a converter to stdout: each event or text as soon as it is complete.
struct StreamFilter: ~Copyable {
    private let plan: Plan
    private let framing: StreamFraming
    /// The name of the input in messages: its path, or `-`.
    private let file: String
    private let rule: StreamRule
    private var converter: Converter
    /// Storage for the output of one payload.
    private var converted = ByteBuffer()
    private var output = ByteBuffer(capacity: PayloadFilter.readBufferBytes)
    private var skipped = SkippedRecords()
    /// The number of payloads that are not JSON and passed unchanged.
    private var texts = 0

    init(_ plan: Plan, _ framing: StreamFraming, file: String, withholds: Bool) {
        self.plan = plan
        self.framing = framing
        self.file = file
        rule = StreamRule(withholds: withholds)
        converter = Converter(plan, framing: .lines)
    }

    mutating func run() throws(Failure) {
        try pump()
        if let note = PayloadFilter.note(onSkipped: skipped, of: plan, file: file) { Console.complain(note) }
        if texts > 0 { Console.complain(noteOnTexts) }
    }

    private var noteOnTexts: String {
        let noun = framing == .events ? "event" : "text"
        let subject = texts == 1 ? "1 \(noun) is" : "\(texts) \(noun)s are"
        return "\(file): note: \(subject) not JSON and passed unchanged"
    }

    private mutating func pump() throws(Failure) {
        var progress = Progress()
        defer { progress.clear() }
        let input = try InputFile.open(file)
        progress.totalBytes = input.byteCount
        var stream = PayloadStream(framing, rule)
        var buffer = [UInt8](repeating: 0, count: PayloadFilter.readBufferBytes)
        var isEnded = false
        while !isEnded {
            let count = try input.read(into: &buffer, of: file)
            isEnded = count == 0
            var failure: Failure?
            do throws(ConversionError) {
                try take(buffer.span.extracting(0..<count), &stream)
            } catch {
                failure = Failure(error, in: file)
            }
            // Whole events and texts, also those before an error.
            try OutputStream.output.writeAll(output.bytes)
            output.removeAll()
            if let failure { throw failure }
            progress.add(count)
        }
    }

    /// Takes the next bytes of the stream. It ends if there are none.
    private mutating func take(_ bytes: Span<UInt8>, _ stream: inout PayloadStream) throws(ConversionError) {
        var position = 0
        while true {
            var step = try stream.take(bytes, at: &position, into: &output)
            if bytes.isEmpty { step = stream.end(into: &output) }
            switch step {
            case .needsInput: return
            case .passed: break
            case .notJSON: try refuseText(&stream)
            case .payload: try convert(&stream)
            }
        }
    }

    private mutating func convert(_ stream: inout PayloadStream) throws(ConversionError) {
        // The bytes are borrowed, so they must not belong to `self` meanwhile.
        var converted = ByteBuffer()
        swap(&converted, &self.converted)
        defer { swap(&converted, &self.converted) }
        converted.removeAll()
        converter.resetForNextLines()
        do throws(ConversionError) {
            try converter.finish(stream.payload.bytes, into: &converted)
        } catch {
            guard !rule.withholds, error.code == .json || !stream.isJSON else { throw located(error, stream) }
            return passText(&stream)
        }
        let skipped = converter.skippedRecordsByCode
        if !rule.withholds, stream.isText(skipped) { return passText(&stream) }
        self.skipped = self.skipped + skipped
        stream.write(line: converted.bytes, into: &output)
    }

    private mutating func passText(_ stream: inout PayloadStream) {
        texts += 1
        stream.pass(into: &output)
    }

    /// Handles data that is neither an object nor an array, with a profile that withholds data.
    private mutating func refuseText(_ stream: inout PayloadStream) throws(ConversionError) {
        guard plan.sparesRecords else { throw located(.noObject, stream) }
        skipped[.json] += 1
        stream.writeBadRecord(plan.records, into: &output)
    }

    /// The error with its position in the input.
    private func located(_ error: ConversionError, _ stream: borrowing PayloadStream) -> ConversionError {
        var error = error
        let position = stream.position(of: error.offset)
        (error.line, error.column, error.offset) = (position.line, position.column, position.offset)
        return error
    }
}
