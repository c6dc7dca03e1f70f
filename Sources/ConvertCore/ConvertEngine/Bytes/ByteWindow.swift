import ConvertText

/// The next bytes of the input, compared together: as many as one mask of lanes covers.
@safe
struct ByteWindow: BitwiseCopyable, Sendable {
    #if arch(x86_64) || arch(wasm32)
        static let size = 2 * LaneMask.laneCount
        private let low: Lanes
        private let high: Lanes
    #else
        static let size = LaneMask.laneCount
        private let low: Lanes
    #endif

    /// Reads `size` bytes.
    @unsafe @inline(__always)
    init(_ input: UnsafePointer<UInt8>) {
        low = unsafe Lanes(loading: input)
        #if arch(x86_64) || arch(wasm32)
            high = unsafe Lanes(loading: input + LaneMask.laneCount)
        #endif
    }

    @inline(__always)
    init(repeating byte: UInt8) {
        low = Lanes(repeating: byte)
        #if arch(x86_64) || arch(wasm32)
            high = Lanes(repeating: byte)
        #endif
    }

    /// Reads `size` bytes and writes them to `output`.
    @unsafe @inline(__always)
    init(_ input: UnsafePointer<UInt8>, copyingTo output: UnsafeMutablePointer<UInt8>) {
        unsafe self.init(input)
        unsafe low.store(to: output)
        #if arch(x86_64) || arch(wasm32)
            unsafe high.store(to: output + LaneMask.laneCount)
        #endif
    }

    /// The lanes of both halves for which a comparison is true.
    @inline(__always)
    private func mask(_ compare: (Lanes) -> LaneMask) -> UInt64 {
        #if arch(x86_64) || arch(wasm32)
            compare(low).bits | compare(high).bits &<< UInt64(LaneMask.laneCount)
        #else
            compare(low).bits
        #endif
    }

    /// The lanes of decimal digits.
    @inline(__always)
    var digits: UInt64 { mask { $0.digits } }

    /// The lanes of hexadecimal letters, in either case.
    @inline(__always)
    var hexLetters: UInt64 { mask { $0.hexLetters } }

    /// The lanes of bytes that are `byte` or above.
    @inline(__always)
    func atLeast(_ byte: UInt8) -> UInt64 { mask { $0.atLeast(byte) } }

    /// The lanes of the first `count` bytes; `count` is 1 to `size`.
    @inline(__always)
    static func first(_ count: Int) -> UInt64 {
        UInt64.max &>> UInt64(truncatingIfNeeded: UInt64.bitWidth &- (count &<< LaneMask.bitsALaneShift))
    }

    /// The lanes of bytes that equal `byte`.
    @inline(__always)
    func lanes(of byte: UInt8) -> UInt64 {
        let wanted = Lanes(repeating: byte)
        return mask { $0.equal(to: wanted) }
    }

    /// The lanes of bytes that equal those of another window.
    @inline(__always)
    func equal(to other: ByteWindow) -> UInt64 {
        #if arch(x86_64) || arch(wasm32)
            low.equal(to: other.low).bits | high.equal(to: other.high).bits &<< UInt64(LaneMask.laneCount)
        #else
            low.equal(to: other.low).bits
        #endif
    }

    /// The length of an escape of the form `\uXXXX`.
    static let escapeLength = 6

    /// The number of such escapes at the start of the window.
    @inline(__always)
    var escapes: Int {
        let marks = lanes(of: ASCII.backslash) & Self.escapeLanes(0) | lanes(of: ASCII.u) & Self.escapeLanes(1)
        let others = (digits | hexLetters) & ~(Self.escapeLanes(0) | Self.escapeLanes(1))
        return Self.run(in: marks | others, from: 0) / Self.escapeLength
    }

    /// The lanes of the byte `index` of each escape in a window full of escapes.
    @inline(__always)
    private static func escapeLanes(_ index: Int) -> UInt64 {
        let every = (escapeLength << LaneMask.bitsALaneShift)
        let lane = LaneMask(first: 1).shifted(by: index).bits
        // Bits that are shifted beyond the end of the mask are lost.
        return lane | lane << every | lane << (2 * every) | lane << (3 * every) | lane << (4 * every)
            | lane << (5 * every)
    }

    /// The length of the run of set lanes from `index`, up to the window's end.
    @inline(__always)
    static func run(in lanes: UInt64, from index: Int) -> Int {
        LaneMask(bits: ~(lanes &>> UInt64(truncatingIfNeeded: index &<< LaneMask.bitsALaneShift))).firstIndex
    }
}
