import ConvertText

/// The next few bytes of the input, looked at together: as many as make one mask of lanes.
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

    /// Reads `size` bytes and writes them.
    @unsafe @inline(__always)
    init(_ input: UnsafePointer<UInt8>, copyingTo output: UnsafeMutablePointer<UInt8>) {
        unsafe self.init(input)
        unsafe low.store(to: output)
        #if arch(x86_64) || arch(wasm32)
            unsafe high.store(to: output + LaneMask.laneCount)
        #endif
    }

    /// Which of the bytes are decimal digits.
    @inline(__always)
    var digits: UInt64 {
        #if arch(x86_64) || arch(wasm32)
            low.digits.bits | high.digits.bits &<< UInt64(LaneMask.laneCount)
        #else
            low.digits.bits
        #endif
    }

    /// Which of the bytes are letters among the hexadecimal digits.
    @inline(__always)
    var hexLetters: UInt64 {
        #if arch(x86_64) || arch(wasm32)
            low.hexLetters.bits | high.hexLetters.bits &<< UInt64(LaneMask.laneCount)
        #else
            low.hexLetters.bits
        #endif
    }

    /// Which of the bytes are `byte` or above.
    @inline(__always)
    func atLeast(_ byte: UInt8) -> UInt64 {
        #if arch(x86_64) || arch(wasm32)
            low.atLeast(byte).bits | high.atLeast(byte).bits &<< UInt64(LaneMask.laneCount)
        #else
            low.atLeast(byte).bits
        #endif
    }

    /// The lanes of the first `count` bytes; `count` is 1 to `size`.
    @inline(__always)
    static func first(_ count: Int) -> UInt64 {
        UInt64.max &>> UInt64(truncatingIfNeeded: UInt64.bitWidth &- (count &<< LaneMask.bitsALaneShift))
    }

    /// Which of the bytes are `byte`.
    @inline(__always)
    func lanes(of byte: UInt8) -> UInt64 {
        let wanted = Lanes(repeating: byte)
        #if arch(x86_64) || arch(wasm32)
            return low.equal(to: wanted).bits | high.equal(to: wanted).bits &<< UInt64(LaneMask.laneCount)
        #else
            return low.equal(to: wanted).bits
        #endif
    }

    /// Which of the bytes are those of another window.
    @inline(__always)
    func equal(to other: ByteWindow) -> UInt64 {
        #if arch(x86_64) || arch(wasm32)
            low.equal(to: other.low).bits | high.equal(to: other.high).bits &<< UInt64(LaneMask.laneCount)
        #else
            low.equal(to: other.low).bits
        #endif
    }

    /// Bytes of an escape of the form `\uXXXX`.
    static let escapeLength = 6

    /// How many such escapes the window begins with.
    @inline(__always)
    var escapes: Int {
        let marks = lanes(of: ASCII.backslash) & Self.escapeLanes(0) | lanes(of: ASCII.u) & Self.escapeLanes(1)
        let others = (digits | hexLetters) & ~(Self.escapeLanes(0) | Self.escapeLanes(1))
        return Self.run(in: marks | others, from: 0) / Self.escapeLength
    }

    /// Where the byte at `index` of each escape is, if the window is full of them.
    @inline(__always)
    private static func escapeLanes(_ index: Int) -> UInt64 {
        let every = (escapeLength << LaneMask.bitsALaneShift)
        let lane = LaneMask(first: 1).shifted(by: index).bits
        // What is shifted beyond the mask's end is gone.
        return lane | lane << every | lane << (2 * every) | lane << (3 * every) | lane << (4 * every)
            | lane << (5 * every)
    }

    /// The length of the run of set lanes from `index` on, as far as the window goes.
    @inline(__always)
    static func run(in lanes: UInt64, from index: Int) -> Int {
        LaneMask(bits: ~(lanes &>> UInt64(truncatingIfNeeded: index &<< LaneMask.bitsALaneShift))).firstIndex
    }
}

/// White space with a line feed in it that came between two tokens: what is expected to come again.
///
/// Mostly it is a line feed and less spaces than a window has bytes. That is looked for first, and everything else after it.
struct Indentation: BitwiseCopyable, Sendable {
    /// Nothing longer is expected; it is well within a step of the cursor.
    static let maxBytes = 80

    /// The lanes of the spaces and the first beyond them; none if nothing is expected.
    private var lanes: UInt64 = 0
    /// Bytes of that, line feed included.
    private(set) var length = 0
    /// The first bytes of the white space, whatever it is made of, and the lanes that they are in.
    private var window = ByteWindow(repeating: ASCII.null)
    private var windowLanes: UInt64 = 0
    /// All bytes of it and the line feeds among them.
    private(set) var count: UInt8 = 0
    private var lineFeeds: UInt8 = 0

    init() {}

    /// Expects the spaces that come next.
    @unsafe
    mutating func expectSpaces(_ input: UnsafePointer<UInt8>) {
        let spaces = unsafe ByteWindow(input).lanes(of: ASCII.space)
        let count = ByteWindow.run(in: spaces, from: 0)
        (lanes, length) = count < ByteWindow.size ? (Self.lanes(beginning: spaces), count &+ 1) : (0, 0)
    }

    /// Whether as many spaces as expected come next, and then another byte.
    @unsafe @inline(__always)
    func isNext(_ input: UnsafePointer<UInt8>) -> Bool {
        unsafe Self.lanes(beginning: ByteWindow(input).lanes(of: ASCII.space)) == lanes
    }

    /// The lanes that are set from the first one on, and the one after them.
    @inline(__always)
    private static func lanes(beginning spaces: UInt64) -> UInt64 { spaces ^ (spaces &+ 1) }

    // MARK: Any white space

    /// Expects the white space of `count` bytes that comes next, unless it is long and ends otherwise than with spaces.
    @unsafe
    mutating func expect(_ input: UnsafePointer<UInt8>, count: Int, lineFeeds: Int) {
        self.count = 0
        guard count <= Self.maxBytes else { return }
        window = unsafe ByteWindow(input)
        windowLanes = ByteWindow.first(min(count, ByteWindow.size))
        (self.count, self.lineFeeds) = (UInt8(count), UInt8(lineFeeds))
        if unsafe !endsWithSpaces(input) { self.count = 0 }
    }

    /// The expected bytes and line feeds, if they come next and no more white space. What is long must end at `limit` at the latest.
    @unsafe @inline(__always)
    func next(_ input: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>) -> (count: Int, lineFeeds: Int)? {
        let count = Int(count)
        guard count > 0, unsafe ByteWindow(input).equal(to: window) & windowLanes == windowLanes,
            unsafe count <= ByteWindow.size || (input <= limit - count && endsWithSpaces(input)),
            unsafe input[count] > ASCII.space
        else { return nil }
        return (count, Int(lineFeeds))
    }

    /// Whether there are only spaces beyond the window.
    @unsafe @inline(__always)
    private func endsWithSpaces(_ input: UnsafePointer<UInt8>) -> Bool {
        var offset = ByteWindow.size
        while offset < count {
            let spaces = unsafe Lanes(loading: input + offset).equal(to: Lanes(repeating: ASCII.space))
            guard spaces.holdsFirst(min(LaneMask.laneCount, Int(count) &- offset)) else { return false }
            offset &+= LaneMask.laneCount
        }
        return true
    }
}
