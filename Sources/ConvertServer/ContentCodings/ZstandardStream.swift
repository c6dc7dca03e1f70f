#if Zstandard
    import CZstandard
    import ConvertEngine

    // zstd uses the address of the input only during one call. Output goes into `portion` and is copied from there into
    // the caller's buffer, so zstd never gets an address inside of that buffer.

    /// One body after another in compression by the system's zstd. Only this file calls the library.
    @safe
    struct ZstandardStream: ~Copyable {
        /// The limits of time and memory (docs/decisions/0012). A window of 256 KiB is far below the 8 MiB that every
        /// reader must have (RFC 9659 §3). With tables of 64 and 32 KiB instead of the level's 768, the memory stays at
        /// 1.1 MiB.
        private static let parameters: [(ZSTD_cParameter, Int32)] = [
            (ZSTD_c_compressionLevel, 3), (ZSTD_c_windowLog, 18), (ZSTD_c_hashLog, 14), (ZSTD_c_chainLog, 13),
        ]
        /// The most output of one call.
        private static let maxPortionBytes = 16 * 1024

        private let context: OpaquePointer
        private let portion: UnsafeMutablePointer<UInt8>

        init() {
            guard let context = unsafe ZSTD_createCCtx() else { preconditionFailure("zstd has no memory") }
            unsafe self.context = context
            unsafe portion = .allocate(capacity: Self.maxPortionBytes)
            for (parameter, value) in Self.parameters {
                Self.require(unsafe ZSTD_CCtx_setParameter(context, parameter, value))
            }
        }

        deinit {
            unsafe ZSTD_freeCCtx(context)
            unsafe portion.deallocate()
        }

        /// Takes all of `input` and appends the output to `output`, as much as `extent` requires.
        mutating func write(_ input: Span<UInt8>, _ extent: ContentEncoder.Extent, into output: inout ByteBuffer) {
            unsafe input.withUnsafeBufferPointer { bytes in
                var taken = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
                while true {
                    var given = unsafe ZSTD_outBuffer(dst: portion, size: Self.maxPortionBytes, pos: 0)
                    let rest = unsafe ZSTD_compressStream2(context, &given, &taken, extent.directive)
                    Self.require(rest)
                    output.append(unsafe Span(_unsafeStart: UnsafePointer(portion), count: given.pos))
                    // The library may keep output for later, unless it is required now.
                    if extent == .some ? unsafe taken.pos == taken.size : rest == 0 { return }
                }
            }
        }

        /// Resets the stream to its initial state.
        mutating func reset() {
            Self.require(unsafe ZSTD_CCtx_reset(context, ZSTD_reset_session_only))
        }

        /// Ends the program if there is no memory, as Swift's own allocations do, or if this file misuses zstd.
        private static func require(_ code: Int) {
            precondition(ZSTD_isError(code) == 0, "zstd failed")
        }
    }

    extension ContentEncoder.Extent {
        fileprivate var directive: ZSTD_EndDirective {
            switch self {
            case .some: ZSTD_e_continue
            case .everything: ZSTD_e_flush
            case .toEnd: ZSTD_e_end
            }
        }
    }
#else
    typealias ZstandardStream = AbsentStream
#endif
