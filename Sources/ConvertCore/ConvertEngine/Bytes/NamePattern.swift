import ConvertText

/// A quoted key and its colon, in the form in which `TokenCursor` compares them, and the text that is written instead.
///
/// White space before the colon is expected to be that of last time.
/// Both are stored in an arena of their owner, followed by slack. Short ones are also stored here. If either is long, the pattern matches
/// no key.
struct NamePattern: BitwiseCopyable, Sendable {
    /// How many bytes of each are stored here.
    static let inlineBytes = 2 * LaneMask.laneCount

    private(set) var low = Lanes(repeating: ASCII.null)
    private(set) var high = Lanes(repeating: ASCII.null)
    /// The lanes of `low` and `high` that belong to the key. No key begins with a NUL, so without a key nothing matches.
    private(set) var lowMask = LaneMask(first: 1)
    private(set) var highMask = LaneMask(first: 0)
    private(set) var textLow = Lanes(repeating: ASCII.null)
    private(set) var textHigh = Lanes(repeating: ASCII.null)
    /// The lengths of key and text with quotes and colon; both fit into a step of the cursor. `count` is with the white space.
    private(set) var count: UInt8 = 0
    private(set) var textCount: UInt8 = 0

    /// A pattern that matches no key.
    init() {}

    /// Whether a key and a text of these lengths can have a pattern.
    static func fits(count: Int, textCount: Int) -> Bool {
        max(count, textCount) < TokenCursor.stepBytes - LaneMask.laneCount
    }

    /// - Parameters:
    ///   - name: The first bytes of the quoted key and its colon.
    ///   - text: The first bytes of the quoted key and colon that are written instead.
    init(name: (Lanes, Lanes), count: Int, text: (Lanes, Lanes), textCount: Int) {
        precondition(count > 2 && textCount > 2 && Self.fits(count: count, textCount: textCount))
        (textLow, textHigh) = text
        self.textCount = UInt8(textCount)
        expect(name, count: count)
    }

    /// Expects these `count` bytes: the quoted key, white space, and the colon. Changes nothing if they or the text are too long.
    mutating func expect(_ name: (Lanes, Lanes), count: Int) {
        guard max(count, Int(textCount)) <= Self.inlineBytes else { return }
        (low, high) = name
        lowMask = LaneMask(first: min(count, LaneMask.laneCount))
        highMask = LaneMask(first: max(0, count - LaneMask.laneCount))
        self.count = UInt8(count)
    }
}
