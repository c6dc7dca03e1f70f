import CSIMD
import ConvertText

/// Sixteen bytes that are compared together.
///
/// SSE2 on x86-64, NEON on arm64, SIMD128 in WebAssembly, two 64-bit words (`WordLanes`) elsewhere. All comparisons
/// return a `LaneMask`.
#if arch(x86_64) || arch(arm64) || arch(wasm32)
    typealias Lanes = VectorLanes
#else
    typealias Lanes = WordLanes
#endif

/// The lanes, of sixteen, for which a comparison is true.
struct LaneMask: BitwiseCopyable, Sendable {
    #if arch(arm64)
        static let bitsALaneShift = 2
    #else
        static let bitsALaneShift = 0
    #endif

    var bits: UInt64

    @inline(__always)
    var isEmpty: Bool { bits == 0 }

    /// The index of the first lane that is set; 16 or more if none is.
    @inline(__always)
    var firstIndex: Int { bits.trailingZeroBitCount &>> Self.bitsALaneShift }

    /// Whether the first `count` lanes are all set; `count` is 1 to 16.
    @inline(__always)
    func holdsFirst(_ count: Int) -> Bool {
        let wanted = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- (count &<< Self.bitsALaneShift))
        return bits & wanted == wanted
    }

    static let laneCount = 16

    /// How many of the first `end` lanes are set; `end` may be more than 16.
    @inline(__always)
    func count(before end: Int) -> Int {
        (bits & LaneMask(first: min(end, Self.laneCount)).bits).nonzeroBitCount &>> Self.bitsALaneShift
    }

    /// The first `count` lanes; `count` is 0 to 16.
    @inline(__always)
    init(first count: Int) {
        let shift = UInt64(truncatingIfNeeded: count &<< Self.bitsALaneShift)
        bits = count == Self.laneCount ? Self.all : (1 &<< shift) &- 1
    }

    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    #if arch(arm64)
        private static let all = UInt64.max
    #else
        private static let all = UInt64(UInt16.max)
    #endif

    /// The same lanes, each moved up by `distance`.
    @inline(__always)
    func shifted(by distance: Int) -> LaneMask {
        LaneMask(bits: bits &<< UInt64(truncatingIfNeeded: distance &<< Self.bitsALaneShift))
    }

    /// Whether the lane is set.
    @inline(__always)
    func holds(_ lane: Int) -> Bool { bits &>> UInt64(truncatingIfNeeded: lane &<< Self.bitsALaneShift) & 1 != 0 }

    /// The index of the last lane that is set; there must be one.
    @inline(__always)
    var lastIndex: Int { (UInt64.bitWidth &- 1 &- bits.leadingZeroBitCount) &>> Self.bitsALaneShift }
}

#if arch(x86_64) || arch(arm64) || arch(wasm32)
    struct VectorLanes: BitwiseCopyable, Sendable {
        private let lanes: csimd_lanes

        @inline(__always)
        private init(_ lanes: csimd_lanes) { self.lanes = lanes }

        @inline(__always)
        init(repeating byte: UInt8) { lanes = csimd_splat(byte) }

        /// Reads sixteen bytes at any alignment.
        @unsafe @inline(__always)
        init(loading bytes: UnsafePointer<UInt8>) { lanes = unsafe csimd_load(bytes) }

        /// Writes sixteen bytes at any alignment.
        @unsafe @inline(__always)
        func store(to bytes: UnsafeMutablePointer<UInt8>) { unsafe csimd_store(bytes, lanes) }

        @inline(__always)
        func equal(to other: VectorLanes) -> LaneMask { LaneMask(bits: csimd_mask(csimd_equal(lanes, other.lanes))) }

        /// Adds one to each lane in which `block` equals `wanted`.
        @inline(__always)
        mutating func count(_ block: VectorLanes, equalTo wanted: VectorLanes) {
            // A lane that is equal has all bits set, which is -1.
            self = VectorLanes(csimd_subtract(lanes, csimd_equal(block.lanes, wanted.lanes)))
        }

        /// The sum of all lanes.
        @inline(__always)
        var sum: Int { Int(csimd_sum(lanes)) }

        /// Lanes that end a run that is copied unchecked in a JSON string: quote, backslash, controls and all of non-ASCII.
        @inline(__always)
        var stringStops: LaneMask {
            // A signed comparison finds the controls and every byte with the high bit at once.
            let special = csimd_signed_less(lanes, csimd_splat(ASCII.space))
            let quote = csimd_equal(lanes, csimd_splat(ASCII.quote))
            let backslash = csimd_equal(lanes, csimd_splat(ASCII.backslash))
            return LaneMask(bits: csimd_mask(csimd_or(special, csimd_or(quote, backslash))))
        }

        /// Lanes that end a run of text in a JSON string, ASCII or not: quote, backslash and controls.
        @inline(__always)
        var textStops: LaneMask {
            let control = csimd_equal(csimd_minimum(lanes, csimd_splat(ASCII.space &- 1)), lanes)
            let quote = csimd_equal(lanes, csimd_splat(ASCII.quote))
            let backslash = csimd_equal(lanes, csimd_splat(ASCII.backslash))
            return LaneMask(bits: csimd_mask(csimd_or(control, csimd_or(quote, backslash))))
        }

        /// Lanes that belong to multi-byte sequences of UTF-8.
        @inline(__always)
        var nonASCII: LaneMask { LaneMask(bits: csimd_mask(csimd_signed_less(lanes, csimd_splat(0)))) }

        /// Lanes that need a closer check in UTF-8: leads of four bytes, invalid leads, and leads that do not allow every continuation
        /// byte after them.
        @inline(__always)
        var rareLeads: LaneMask {
            let four = csimd_splat(UTF8Sequence.firstOfFour)
            let long = csimd_equal(csimd_minimum(lanes, four), four)
            // The two leads of overlong forms differ in their lowest bit.
            let even = csimd_and(lanes, csimd_splat(UInt8.max &- 1))
            let overlong = csimd_equal(even, csimd_splat(UTF8Sequence.firstLead))
            let narrow = csimd_or(
                csimd_equal(lanes, csimd_splat(UTF8Sequence.firstOfThree)),
                csimd_equal(lanes, csimd_splat(UTF8Sequence.surrogateLead)))
            return LaneMask(bits: csimd_mask(csimd_or(csimd_or(long, overlong), narrow)))
        }

        /// Lanes that are `byte` or above.
        @inline(__always)
        func atLeast(_ byte: UInt8) -> LaneMask {
            let limit = csimd_splat(byte)
            return LaneMask(bits: csimd_mask(csimd_equal(csimd_minimum(lanes, limit), limit)))
        }

        /// Lanes that are one of the four white space bytes of JSON.
        ///
        /// `lineFeed` is the fourth of them, or the space again if a line feed is not white space.
        @inline(__always)
        func whiteSpace(lineFeed: UInt8 = ASCII.lineFeed) -> LaneMask {
            let blank = csimd_or(
                csimd_equal(lanes, csimd_splat(ASCII.space)), csimd_equal(lanes, csimd_splat(ASCII.tab)))
            let ends = csimd_or(
                csimd_equal(lanes, csimd_splat(lineFeed)), csimd_equal(lanes, csimd_splat(ASCII.carriageReturn)))
            return LaneMask(bits: csimd_mask(csimd_or(blank, ends)))
        }

        /// Lanes that are decimal digits.
        @inline(__always)
        var digits: LaneMask {
            let value = csimd_subtract(lanes, csimd_splat(ASCII.zero))
            return LaneMask(bits: csimd_mask(csimd_equal(csimd_minimum(value, csimd_splat(9)), value)))
        }

        /// Lanes that are letters among the hexadecimal digits.
        @inline(__always)
        var hexLetters: LaneMask {
            let lower = csimd_or(lanes, csimd_splat(ASCII.caseBit))
            let value = csimd_subtract(lower, csimd_splat(ASCII.a))
            let last = csimd_splat(ASCII.f &- ASCII.a)
            return LaneMask(bits: csimd_mask(csimd_equal(csimd_minimum(value, last), value)))
        }
    }
#endif

/// The same sixteen lanes in two 64-bit words, for machines without a known vector unit and as a reference in tests.
struct WordLanes: BitwiseCopyable, Sendable {
    private let low: UInt64
    private let high: UInt64

    private static let ones: UInt64 = .max / UInt64(UInt8.max)
    private static let highBits: UInt64 = ones &<< 7

    @inline(__always)
    private init(_ low: UInt64, _ high: UInt64) {
        self.low = low
        self.high = high
    }

    @inline(__always)
    init(repeating byte: UInt8) { self.init(Self.ones &* UInt64(byte), Self.ones &* UInt64(byte)) }

    @unsafe @inline(__always)
    init(loading bytes: UnsafePointer<UInt8>) {
        let raw = unsafe UnsafeRawPointer(bytes)
        self.init(
            unsafe UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self)),
            unsafe UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    @unsafe @inline(__always)
    func store(to bytes: UnsafeMutablePointer<UInt8>) {
        let raw = UnsafeMutableRawPointer(bytes)
        unsafe raw.storeBytes(of: low.littleEndian, as: UInt64.self)
        unsafe raw.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt64.self)
    }

    @inline(__always)
    func equal(to other: WordLanes) -> LaneMask { mask(Self.zeros(low ^ other.low), Self.zeros(high ^ other.high)) }

    @inline(__always)
    mutating func count(_ block: WordLanes, equalTo wanted: WordLanes) {
        self = WordLanes(
            low &+ Self.zeros(block.low ^ wanted.low) &>> 7, high &+ Self.zeros(block.high ^ wanted.high) &>> 7)
    }

    @inline(__always)
    var sum: Int {
        var sum: UInt64 = 0
        for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
            sum &+= (low &>> shift & UInt64(UInt8.max)) &+ (high &>> shift & UInt64(UInt8.max))
        }
        return Int(sum)
    }

    @inline(__always)
    var stringStops: LaneMask { mask(Self.stops(low), Self.stops(high)) }

    @inline(__always)
    var textStops: LaneMask {
        mask(Self.stops(low) & ~(low & Self.highBits), Self.stops(high) & ~(high & Self.highBits))
    }

    @inline(__always)
    var nonASCII: LaneMask { mask(low & Self.highBits, high & Self.highBits) }

    @inline(__always)
    var rareLeads: LaneMask { mask(Self.rareLeads(low), Self.rareLeads(high)) }

    @inline(__always)
    func atLeast(_ byte: UInt8) -> LaneMask { mask(Self.atLeast(low, byte), Self.atLeast(high, byte)) }

    @inline(__always)
    func whiteSpace(lineFeed: UInt8 = ASCII.lineFeed) -> LaneMask {
        mask(Self.blanks(low, lineFeed), Self.blanks(high, lineFeed))
    }

    @inline(__always)
    var digits: LaneMask { mask(Self.digits(low), Self.digits(high)) }

    @inline(__always)
    var hexLetters: LaneMask { mask(Self.hexLetters(low), Self.hexLetters(high)) }

    /// The high bit of every byte that is zero, exactly.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 {
        let low = word & ~highBits
        return ~((low &+ ~highBits) | word) & highBits
    }

    @inline(__always)
    private static func equals(_ word: UInt64, _ byte: UInt8) -> UInt64 { zeros(word ^ (ones &* UInt64(byte))) }

    /// The high bit of every byte that is below `limit`; `limit` is at most 128.
    @inline(__always)
    private static func below(_ word: UInt64, _ limit: UInt8) -> UInt64 {
        let atLeast = (word & ~highBits) &+ ones &* UInt64(128 - limit)
        return ~(atLeast | word) & highBits
    }

    /// The high bit of every byte that is at least `limit`; `limit` is 128 or more.
    @inline(__always)
    private static func atLeast(_ word: UInt64, _ limit: UInt8) -> UInt64 {
        ((word & ~highBits) &+ ones &* UInt64(UInt8.max &- limit &+ 1)) & word & highBits
    }

    @inline(__always)
    private static func stops(_ word: UInt64) -> UInt64 {
        below(word, ASCII.space) | equals(word, ASCII.quote) | equals(word, ASCII.backslash) | (word & highBits)
    }

    @inline(__always)
    private static func blanks(_ word: UInt64, _ lineFeed: UInt8) -> UInt64 {
        equals(word, ASCII.space) | equals(word, ASCII.tab) | equals(word, ASCII.carriageReturn)
            | equals(word, lineFeed)
    }

    @inline(__always)
    private static func digits(_ word: UInt64) -> UInt64 {
        below(word, ASCII.nine + 1) & ~below(word, ASCII.zero)
    }

    @inline(__always)
    private static func hexLetters(_ word: UInt64) -> UInt64 {
        let lower = word | ones &* UInt64(ASCII.caseBit)
        return below(lower, ASCII.f + 1) & ~below(lower, ASCII.a)
    }

    @inline(__always)
    private static func rareLeads(_ word: UInt64) -> UInt64 {
        let overlong = equals(word & ~ones, UTF8Sequence.firstLead)
        let narrow = equals(word, UTF8Sequence.firstOfThree) | equals(word, UTF8Sequence.surrogateLead)
        return atLeast(word, UTF8Sequence.firstOfFour) | overlong | narrow
    }

    /// Gathers the high bits of both words into one mask in this machine's layout.
    @inline(__always)
    private func mask(_ low: UInt64, _ high: UInt64) -> LaneMask {
        #if arch(arm64)
            var bits: UInt64 = 0
            for lane in 0..<8 {
                let shift = UInt64(lane &<< 2)
                if low &>> UInt64(lane * 8 + 7) & 1 != 0 { bits |= 15 &<< shift }
                if high &>> UInt64(lane * 8 + 7) & 1 != 0 { bits |= 15 &<< (shift + 32) }
            }
            return LaneMask(bits: bits)
        #else
            // The multiplication moves the eight high bits side by side into the top byte.
            let gather = (0..<8).reduce(UInt64(0)) { $0 | 1 &<< UInt64(7 * ($1 + 1)) }
            return LaneMask(bits: (low &>> 7 &* gather) &>> 56 | ((high &>> 7 &* gather) &>> 56) &<< 8)
        #endif
    }
}
