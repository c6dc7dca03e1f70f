#if Zstandard
    import CZstandard
    import ConvertCore

    // Input is lent for the length of one call and its address is forgotten after it. Output goes through `portion`, from
    // where it is copied into the caller's buffer, so that no address inside of that buffer is ever given away.

    /// One content after another on its way through the system's zstd: the only place where it is called.
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

        /// Takes all of `input` and appends what comes out of it, as much as `extent` says, to `output`.
        mutating func write(_ input: Span<UInt8>, _ extent: ContentEncoder.Extent, into output: inout ByteBuffer) {
            unsafe input.withUnsafeBufferPointer { bytes in
                var taken = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
                while true {
                    var given = unsafe ZSTD_outBuffer(dst: portion, size: Self.maxPortionBytes, pos: 0)
                    let rest = unsafe ZSTD_compressStream2(context, &given, &taken, extent.directive)
                    Self.require(rest)
                    output.append(unsafe Span(_unsafeStart: UnsafePointer(portion), count: given.pos))
                    // What the library keeps for later is all right as long as nobody needs it.
                    if extent == .some ? unsafe taken.pos == taken.size : rest == 0 { return }
                }
            }
        }

        /// Makes the stream as it was at its beginning.
        mutating func reset() {
            Self.require(unsafe ZSTD_CCtx_reset(context, ZSTD_reset_session_only))
        }

        /// Ends the program where memory has run out, as Swift's own allocations do, or where this file misuses zstd.
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
