extension RetryingEngine {
    /// A document that is tried, or lines, as far as they have come.
    struct Attempt: ~Copyable, Sendable {
        /// The most bytes of storage that are kept for the next document.
        static let maxKeptBytes = 256 * 1024

        var engine: Engine
        /// The input of the unfinished document, or that of the unfinished line, and where it begins in the payload.
        var input = ByteBuffer()
        var start = InputPosition.Line()
        var output = ByteBuffer()
        /// How much of the output counts: that of the whole document, or of whole lines.
        var finishedBytes = 0

        /// The length of the longest piece of the input. No more is taken again at a time, because the caller knows how long that takes.
        var pieceBytes = 0
        /// How much of the output was handed on, or of the input taken again.
        var position = 0

        init(_ plan: Plan, framing: Converter.Framing, _ learned: consuming LearnedKeys?) {
            engine = Engine(plan, framing: framing, learned: learned)
        }

        enum Step {
            case take(pauses: Bool)
            case continueWriting, finish
        }

        mutating func perform(_ step: Step, _ chunk: Span<UInt8>) throws(ConversionError) {
            switch step {
            case .take(let pauses): try engine.take(chunk, pauses: pauses, into: &output)
            case .continueWriting: try engine.continueWriting(into: &output)
            case .finish:
                try engine.finish(into: &output)
                finishedBytes = output.count
            }
        }

        /// Whether the document has ended.
        var isComplete: Bool { !engine.isLines && engine.isAfterValue }

        var bufferedBytes: Int { input.capacity + output.capacity }

        /// Whether the document, or a line of `input`, has ended.
        var hasEnded: Bool { engine.isLines ? engine.position.lineFeeds > start.number : isComplete }

        /// Looks how much of the output counts now.
        mutating func countOutput() {
            if isComplete { finishedBytes = output.count }
            if engine.isLines { finishedBytes = output.bytes.endOfLastLine(from: finishedBytes) }
        }

        /// Drops the input of what has ended.
        mutating func dropInput() {
            if isComplete { input.removeAll(keepingAtMost: Self.maxKeptBytes) }
            guard engine.isLines, !engine.isWriting else { return }
            let taken = input.bytes.endOfLastLine(from: 0)
            input.removeFirst(taken)
            start = InputPosition.Line(number: engine.position.lineFeeds, start: start.start + taken)
        }

        /// Hands on the output that counts, or its next bytes.
        mutating func write(upTo mostBytes: Int = .max, into output: inout ByteBuffer) {
            let count = min(mostBytes, finishedBytes - position)
            output.append(self.output.bytes.extracting(position..<position + count))
            position += count
            guard position == finishedBytes else { return }
            self.output.removeFirst(position)
            (finishedBytes, position) = (0, 0)
        }

        /// Whether more output of the document or line is kept than may be. While output of other lines is buffered, that is not known.
        func isOutputTooLong(_ mostBytes: Int) -> Bool {
            !isComplete && !(engine.isLines && engine.isWriting) && output.count - finishedBytes > mostBytes
        }

        mutating func reset() {
            engine.reset()
            clear()
        }

        mutating func resetForNextLines() {
            engine.resetForNextLines()
            clear()
        }

        /// Begins with a later line of the payload.
        mutating func beginLine(_ line: InputPosition.Line) {
            resetForNextLines()
            start = line
            engine.position.begin(line)
        }

        private mutating func clear() {
            start = InputPosition.Line()
            (finishedBytes, pieceBytes, position) = (0, 0, 0)
            input.removeAll(keepingAtMost: Self.maxKeptBytes)
            output.removeAll(keepingAtMost: Self.maxKeptBytes)
        }
    }
}
