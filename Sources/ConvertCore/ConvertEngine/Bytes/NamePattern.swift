import ConvertText

/// A quoted key and its colon, in the form in which `TokenCursor` compares them, and the text that is written instead.
///
/// Both are stored in an arena of their owner, followed by slack. Short ones are also stored here. If either is long, the pattern matches
/// no key.
struct NamePattern: BitwiseCopyable, Sendable {
    /// How many bytes of each are stored here.
    static let inlineBytes = 2 * LaneMask.laneCount

    private(set) var low = Lanes(repeating: ASCII.null)
    private(set) var high = Lanes(repeating: ASCII.null)
    /// The lanes of `low` and `high` that belong to the key.
    private(set) var lowMask = LaneMask(first: 0)
    private(set) var highMask = LaneMask(first: 0)
    private(set) var textLow = Lanes(repeating: ASCII.null)
    private(set) var textHigh = Lanes(repeating: ASCII.null)
    /// The lengths of key and text with quotes and colon; both fit into a step of the cursor.
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
        (low, high) = name
        (textLow, textHigh) = text
        lowMask = LaneMask(first: min(count, LaneMask.laneCount))
        highMask = LaneMask(first: max(0, min(count, Self.inlineBytes) - LaneMask.laneCount))
        self.count = UInt8(count)
        self.textCount = UInt8(textCount)
        // No key begins with a NUL, so the pattern never matches.
        if max(count, textCount) > Self.inlineBytes { low = Lanes(repeating: ASCII.null) }
    }
}
