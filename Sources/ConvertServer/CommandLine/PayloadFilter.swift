import ConvertEngine
import ConvertFormats
import Sockets

/// Passes one input through a converter to stdout: one buffer in, the finished output out in pieces, nothing more in memory.
///
/// With NDJSON, only whole lines are written, so that after an error the output ends with the last good record. The
/// memory then also holds one converted line. With several jobs, or if bad lines are skipped, `LineJobs` does the work for NDJSON.
struct PayloadFilter {
    static let readBufferBytes = 128 * 1024

    let settings: FilterRun
    let input: FilterRun.Input
    private var plan: Plan { settings.plan }
    private var file: String { input.file }
    private var format: PayloadFormat { input.format }
    private var framing: Converter.Framing { format.framing }

    func run() throws(Failure) {
        if let note = Self.note(onSkipped: try convert(), of: plan, file: file) { Console.complain(note) }
    }

    /// Returns the bad records that are missing in the output.
    private func convert() throws(Failure) -> SkippedRecords {
        var progress = Progress()
        defer { progress.clear() }
        // Any other payload than NDJSON is one part.
        guard format == .ndjson, settings.jobs > 1 || settings.skipping != nil else { return try pump(&progress) }
        return try LineJobs(plan: plan, file: file, jobs: settings.jobs, skipping: settings.skipping).run(&progress)
    }

    /// The note on stderr about bad records that are missing in the output.
    static func note(onSkipped records: SkippedRecords, of plan: Plan, file: String) -> String? {
        let count = records.total
        guard count > 0 else { return nil }
        let outcome = plan.records == .null ? "replaced by null" : "left out"
        let codes = records.codes.map { "\($0.rawValue) \(records[$0])" }.sorted().joined(separator: ", ")
        return "\(file): note: \(count) bad record\(count == 1 ? "" : "s") \(outcome) (\(codes))"
    }

    private func pump(_ progress: inout Progress) throws(Failure) -> SkippedRecords {
        let input = try InputFile.open(file)
        progress.totalBytes = input.byteCount
        if format.isTranslated { return try translate(input, &progress) }
        var converter = Converter(plan, framing: framing)
        var buffer = [UInt8](repeating: 0, count: Self.readBufferBytes)
        var output = ByteBuffer(capacity: Self.readBufferBytes * 2)
        var painter = settings.isColored ? JSONPainter() : nil
        var hints = PayloadHints(file: file, framing: framing)
        var isEnded = false
        // Whether the last line on the terminal is not complete.
        var isLineOpen = false
        var count = 0
        while !isEnded {
            if !converter.isWriting {
                count = try input.read(into: &buffer, of: file)
                isEnded = count == 0
                hints.note(buffer.span.extracting(0..<count))
                progress.add(count)
            }
            let searched = output.count
            do throws(ConversionError) {
                if converter.isWriting {
                    try converter.continueWriting(into: &output)
                } else if isEnded {
                    try converter.finish(into: &output)
                } else {
                    try converter.begin(buffer.span.extracting(0..<count), into: &output)
                }
            } catch {
                if framing == .lines { try drainLines(&output, from: searched, &painter) }
                if isLineOpen { try Console.print(settings.isColored ? "\(JSONPainter.reset)\n" : "\n") }
                throw Failure(error, in: file, hint: hints.hint(for: error, in: buffer.span.extracting(0..<count)))
            }
            switch framing {
            case .document:
                if !output.isEmpty { isLineOpen = OutputStream.output.isTerminal }
                try drain(&output, &painter)
            case .lines: try drainLines(&output, from: searched, &painter)
            }
        }
        try drain(&output, &painter)
        if framing == .document, settings.endsWithNewline { try Console.print("\n") }
        return converter.skippedRecordsByCode
    }

    /// Reads the whole input, translates it into JSON and converts that.
    private func translate(
        _ input: borrowing InputFile, _ progress: inout Progress
    ) throws(Failure) -> SkippedRecords {
        var buffer = [UInt8](repeating: 0, count: Self.readBufferBytes)
        var payload: [UInt8] = []
        while case let count = try input.read(into: &buffer, of: file), count > 0 {
            payload += buffer[..<count]
            progress.add(count)
        }
        var output = ByteBuffer(capacity: payload.count)
        var isRead = false
        let skipped: SkippedRecords
        do throws(ConversionError) {
            let text = try format.json(of: payload, limits: TranslationLimits(plan.limits))
            isRead = true
            var converter = Converter(plan, framing: framing)
            try converter.convert(text.span, into: &output)
            try converter.finish(into: &output)
            skipped = converter.skippedRecordsByCode
        } catch {
            throw Failure(error, in: file, hasPosition: !isRead)
        }
        var painter = settings.isColored ? JSONPainter() : nil
        try drain(&output, &painter)
        if settings.endsWithNewline { try Console.print("\n") }
        return skipped
    }

    /// Writes the whole buffered output.
    private func drain(_ output: inout ByteBuffer, _ painter: inout JSONPainter?) throws(Failure) {
        try write(output.bytes, &painter)
        output.removeAll()
    }

    /// Writes up to the last line end; the bytes before `start` have none.
    private func drainLines(
        _ output: inout ByteBuffer, from start: Int, _ painter: inout JSONPainter?
    ) throws(Failure) {
        let end = output.bytes.endOfLastLine(from: start)
        guard end > start else { return }
        try write(output.bytes.extracting(0..<end), &painter)
        output.removeFirst(end)
    }

    private func write(_ bytes: Span<UInt8>, _ painter: inout JSONPainter?) throws(Failure) {
        if let painted = painter?.paint(bytes) {
            try OutputStream.output.writeAll(painted.span)
        } else {
            try OutputStream.output.writeAll(bytes)
        }
    }
}

extension InputFile {
    /// Opens an operand of the command line: a path, or `-` for stdin, which is not a regular file.
    ///
    /// - Parameter expected: one sentence that describes such a file, for the message if there is none.
    static func open(
        _ file: String, isRegular: Bool = false, expected: String? = nil
    ) throws(Failure) -> InputFile {
        if file == "-", !isRegular { return InputFile() }
        do throws(SystemCallError) {
            return try InputFile(path: file, isRegular: isRegular)
        } catch {
            throw .unreadable(file, error, expected: expected)
        }
    }

    /// All of an operand, or as much as shows that it is more than `maxBytes`. The other parameters are those of `open`.
    static func contents(
        of file: String, isRegular: Bool = false, maxBytes: Int = .max, expected: String? = nil
    ) throws(Failure) -> [UInt8] {
        let input = try open(file, isRegular: isRegular, expected: expected)
        do throws(SystemCallError) {
            return try input.readAll(maxBytes: maxBytes)
        } catch {
            throw .unreadable(file, error)
        }
    }

    /// Reads like `read(into:from:)`. `file` is the name of the input in messages.
    func read(into buffer: inout [UInt8], from start: Int = 0, of file: String) throws(Failure) -> Int {
        do throws(SystemCallError) {
            return try read(into: &buffer, from: start)
        } catch {
            throw .unreadable(file, error)
        }
    }
}

extension OutputStream {
    /// Writes like `write`. The failure ends a command.
    func writeAll(_ bytes: Span<UInt8>) throws(Failure) {
        do throws(SystemCallError) {
            try write(bytes)
        } catch {
            throw .unwritable(error)
        }
    }
}
