import ConvertEngine
import Sockets
import Synchronization
import Text

/// A line of NDJSON that was skipped.
struct BadRecord {
    /// The position counts in the whole input.
    var error: ConversionError
    /// The original line, without its line feed.
    let line: [UInt8]
}

/// Reports skipped lines: the first ones on stderr, all of them in a file.
final class BadRecordLog: Sendable {
    /// The most errors that are printed.
    private static let maxShown = 10

    private struct State: ~Copyable {
        var file: FileDescriptor?
        var shown = 0
        var count = 0
    }

    private let path: String?
    /// The maximum number of bad records.
    private let maxCount: Int
    private let state: Mutex<State>

    /// - Parameter path: the file for the lines. It is created or emptied.
    init(path: String?, maxCount: Int) throws(Failure) {
        self.path = path
        self.maxCount = maxCount
        var state = State()
        if let path {
            do throws(SystemCallError) {
                state.file = try FileDescriptor(creating: path)
            } catch {
                throw .unwritable(path, error)
            }
        }
        self.state = Mutex(state)
    }

    /// Whether skipped lines are still needed.
    var wantsLines: Bool {
        path != nil || maxCount != .max || state.withLock { $0.shown < Self.maxShown }
    }

    /// Records a line of `input`. Returns the reason if the conversion must end.
    func note(_ record: BadRecord, of input: String) -> Failure? {
        state.withLock { state in
            state.count += 1
            if state.shown < Self.maxShown {
                state.shown += 1
                let hint = Self.hint(for: record, of: input)
                Failure(record.error, in: input, hint: hint).lines.forEach(Console.complain)
            }
            do throws(SystemCallError) {
                if let number = state.file?.number {
                    try OutputStream.write((record.line + [ASCII.lineFeed]).span, to: number)
                }
            } catch {
                return .unwritable(path ?? "", error)
            }
            guard state.count > maxCount else { return nil }
            return Failure(.badData, "more bad records than --max-rejects \(maxCount)")
        }
    }

    /// A hint if the first line is not JSON, because the whole input may have another format.
    private static func hint(for record: BadRecord, of input: String) -> String? {
        guard record.error.line == 1 else { return nil }
        var hints = PayloadHints(file: input, framing: .lines)
        hints.note(record.line.span)
        return hints.hint(for: record.error, in: record.line.span)
    }
}

/// Finds the lines that a converter has skipped, with their errors. Each job has one.
final class BadLines {
    private let log: BadRecordLog
    /// A converter with the same rules, but a bad line ends the conversion.
    private var converter: Converter
    private var output = ByteBuffer()

    init(_ skipping: LineJobs.Skipping) {
        log = skipping.log
        converter = Converter(skipping.strictPlan, framing: .lines)
    }

    /// The bad lines of a part, if they are wanted. The part is the first `count` bytes of `part`, and positions count
    /// from its beginning.
    ///
    /// - Parameter isFirst: whether the part is the beginning of the input, which may have a byte order mark.
    func find(in part: [UInt8], count: Int, isFirst: Bool) -> [BadRecord] {
        guard log.wantsLines else { return [] }
        var found: [BadRecord] = []
        var start = 0
        var number = 0
        while start < count {
            let end = part.span.firstIndex(of: ASCII.lineFeed, from: start, to: count)
            if isFirst, start == 0 { converter.reset() } else { converter.resetForNextLines() }
            output.removeAll()
            do throws(ConversionError) {
                try converter.finish(part.span.extracting(start..<min(end + 1, count)), into: &output)
            } catch {
                var error = error
                error.line += number
                error.offset += start
                found.append(BadRecord(error: error, line: Array(part[start..<end])))
            }
            start = end + 1
            number += 1
        }
        return found
    }
}
