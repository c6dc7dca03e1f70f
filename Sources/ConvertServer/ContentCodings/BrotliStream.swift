#if Brotli
    import CBrotli
    import ConvertEngine

    // The library keeps its output until it is taken, so it never gets an address inside of the caller's buffer. It
    // uses the address of the input only during one call. A state cannot be used twice: it is created at the beginning
    // of a body and destroyed at its end.

    /// One body in compression by the system's brotli. Only this file calls the library.
    @safe
    struct BrotliStream: ~Copyable {
        /// The output is smaller than that of gzip's fastest level, for about the same time (docs/decisions/0012).
        private static let quality: UInt32 = 2
        /// 64 KiB, with which the storage stays below 0.9 MiB.
        private static let windowBits: UInt32 = 16

        /// Nil if no body has begun.
        private var state: OpaquePointer?

        init() {}

        deinit { unsafe BrotliEncoderDestroyInstance(state) }

        /// Takes all of `input` and appends the output to `output`, as much as `extent` requires.
        mutating func write(_ input: Span<UInt8>, _ extent: ContentEncoder.Extent, into output: inout ByteBuffer) {
            let state = unsafe begun()
            unsafe input.withUnsafeBufferPointer { bytes in
                var next = bytes.baseAddress
                var count = bytes.count
                repeat {
                    var room = 0
                    let succeeded = unsafe BrotliEncoderCompressStream(
                        state, extent.operation, &count, &next, &room, nil, nil)
                    // It fails if there is no memory, or if this file misuses it.
                    precondition(succeeded == BROTLI_TRUE, "brotli failed")
                    unsafe Self.take(from: state, into: &output)
                } while unsafe count > 0 || BrotliEncoderHasMoreOutput(state) == BROTLI_TRUE
            }
        }

        /// Resets the stream to its initial state.
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

        /// Appends all output of the library.
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
