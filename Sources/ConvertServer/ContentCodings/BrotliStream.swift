#if Brotli
    import CBrotli
    import ConvertCore

    // The library keeps what it has written until it is taken, so that no address inside of the caller's buffer is ever given
    // away. Input is lent for the length of one call and its address is forgotten after it. A state cannot be used twice: it
    // is made when a content begins and ends with it.

    /// One content on its way through the system's brotli: the only place where it is called.
    @safe
    struct BrotliStream: ~Copyable {
        /// Smaller than gzip's fastest level makes it, for about the same time (docs/decisions/0012).
        private static let quality: UInt32 = 2
        /// 64 KiB, with which the storage stays below 0.9 MiB.
        private static let windowBits: UInt32 = 16

        /// Nil where no content has begun.
        private var state: OpaquePointer?

        init() {}

        deinit { unsafe BrotliEncoderDestroyInstance(state) }

        /// Takes all of `input` and appends what comes out of it, as much as `extent` says, to `output`.
        mutating func write(_ input: Span<UInt8>, _ extent: ContentEncoder.Extent, into output: inout ByteBuffer) {
            let state = unsafe begun()
            unsafe input.withUnsafeBufferPointer { bytes in
                var next = bytes.baseAddress
                var count = bytes.count
                repeat {
                    var room = 0
                    let succeeded = unsafe BrotliEncoderCompressStream(
                        state, extent.operation, &count, &next, &room, nil, nil)
                    // It fails where memory has run out, and where this file misuses it.
                    precondition(succeeded == BROTLI_TRUE, "brotli failed")
                    unsafe Self.take(from: state, into: &output)
                } while unsafe count > 0 || BrotliEncoderHasMoreOutput(state) == BROTLI_TRUE
            }
        }

        /// Makes the stream as it was at its beginning.
        mutating func reset() {
            unsafe BrotliEncoderDestroyInstance(state)
            unsafe state = nil
        }

        private mutating func begun() -> OpaquePointer {
            if let state = unsafe state { return unsafe state }
            guard let made = unsafe BrotliEncoderCreateInstance(nil, nil, nil) else {
                preconditionFailure("brotli has no memory")
            }
            for (parameter, value) in [(BROTLI_PARAM_QUALITY, Self.quality), (BROTLI_PARAM_LGWIN, Self.windowBits)] {
                let succeeded = unsafe BrotliEncoderSetParameter(made, parameter, value)
                precondition(succeeded == BROTLI_TRUE, "brotli does not know a parameter")
            }
            unsafe state = made
            return unsafe made
        }

        /// Appends all that the library has written.
        private static func take(from state: OpaquePointer, into output: inout ByteBuffer) {
            var count = 0
            while let bytes = unsafe BrotliEncoderTakeOutput(state, &count), count > 0 {
                output.append(unsafe Span(_unsafeStart: bytes, count: count))
                count = 0
            }
        }
    }

    extension ContentEncoder.Extent {
        fileprivate var operation: BrotliEncoderOperation {
            switch self {
            case .some: BROTLI_OPERATION_PROCESS
            case .everything: BROTLI_OPERATION_FLUSH
            case .toEnd: BROTLI_OPERATION_FINISH
            }
        }
    }
#else
    typealias BrotliStream = AbsentStream
#endif
