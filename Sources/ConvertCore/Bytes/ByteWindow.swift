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

    /// How many of the first bytes are `byte`; `size` or more when all are.
    @inline(__always)
    func run(of byte: UInt8) -> Int {
        let wanted = Lanes(repeating: byte)
        #if arch(x86_64)
            let found = low.equal(to: wanted).bits | high.equal(to: wanted).bits &<< UInt64(LaneMask.laneCount)
        #else
            let found = low.equal(to: wanted).bits
        #endif
        return LaneMask(bits: ~found).firstIndex
    }

    /// The length of the run of set lanes from `index` on, as far as the window goes.
    @inline(__always)
    static func run(in lanes: UInt64, from index: Int) -> Int {
        LaneMask(bits: ~(lanes &>> UInt64(truncatingIfNeeded: index &<< LaneMask.bitsALaneShift))).firstIndex
    }
}
