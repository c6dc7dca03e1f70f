package import ConvertCore
package import HTTPSemantics

/// Applies a content coding piece by piece.
///
/// What it writes after `flush` or `finish` ends at a boundary where a reader can decode all of the input so far. Its
/// storage is bounded whatever the content (`ContentCoding.encoderBytes`). `reset` makes it fit for the next content.
package struct ContentEncoder: ~Copyable {
    /// How much of what was taken must come out.
    package enum Extent {
        /// What there is no more room for.
        case some
        /// All of it, so that the reader can decode it.
        case everything
        /// All of it, and the end of the content.
        case toEnd
    }

    private enum State { case open, flushed, finished }

    package let coding: ContentCoding
    private var stream: EncodingStream
    private var state = State.open

    /// Begins an empty content; `coding` is one of `ContentCoding.applied`.
    package init(_ coding: ContentCoding) {
        self.coding = coding
        stream = EncodingStream(coding)
    }

    /// Takes all of `input`; what comes out of it now or later is appended to `output`.
    package mutating func encode(_ input: Span<UInt8>, into output: inout ByteBuffer) {
        precondition(state != .finished, "the content has ended")
        guard !input.isEmpty else { return }
        state = .open
        stream.write(input, .some, into: &output)
    }

    /// Writes out all that was taken, at the cost of a few bytes; nothing when there is nothing new.
    package mutating func flush(into output: inout ByteBuffer) {
        precondition(state != .finished, "the content has ended")
        guard state == .open else { return }
        state = .flushed
        stream.write(Span(), .everything, into: &output)
    }

    /// Writes out the rest and the end of the content.
    package mutating func finish(into output: inout ByteBuffer) {
        precondition(state != .finished, "the content has ended")
        state = .finished
        stream.write(Span(), .toEnd, into: &output)
    }

    /// Begins another content with the same coding, whether or not the last one was finished.
    package mutating func reset() {
        stream.reset()
        state = .open
    }
}

/// The stream of the library that knows a coding.
///
/// Not private: other targets destroy encoders, and a release build then refers to this type.
enum EncodingStream: ~Copyable {
    case zlib(ZlibStream)
    case brotli(BrotliStream)
    case zstandard(ZstandardStream)

    package init(_ coding: ContentCoding) {
        switch coding {
        case .gzip: self = .zlib(ZlibStream(deflating: .gzip))
        case .deflate: self = .zlib(ZlibStream(deflating: .zlib))
        case .br: self = .brotli(BrotliStream())
        case .zstd: self = .zstandard(ZstandardStream())
        case .identity: preconditionFailure("identity has nothing to apply")
        }
    }

    package mutating func write(_ input: Span<UInt8>, _ extent: ContentEncoder.Extent, into output: inout ByteBuffer) {
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

    package mutating func reset() {
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
    /// What an encoder stores at the most.
    package var encoderBytes: Int {
        switch self {
        case .zstd: 1152 * 1024
        case .br: 896 * 1024
        case .gzip, .deflate: 280 * 1024
        case .identity: 0
        }
    }
}
