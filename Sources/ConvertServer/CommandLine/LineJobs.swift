import ConvertEngine
import Dispatch
import Sockets
import Synchronization

/// Converts parts of NDJSON in parallel. The parts end with lines and are written in their order.
///
/// The output is the same, byte for byte, as that of one converter. So are the position and the message of an error. At
/// most two parts for each job are in progress. Each needs `partBytes`, or the length of a longer line, and its output.
struct LineJobs {
    /// Short enough for a part and its output to stay in the processor's cache.
    static let partBytes = 256 * 1024

    let plan: Plan
    /// The name of the input in messages: its path, or `-`.
    let file: String
    let jobs: Int
    let skipping: Skipping?

    /// The handling of bad lines that do not end the conversion.
    struct Skipping {
        /// The same plan, but a bad line ends the conversion.
        let strictPlan: Plan
        let log: BadRecordLog
    }

    /// Returns the bad records that are missing in the output.
    func run(_ progress: inout Progress) throws(Failure) -> SkippedRecords {
        let input = try InputFile.open(file)
        progress.totalBytes = input.byteCount
        // A single job has no others to share with, so it converts all input at once.
        let minBytes = jobs > 1 ? Self.partBytes : 1
        let flow = LineFlow(
            LineSource(progress: progress, input: input, file: file, minBytes: minBytes), file: file,
            maxParts: 2 * jobs,
            log: skipping?.log)
        DispatchQueue.concurrentPerform(iterations: jobs) { _ in
            var converter = Converter(plan, framing: .lines)
            let badLines = skipping.map(BadLines.init)
            while let part = flow.take() {
                part.withContent { $0.convert(with: &converter, badLines) }
                flow.giveBack(part)
            }
        }
        progress = flow.progress
        return try flow.skippedRecords()
    }
}

// Each job takes the next part of the input, converts it and returns it. It does this on its own thread, so that the
// bytes stay in one processor's cache. These must stay in step:
//
// - Parts are numbered as they are read, under the lock of `source`.
// - They are written in that order. The job that returns the next one writes it, and the following ones that are ready,
//   while the others continue (`LineSink.isWriting`). No job waits for the part of another one, unless `maxParts` are
//   in progress.
// - After a failure nothing is read or written any more.

/// The parts of one input in progress.
private final class LineFlow: Sendable {
    private let source: Mutex<LineSource>
    private let sink: Mutex<LineSink>
    /// How many more parts may be in progress.
    private let room: DispatchSemaphore

    init(_ source: consuming sending LineSource, file: String, maxParts: Int, log: BadRecordLog?) {
        self.source = Mutex(source)
        sink = Mutex(LineSink(file: file, log: log))
        room = DispatchSemaphore(value: maxParts)
    }

    var progress: Progress { source.withLock { $0.progress } }

    /// The records so far. Throws the failure that ended the flow before the end of the input.
    func skippedRecords() throws(Failure) -> SkippedRecords {
        if let failure = sink.withLock({ $0.failure }) { throw failure }
        return sink.withLock { $0.skippedRecords }
    }

    /// The next part to convert; nil at the end.
    func take() -> LinePart? {
        room.wait()
        if let part = sink.withLock({ $0.takeEmpty() }) {
            if source.withLock({ $0.fill(part) }) { return part }
            sink.withLock { $0.putEmpty(part) }
        }
        room.signal()
        return nil
    }

    /// Takes a converted part, and writes the parts that are ready. After a failure it writes nothing.
    func giveBack(_ part: LinePart) {
        var ready = sink.withLock { $0.put(part) }
        while let part = ready {
            let failure = sink.withLock { $0.failure } == nil ? part.withContent { $0.write() } : nil
            ready = sink.withLock { $0.noteWritten(part, failure) }
            room.signal()
        }
    }
}

/// Cuts an input into parts that end with lines.
private struct LineSource: ~Copyable {
    var progress: Progress
    let input: InputFile
    let file: String
    /// A part with this many bytes ends with its last line.
    let minBytes: Int
    /// The beginning of a line for the next part.
    var rest: [UInt8] = []
    var isEnded = false
    var number = 0

    /// Reads the next part into `part`, which also records a failure. False at the end of the input.
    mutating func fill(_ part: LinePart) -> Bool {
        part.withContent { content in
            content.begin(number, with: rest)
            rest = []
            do throws(Failure) {
                try read(into: &content)
            } catch {
                isEnded = true
                content.outcome.failure = error
            }
            guard content.inputCount > 0 || content.outcome.failure != nil else { return false }
            number += 1
            return true
        }
    }

    private mutating func read(into content: inout LinePart.Content) throws(Failure) {
        while !isEnded {
            content.makeRoom()
            let searched = content.inputCount
            let count = try input.read(into: &content.input, from: searched, of: file)
            isEnded = count == 0
            progress.add(count)
            content.inputCount += count
            guard content.inputCount >= minBytes else { continue }
            let end = content.input.span.extracting(0..<content.inputCount).endOfLastLine(from: searched)
            guard end > searched else { continue }
            rest = Array(content.input[end..<content.inputCount])
            content.inputCount = end
            return
        }
    }
}

/// A part in progress: it is filled, converted and written, one after the other.
private final class LinePart: Sendable {
    /// The result of the part.
    struct Outcome {
        var lineFeeds = 0
        var skippedRecords = SkippedRecords()
        /// The skipped lines, if they are wanted.
        var badRecords: [BadRecord] = []
        /// The position counts from the part's beginning.
        var error: ConversionError?
        /// The reason if it could not be read.
        var failure: Failure?
    }

    struct Content: ~Copyable {
        private(set) var number = 0
        /// Longer than the bytes that were read.
        var input = [UInt8](repeating: 0, count: LineJobs.partBytes)
        var inputCount = 0
        private var output = ByteBuffer(capacity: LineJobs.partBytes)
        var outcome = Outcome()

        /// Starts the part with `rest`.
        mutating func begin(_ number: Int, with rest: [UInt8]) {
            self.number = number
            outcome = Outcome()
            output.removeAll()
            inputCount = rest.count
            while input.count < rest.count { doubleInput() }
            input.replaceSubrange(0..<rest.count, with: rest)
        }

        /// Makes room for more of a long line.
        mutating func makeRoom() { if inputCount == input.count { doubleInput() } }

        private mutating func doubleInput() { input.append(contentsOf: repeatElement(0, count: input.count)) }

        mutating func convert(with converter: inout Converter, _ badLines: BadLines?) {
            if number == 0 { converter.reset() } else { converter.resetForNextLines() }
            // A copy of the array's reference, since `self` is modified while its bytes are read.
            let bytes = input
            do throws(ConversionError) {
                try converter.convert(bytes.span.extracting(0..<inputCount), into: &output)
                try converter.finish(into: &output)
            } catch {
                outcome.error = error
            }
            outcome.lineFeeds = converter.lineFeedsTaken
            outcome.skippedRecords = converter.skippedRecordsByCode
            guard outcome.skippedRecords.total > 0 else { return }
            outcome.badRecords = badLines?.find(in: bytes, count: inputCount, isFirst: number == 0) ?? []
        }

        /// The hint for an error in this part, which is in the file from the byte `start` on.
        borrowing func hint(for error: ConversionError, in file: String, from start: Int) -> String? {
            let bytes = input.span.extracting(0..<inputCount)
            var hints = PayloadHints(file: file, framing: .lines, start: start)
            hints.note(bytes)
            return hints.hint(for: error, in: bytes)
        }

        /// Writes the whole lines of the output. After an error, a beginning of another line may follow them. Returns
        /// the reason if it could not be written.
        borrowing func write() -> Failure? {
            do throws(Failure) {
                let end = output.bytes.endOfLastLine(from: 0)
                try OutputStream.output.writeAll(output.bytes.extracting(0..<end))
                return nil
            } catch {
                return error
            }
        }
    }

    private let content = Mutex(Content())

    func withContent<Result>(_ body: (inout Content) -> Result) -> Result { content.withLock { body(&$0) } }
}

/// Puts parts into their order, and adds up their results.
private struct LineSink {
    private let file: String
    private let log: BadRecordLog?
    private(set) var skippedRecords = SkippedRecords()
    /// The failure that ended the output before the end of the input.
    private(set) var failure: Failure?
    private var nextNumber = 0
    /// Whether a job is writing. It then also writes the next parts that are ready.
    private var isWriting = false
    /// Converted parts that come later, by their numbers.
    private var waiting: [Int: LinePart] = [:]
    private var empty: [LinePart] = []
    private var lineFeeds = 0
    private var offset = 0

    init(file: String, log: BadRecordLog?) {
        self.file = file
        self.log = log
    }

    /// An empty part; nil after a failure.
    mutating func takeEmpty() -> LinePart? {
        guard failure == nil else { return nil }
        return empty.popLast() ?? LinePart()
    }

    /// Takes a part that was not filled.
    mutating func putEmpty(_ part: LinePart) { empty.append(part) }

    /// Takes a converted part. Returns the part to write now.
    mutating func put(_ part: LinePart) -> LinePart? {
        waiting[part.withContent { $0.number }] = part
        return isWriting ? nil : takeReady()
    }

    /// Records the result of a written part, and returns the next one that is ready.
    mutating func noteWritten(_ part: LinePart, _ failure: Failure?) -> LinePart? {
        if self.failure == nil { self.failure = failure ?? add(part) }
        empty.append(part)
        nextNumber += 1
        return takeReady()
    }

    private mutating func takeReady() -> LinePart? {
        let ready = waiting.removeValue(forKey: nextNumber)
        isWriting = ready != nil
        return ready
    }

    /// Returns the reason if the output ends with this part.
    private mutating func add(_ part: LinePart) -> Failure? {
        let (outcome, inputCount) = part.withContent { ($0.outcome, $0.inputCount) }
        if let failure = outcome.failure { return failure }
        for var record in outcome.badRecords {
            record.error.line += lineFeeds
            record.error.offset += offset
            if let failure = log?.note(record, of: file) { return failure }
        }
        if var error = outcome.error {
            error.line += lineFeeds
            error.offset += offset
            let hint = part.withContent { [error, file, offset] in $0.hint(for: error, in: file, from: offset) }
            return Failure(error, in: file, hint: hint)
        }
        skippedRecords = skippedRecords + outcome.skippedRecords
        lineFeeds += outcome.lineFeeds
        offset += inputCount
        return nil
    }
}
