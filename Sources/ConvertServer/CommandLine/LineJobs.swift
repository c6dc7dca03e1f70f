import ConvertCore
import Dispatch
import Synchronization

/// Converts NDJSON in parts side by side: the parts end with lines, go round the workers, and leave in their order.
///
/// The output is the same, byte for byte, as that of one converter, and so are the place and the words of a fault. Two
/// parts a worker are under way at most; each is as long as `partBytes`, or one line that is longer, and its output.
struct LineJobs {
    static let partBytes = 512 * 1024

    private let plan: Plan
    /// How messages name the input: its path, or `-`.
    private let file: String
    private let jobs: Int

    init(_ plan: Plan, file: String, jobs: Int) {
        self.plan = plan
        self.file = file
        self.jobs = jobs
    }

    /// `skipped` becomes the number of bad records that the output is without.
    func run(_ progress: inout Progress, skipped: inout Int) throws(Failure) {
        let input = try InputFile.open(file)
        progress.totalBytes = input.byteCount
        var source = LineSource(input, file: file)
        let workers = (0..<jobs).map { LineWorker(plan, number: $0) }
        let parts = (0..<2 * jobs).map { _ in LinePart() }
        var taken = 0
        var written = 0
        var lineFeeds = 0
        var offset = 0
        while true {
            while taken < written + parts.count, let count = try source.fill(parts[taken % parts.count]) {
                progress.add(count)
                workers[taken % jobs].convert(parts[taken % parts.count], isFirst: taken == 0)
                taken += 1
            }
            guard written < taken else { return }
            let outcome = parts[written % parts.count].wait()
            try parts[written % parts.count].write()
            if var fault = outcome.fault {
                fault.line += lineFeeds
                fault.offset += offset
                throw Failure(fault, in: file)
            }
            skipped += outcome.skippedRecords
            lineFeeds += outcome.lineFeeds
            offset += outcome.bytes
            written += 1
        }
    }
}

/// Cuts an input into parts that end with lines.
private struct LineSource: ~Copyable {
    private let input: InputFile
    private let file: String
    private var buffer = [UInt8](repeating: 0, count: PayloadFilter.readBufferBytes)
    /// The beginning of a line whose part is not made yet.
    private var rest = ByteBuffer()
    private var isEnded = false

    init(_ input: consuming InputFile, file: String) {
        self.input = input
        self.file = file
    }

    /// Puts the next part into `part`; returns how many bytes were read for it, or nil at the end of the input.
    mutating func fill(_ part: LinePart) throws(Failure) -> Int? {
        var lines = part.takeInput()
        swap(&lines, &rest)
        rest.removeAll()
        var readBytes = 0
        while !isEnded {
            let count = try input.read(into: &buffer, of: file)
            isEnded = count == 0
            readBytes += count
            let searched = lines.count
            lines.append(buffer.span.extracting(0..<count))
            guard lines.count >= LineJobs.partBytes else { continue }
            let end = lines.bytes.endOfLastLine(from: searched)
            guard end > searched else { continue }
            rest.append(lines.bytes.extracting(end...))
            lines.removeLast(lines.count - end)
            break
        }
        let isEmpty = lines.isEmpty
        part.putInput(lines)
        return isEmpty ? nil : readBytes
    }
}

/// A part on its way: filled by the reader, converted by a worker, written by the reader again, one after the other.
private final class LinePart: Sendable {
    /// What came of the conversion.
    struct Outcome {
        var bytes = 0
        var lineFeeds = 0
        var skippedRecords = 0
        /// The place counts from the part's beginning.
        var fault: ConversionError?
    }

    private struct Content: ~Copyable {
        var input = ByteBuffer()
        var output = ByteBuffer()
        var outcome = Outcome()

        mutating func convert(with converter: inout Converter) {
            output.removeAll()
            outcome = Outcome(bytes: input.count)
            outcome.fault = Self.fault(of: &converter, input, into: &output)
            outcome.lineFeeds = converter.lineFeedsTaken
            outcome.skippedRecords = converter.skippedRecords
        }

        private static func fault(
            of converter: inout Converter, _ input: borrowing ByteBuffer, into output: inout ByteBuffer
        ) -> ConversionError? {
            do throws(ConversionError) {
                try converter.convert(input.bytes, into: &output)
                try converter.finish(into: &output)
                return nil
            } catch {
                return error
            }
        }

        /// Writes the whole lines of the output; after a fault a beginning of another may follow them.
        borrowing func write() throws(Failure) {
            let end = output.bytes.endOfLastLine(from: 0)
            try OutputStream.output.writeAll(output.bytes.extracting(0..<end))
        }
    }

    private let content = Mutex(Content())
    private let isConverted = DispatchSemaphore(value: 0)

    /// The buffer for the next input, empty.
    func takeInput() -> ByteBuffer {
        content.withLock { content in
            var taken = ByteBuffer(capacity: 0)
            swap(&taken, &content.input)
            taken.removeAll()
            return taken
        }
    }

    func putInput(_ input: consuming sending ByteBuffer) {
        var input = input
        content.withLock { swap(&input, &$0.input) }
    }

    /// Converts what was put in, on a worker's queue.
    func convert(with converter: inout Converter) {
        content.withLock { $0.convert(with: &converter) }
        isConverted.signal()
    }

    func wait() -> Outcome {
        isConverted.wait()
        return content.withLock { $0.outcome }
    }

    func write() throws(Failure) {
        try content.withLock { content throws(Failure) in try content.write() }
    }
}

/// One converter and the queue on which it works.
private final class LineWorker: Sendable {
    private let queue: DispatchQueue
    private let converter: Mutex<Converter>

    init(_ plan: Plan, number: Int) {
        queue = DispatchQueue(label: "convert.lines.\(number)")
        converter = Mutex(Converter(plan, framing: .lines))
    }

    func convert(_ part: LinePart, isFirst: Bool) {
        queue.async {
            self.converter.withLock { converter in
                if isFirst { converter.reset() } else { converter.resetForNextLines() }
                part.convert(with: &converter)
            }
        }
    }
}
