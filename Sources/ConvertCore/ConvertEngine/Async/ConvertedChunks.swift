/// A payload that is converted while it arrives: an asynchronous sequence of pieces of output.
///
///     let plan = try profile.compile(.forward)
///     for try await chunk in plan.convert(request.body) { try await writer.write(chunk) }
///
/// `Plan.convert(_:framing:)` creates it from pieces, such as the body of a request, or from single bytes, such as
/// `URLSession.AsyncBytes`. Nothing is read ahead. Only the part of the payload that the converter needs is buffered.
/// An error in the payload is a `ConversionError`. It is thrown after the output before it. If the task is cancelled and the base
/// ends, as `AsyncStream` does then, that is not the end of the payload: `CancellationError` is thrown.
///
/// You can iterate it as often as its base.
public struct ConvertedChunks<Base: AsyncSequence>: AsyncSequence {
    /// A `ConversionError`, a `CancellationError`, or an error of the base.
    public typealias Failure = any Error

    let plan: Plan
    let framing: Converter.Framing
    let base: Base
    /// Returns the next piece from an iterator; nil at the end.
    let next: @Sendable (inout Base.AsyncIterator) async throws -> [UInt8]?

    /// Reads pieces, converts them and returns the finished output.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: Base.AsyncIterator
        private let next: @Sendable (inout Base.AsyncIterator) async throws -> [UInt8]?
        private let converter: ChunkConverter

        fileprivate init(_ sequence: ConvertedChunks) {
            base = sequence.base.makeAsyncIterator()
            next = sequence.next
            converter = ChunkConverter(sequence.plan, sequence.framing)
        }

        /// The next piece of output in UTF-8, which is not empty; nil at the end.
        public mutating func next() async throws -> [UInt8]? {
            while !converter.isFinished {
                let isWriting = converter.isWriting
                let piece = try await isWriting ? nil : next(&base)
                if piece == nil, !isWriting { try Task.checkCancellation() }
                let output = converter.convert(piece)
                if !output.isEmpty { return output }
            }
            if let error = converter.takeError() { throw error }
            return nil
        }
    }

    /// Begins to read the base.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension ConvertedChunks: Sendable where Base: Sendable {}

/// A converter that all copies of an iterator share.
private final class ChunkConverter {
    /// Nil after the last output.
    private var converter: Converter?
    private var error: ConversionError?
    private(set) var isFinished = false
    /// Whether output of the last piece is left.
    var isWriting: Bool { converter?.isWriting ?? false }

    init(_ plan: Plan, _ framing: Converter.Framing) {
        converter = Converter(plan, framing: framing, usesSpares: true)
    }

    /// Converts a piece, or the end for nil, and returns the finished output, or the first part if it is long. While output is left, returns
    /// the next part instead. An error is kept until the output before it has been returned.
    func convert(_ piece: [UInt8]?) -> [UInt8] {
        var output = ByteBuffer()
        do throws(ConversionError) {
            if isWriting {
                try converter!.continueWriting(into: &output)
            } else if let piece {
                try converter!.begin(piece.span, into: &output)
            } else {
                isFinished = true
                try converter!.finish(into: &output)
                converter.take()!.keepSpares()
            }
        } catch {
            self.error = error
        }
        // After an error, the output before it may still have to be written.
        if error != nil { isFinished = !isWriting }
        return Array(output)
    }

    func takeError() -> ConversionError? {
        defer { error = nil }
        return error
    }
}

extension Plan {
    /// Converts a payload that arrives in pieces, such as the body of a request.
    ///
    /// - Parameters:
    ///   - chunks: pieces of UTF-8, cut anywhere.
    ///   - framing: one JSON text, or one on each line.
    public func convert<Chunks: AsyncSequence>(
        _ chunks: Chunks, framing: Converter.Framing = .document
    ) -> ConvertedChunks<Chunks>
    where Chunks.Element: Sequence<UInt8> & SendableMetatype, Chunks.AsyncIterator: SendableMetatype {
        ConvertedChunks(plan: self, framing: framing, base: chunks) { iterator in
            try await iterator.next().map { Array($0) }
        }
    }

    /// Converts a payload that arrives byte by byte, such as `URLSession.AsyncBytes`.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8.
    ///   - framing: one JSON text, or one on each line.
    ///   - chunkBytes: how many bytes are converted at a time; at least 1.
    public func convert<Bytes: AsyncSequence>(
        _ bytes: Bytes, framing: Converter.Framing = .document, chunkBytes: Int = 16 * 1024
    ) -> ConvertedChunks<Bytes>
    where Bytes.Element == UInt8, Bytes.AsyncIterator: SendableMetatype {
        ConvertedChunks(plan: self, framing: framing, base: bytes) { iterator in
            var chunk: [UInt8] = []
            let chunkBytes = max(1, chunkBytes)
            chunk.reserveCapacity(chunkBytes)
            while chunk.count < chunkBytes, let byte = try await iterator.next() { chunk.append(byte) }
            return chunk.isEmpty ? nil : chunk
        }
    }
}
