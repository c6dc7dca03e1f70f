package import ConvertEngine
package import HTTPSemantics

/// Applies a content coding piece by piece.
///
/// After `flush` or `finish`, a reader can decode all of the input so far from its output. Its storage is limited for
/// every body (`ContentCoding.encoderBytes`). `reset` prepares it for the next body.
package struct ContentEncoder: ~Copyable {
    /// How much of the input must be in the output.
    package enum Extent {
        /// Only the part for which there is no more room.
        case some
        /// All of it, so that the reader can decode it.
        case everything
        /// All of it, and the end of the body.
        case toEnd
    }

    private enum State { case open, flushed, finished }

    package let coding: ContentCoding
    private var stream: EncodingStream
    private var state = State.open

    /// Begins an empty body. `coding` is one of `ContentCoding.applied`.
    package init(_ coding: ContentCoding) {
        self.coding = coding
        stream = EncodingStream(coding)
    }

    /// Takes all of `input`. The output is appended to `output`, now or in a later call.
    package mutating func encode(_ input: Span<UInt8>, into output: inout ByteBuffer) {
        precondition(state != .finished, "the content has ended")
        guard !input.isEmpty else { return }
        state = .open
        stream.write(input, .some, into: &output)
    }

    /// Writes the output of all input so far, at the cost of a few bytes. Without new input it writes nothing.
    package mutating func flush(into output: inout ByteBuffer) {
        precondition(state != .finished, "the content has ended")
        guard state == .open else { return }
        state = .flushed
        stream.write(Span(), .everything, into: &output)
    }

    /// Writes the rest and the end of the body.
    package mutating func finish(into output: inout ByteBuffer) {
        precondition(state != .finished, "the content has ended")
        state = .finished
        stream.write(Span(), .toEnd, into: &output)
    }

    /// Begins another body with the same coding, after a finished or unfinished one.
    package mutating func reset() {
        stream.reset()
        state = .open
    }
}

/// The stream of the library for a coding.
///
/// It is not private, because other targets destroy encoders, and a release build then refers to this type.
enum EncodingStream: ~Copyable {
    case zlib(ZlibStream)
    case brotli(BrotliStream)
    case zstandard(ZstandardStream)

    init(_ coding: ContentCoding) {
        switch coding {
        case .gzip: self = .zlib(ZlibStream(deflating: .gzip))
        case .deflate: self = .zlib(ZlibStream(deflating: .zlib))
        case .br: self = .brotli(BrotliStream())
        case .zstd: self = .zstandard(ZstandardStream())
        case .identity: preconditionFailure("identity has nothing to apply")
        }
    }

    mutating func write(_ input: Span<UInt8>, _ extent: ContentEncoder.Extent, into output: inout ByteBuffer) {
        switch consume self {
        case .zlib(var stream):
            stream.write(input, extent, into: &output)
            self = .zlib(stream)
        case .brotli(var stream):
            stream.write(input, extent, into: &output)
            self = .brotli(stream)
        case .zstandard(var stream):
            stream.write(input, extent, into: &output)
            self = .zstandard(stream)
        }
    }

    mutating func reset() {
        switch consume self {
        case .zlib(var stream):
            stream.reset()
            self = .zlib(stream)
        case .brotli(var stream):
            stream.reset()
            self = .brotli(stream)
        case .zstandard(var stream):
            stream.reset()
            self = .zstandard(stream)
        }
    }
}

extension ContentCoding {
    /// The maximum storage of an encoder.
    package var encoderBytes: Int {
        switch self {
        case .zstd: 1152 * 1024
        case .br: 896 * 1024
        case .gzip, .deflate: 280 * 1024
        case .identity: 0
        }
    }
}
