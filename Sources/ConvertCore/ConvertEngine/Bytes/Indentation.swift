import ConvertText

/// White space with a line feed that came between two tokens, and that is expected to come again.
///
/// Usually it is one line feed and fewer spaces than a window has bytes. That case is checked first.
struct Indentation: BitwiseCopyable, Sendable {
    /// The limit for expected white space; it is well within a step of the cursor.
    static let maxBytes = 80

    /// The lanes of the expected spaces and the lane after them; 0 if nothing is expected.
    private var lanes: UInt64 = 0
    /// The number of these bytes, with the line feed before them.
    private(set) var length = 0
    /// The first bytes of the white space, of any kind, and their lanes.
    private var window = ByteWindow(repeating: ASCII.null)
    private var windowLanes: UInt64 = 0
    /// The number of all its bytes, and of the line feeds among them.
    private(set) var count: UInt8 = 0
    private var lineFeeds: UInt8 = 0

    init() {}

    /// Expects the spaces at `input` to come again.
    @unsafe
    mutating func expectSpaces(_ input: UnsafePointer<UInt8>) {
        let spaces = unsafe ByteWindow(input).lanes(of: ASCII.space)
        let count = ByteWindow.run(in: spaces, from: 0)
        (lanes, length) = count < ByteWindow.size ? (Self.lanes(beginning: spaces), count &+ 1) : (0, 0)
    }

    /// Whether exactly the expected number of spaces comes next.
    @unsafe @inline(__always)
    func isNext(_ input: UnsafePointer<UInt8>) -> Bool {
        unsafe Self.lanes(beginning: ByteWindow(input).lanes(of: ASCII.space)) == lanes
    }

    /// The lanes of the leading spaces, and the lane after them.
    @inline(__always)
    private static func lanes(beginning spaces: UInt64) -> UInt64 { spaces ^ (spaces &+ 1) }

    // MARK: Any white space

    /// Expects the `count` bytes of white space at `input` to come again, unless they are too long or do not end with spaces.
    @unsafe
    mutating func expect(_ input: UnsafePointer<UInt8>, count: Int, lineFeeds: Int) {
        self.count = 0
        guard count <= Self.maxBytes else { return }
        window = unsafe ByteWindow(input)
        windowLanes = ByteWindow.first(min(count, ByteWindow.size))
        (self.count, self.lineFeeds) = (UInt8(count), UInt8(lineFeeds))
        if unsafe !endsWithSpaces(input) { self.count = 0 }
    }

    /// The number of expected bytes and line feeds, if exactly they come next. White space beyond a window must not pass `limit`.
    @unsafe @inline(__always)
    func next(_ input: UnsafePointer<UInt8>, limit: UnsafePointer<UInt8>) -> (count: Int, lineFeeds: Int)? {
        let count = Int(count)
        guard count > 0, unsafe ByteWindow(input).equal(to: window) & windowLanes == windowLanes,
            unsafe count <= ByteWindow.size || (input <= limit - count && endsWithSpaces(input)),
            unsafe input[count] > ASCII.space
        else { return nil }
        return (count, Int(lineFeeds))
    }

    /// Whether all bytes beyond the window are spaces.
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

/// The last indentation at each depth. The one before a key or an element has the depth of its container; the one after the
/// last of them has the depth of the container around that.
struct Indentations: BitwiseCopyable, Sendable {
    private static let mask = 31
    private var levels = InlineArray<32, Indentation>(repeating: Indentation())
    /// The line feeds that were skipped since the last `commit` of the cursor.
    var lineFeeds = 0

    /// The expected indentation at a depth. Depths that are 32 apart share one.
    subscript(depth: Int) -> Indentation {
        @inline(__always)
        get { levels[depth & Self.mask] }
        @inline(__always)
        _modify { yield &levels[depth & Self.mask] }
    }
}
