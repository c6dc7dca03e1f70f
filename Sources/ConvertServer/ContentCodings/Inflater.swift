package import ConvertEngine
package import HTTPSemantics
import Text

// RFC 1952 §2.2: a gzip stream is one member after another. RFC 9110 §8.4.1.2: `deflate` is the zlib format around
// deflate data, and some clients send the data alone; both are read.
//
// States and how they end:
//
// - `head`: nothing was decoded yet. For `deflate`, up to two bytes are kept here, because they distinguish the zlib
//   format from the bare data. For gzip, the first byte leads to `member`.
// - `member`: zlib has begun and not ended. Its end leads to `between`.
// - `between`: the bytes so far are complete. For gzip, a byte that can begin a member leads back to `member`.
// - `failed`: final. Every later call gets the same error.
//
// These must stay in step: `taken` counts every byte that zlib consumed, `decoded` every byte that it produced. A limit
// is compared after each portion, so at most one portion of a decompression bomb is decoded.

/// Decodes a content coding piece by piece, with limited output and without trusting its input.
package struct Inflater: ~Copyable {
    /// The limits of a decoded body.
    package struct Limits: Sendable, Hashable {
        /// Decoded bytes; nil for no limit.
        package var maxDecodedBytes: Int?
        /// Decoded bytes per compressed byte.
        package var maxRatio: Int
        /// Decoded bytes up to which the ratio is not limited, because small and regular bodies have high ratios.
        var minRatioBytes = 1024 * 1024

        package init(maxDecodedBytes: Int?, maxRatio: Int = 100) {
            self.maxDecodedBytes = maxDecodedBytes
            self.maxRatio = maxRatio
        }
    }

    /// The reason why decoding stopped.
    package enum Progress {
        /// All input was used.
        case needsInput
        /// The output limit is reached. More output may be waiting even if all input was taken.
        case needsRoom
    }

    private enum State {
        case head(held: UInt8?)
        case member
        case between
        case failed(CodingError)
    }

    package let coding: ContentCoding
    private let limits: Limits
    private var state = State.head(held: nil)
    private var stream: ZlibStream
    /// Compressed bytes so far.
    package private(set) var taken = 0
    /// Decoded bytes so far.
    package private(set) var decoded = 0

    /// Begins with an empty body. `coding` is `gzip` or `deflate`.
    package init(_ coding: ContentCoding, limits: Limits) {
        precondition(coding.isUndone && coding != .identity, "nothing else is undone")
        precondition(limits.maxRatio > 0 && limits.maxDecodedBytes ?? 0 >= 0)
        self.coding = coding
        self.limits = limits
        stream = ZlibStream(inflating: coding == .gzip ? .gzip : .zlib)
    }

    /// Decodes `input` from `position` on, moves `position`, and appends at most `maxBytes` to `output`.
    ///
    /// After `needsRoom`, call it again with the rest of the same input, even if that is empty.
    package mutating func decode(
        _ input: Span<UInt8>, at position: inout Int, maxBytes: Int, into output: inout ByteBuffer
    ) throws(CodingError) -> Progress {
        precondition(maxBytes > 0, "decoding needs room")
        let filled = output.count
        while true {
            switch state {
            case .failed(let error): throw error
            case .head(let held):
                guard position < input.count else { return .needsInput }
                try begin(input, &position, held: held, into: &output)
            case .between:
                guard position < input.count else { return .needsInput }
                try beginMember(input[position])
            case .member:
                let room = maxBytes - (output.count - filled)
                guard room > 0 else { return .needsRoom }
                guard try advance(input, &position, maxBytes: room, into: &output) else { return .needsInput }
            }
        }
    }

    /// Ends the input, after `needsInput`. If it does not throw, the decoded body is complete.
    package mutating func finish() throws(CodingError) {
        switch state {
        case .between: return
        case .failed(let error): throw error
        case .head, .member: throw fail(.torn, "the \(coding.name) content is cut off")
        }
    }

    // MARK: Transitions

    /// Leaves `head` when the format is known.
    private mutating func begin(
        _ input: Span<UInt8>, _ position: inout Int, held: UInt8?, into output: inout ByteBuffer
    ) throws(CodingError) {
        guard coding == .deflate else {
            state = .member
            return
        }
        let byte = input[position]
        position += 1
        guard let held else {
            state = .head(held: byte)
            return
        }
        if !ZlibStream.isZlibHeader(held, byte) { stream = ZlibStream(inflating: .raw) }
        state = .member
        // Two bytes decode to at most one literal, for which there is always room.
        let header = [held, byte]
        var used = 0
        _ = try advance(header.span, &used, maxBytes: 1, into: &output)
    }

    /// Continues with another gzip member. Nothing else may follow a whole stream.
    private mutating func beginMember(_ first: UInt8) throws(CodingError) {
        guard coding == .gzip, first == ASCII.gzipMember else {
            throw fail(.trailingBytes, "there are bytes after the end of the \(coding.name) content")
        }
        stream.reset()
        state = .member
    }

    /// Decodes one portion. False if that needs more input.
    private mutating func advance(
        _ input: Span<UInt8>, _ position: inout Int, maxBytes: Int, into output: inout ByteBuffer
    ) throws(CodingError) -> Bool {
        let (start, filled) = (position, output.count)
        let portion = min(maxBytes, ZlibStream.maxPortionBytes)
        let outcome = stream.advance(input, at: &position, maxBytes: portion, into: &output)
        let produced = output.count - filled
        taken += position - start
        decoded += produced
        switch outcome {
        case .corrupt(let reason):
            throw fail(.corrupt, "the \(coding.name) content is corrupt: \(reason)")
        case .ended: state = .between
        case .more: break
        }
        try checkLimits()
        if case .between = state { return true }
        return produced == portion || position < input.count
    }

    private mutating func checkLimits() throws(CodingError) {
        if let most = limits.maxDecodedBytes, decoded > most {
            throw fail(.tooLong, "the content decompresses to more than \(most) bytes")
        }
        // decoded > taken · maxRatio, without a product that could overflow.
        if decoded > limits.minRatioBytes, (decoded - 1) / limits.maxRatio >= taken {
            throw fail(.tooDense, "the content decompresses to more than \(limits.maxRatio) times its size")
        }
    }

    private mutating func fail(_ code: CodingError.Code, _ message: String) -> CodingError {
        let error = CodingError(code, message)
        state = .failed(error)
        return error
    }
}
