import ConvertCore

/// Applies a content coding piece by piece.
///
/// What it writes after `flush` or `finish` ends at a boundary where a reader can decode all of the input so far. The
/// storage of zlib, about 256 KiB, lives as long as the deflater; `reset` makes it fit for the next content.
struct Deflater: ~Copyable {
    private enum State { case open, flushed, finished }

    /// Most of the gain for the least time.
    static let defaultLevel = 1

    let coding: ContentCoding
    private var stream: ZlibStream
    private var state = State.open

    /// Begins an empty content; `coding` is not `identity`, `level` is 1, the fastest, to 9, the smallest.
    init(_ coding: ContentCoding, level: Int = Self.defaultLevel) {
        precondition(coding != .identity, "identity has nothing to apply")
        self.coding = coding
        stream = ZlibStream(deflating: coding == .gzip ? .gzip : .zlib, level: level)
    }

    /// Takes all of `input`; what comes out of it now or later is appended to `output`.
    mutating func encode(_ input: Span<UInt8>, into output: inout ByteBuffer) {
        precondition(state != .finished, "the content has ended")
        guard !input.isEmpty else { return }
        state = .open
        run(input, .none, into: &output)
    }

    /// Writes out all that was taken, at the cost of a few bytes; nothing when there is nothing new.
    mutating func flush(into output: inout ByteBuffer) {
        precondition(state != .finished, "the content has ended")
        guard state == .open else { return }
        state = .flushed
        run(Span(), .everything, into: &output)
    }

    /// Writes out the rest and the end of the content.
    mutating func finish(into output: inout ByteBuffer) {
        precondition(state != .finished, "the content has ended")
        state = .finished
        run(Span(), .finish, into: &output)
    }

    /// Begins another content with the same coding and level, whether or not the last one was finished.
    mutating func reset() {
        stream.reset()
        state = .open
    }

    /// Calls zlib until it has taken all input and has nothing more to give.
    private mutating func run(_ input: Span<UInt8>, _ flush: ZlibStream.Flush, into output: inout ByteBuffer) {
        var position = 0
        while true {
            let filled = output.count
            switch stream.advance(input, at: &position, flush: flush, into: &output) {
            case .ended: return
            case .corrupt: preconditionFailure("writing does not find faults")
            case .more: break
            }
            if output.count - filled < ZlibStream.maxPortionBytes, position == input.count { return }
        }
    }
}
