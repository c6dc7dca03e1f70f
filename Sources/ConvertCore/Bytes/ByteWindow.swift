/// The next few bytes of the input, looked at together: as many as make one mask of lanes.
@safe
struct ByteWindow {
    #if arch(x86_64)
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
        #if arch(x86_64)
            high = unsafe Lanes(loading: input + LaneMask.laneCount)
        #endif
    }

    /// Reads `size` bytes and writes them.
    @unsafe @inline(__always)
    init(_ input: UnsafePointer<UInt8>, copyingTo output: UnsafeMutablePointer<UInt8>) {
        unsafe self.init(input)
        unsafe low.store(to: output)
        #if arch(x86_64)
            unsafe high.store(to: output + LaneMask.laneCount)
        #endif
    }

    /// Which of the bytes are decimal digits.
    @inline(__always)
    var digits: UInt64 {
        #if arch(x86_64)
            low.digits.bits | high.digits.bits &<< UInt64(LaneMask.laneCount)
        #else
            low.digits.bits
        #endif
    }

    /// Which of the bytes are `byte`.
    @inline(__always)
    func lanes(of byte: UInt8) -> UInt64 {
        let wanted = Lanes(repeating: byte)
        #if arch(x86_64)
            return low.equal(to: wanted).bits | high.equal(to: wanted).bits &<< UInt64(LaneMask.laneCount)
        #else
            return low.equal(to: wanted).bits
        #endif
    }

    /// Whether exactly the first `length` lanes are set before one that is not; `length` must be below `size`.
    @inline(__always)
    static func isRun(of length: Int, _ lanes: UInt64) -> Bool {
        let wanted = (1 &<< UInt64(truncatingIfNeeded: length &<< LaneMask.bitsALaneShift)) &- 1 as UInt64
        let after = (1 &<< UInt64(truncatingIfNeeded: (length &+ 1) &<< LaneMask.bitsALaneShift)) &- 1 as UInt64
        return length < size && (lanes ^ wanted) & after == 0
    }

    /// The length of the run of set lanes from `index` on, as far as the window goes.
    @inline(__always)
    static func run(in lanes: UInt64, from index: Int) -> Int {
        LaneMask(bits: ~(lanes &>> UInt64(truncatingIfNeeded: index &<< LaneMask.bitsALaneShift))).firstIndex
    }
}
