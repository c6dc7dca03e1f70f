import ConvertText

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

/// The indentation that came last, to be expected again: of keys and elements by the depth of what holds them, of what is behind the
/// last of them by the depth of what holds that container.
struct Indentations: BitwiseCopyable, Sendable {
    private static let mask = 31
    private var levels = InlineArray<32, Indentation>(repeating: Indentation())
    /// Line feeds that were passed since the places were handed back.
    var lineFeeds = 0

    /// What is expected at a depth. Depths that are far apart share one.
    subscript(depth: Int) -> Indentation {
        @inline(__always)
        get { levels[depth & Self.mask] }
        @inline(__always)
        _modify { yield &levels[depth & Self.mask] }
    }
}
