import ConvertText

/// A quoted name and its colon in the form in which `TokenCursor` compares them, and what is written instead of them.
///
/// Both are kept in an arena of their owner, followed by slack, and here, too, unless one of them is long: then the pattern matches no
/// name.
struct NamePattern: BitwiseCopyable, Sendable {
    /// How many bytes of either are held here.
    static let inlineBytes = 2 * LaneMask.laneCount

    private(set) var low = Lanes(repeating: ASCII.null)
    private(set) var high = Lanes(repeating: ASCII.null)
    /// Which lanes of the two belong to the name.
    private(set) var lowMask = LaneMask(first: 0)
    private(set) var highMask = LaneMask(first: 0)
    private(set) var textLow = Lanes(repeating: ASCII.null)
    private(set) var textHigh = Lanes(repeating: ASCII.null)
    /// How long name and text are with quotes and colon; neither is more than a step of the cursor.
    private(set) var count: UInt8 = 0
    private(set) var textCount: UInt8 = 0

    /// The pattern of nothing.
    init() {}

    /// Whether names and texts of these lengths have patterns.
    static func fits(count: Int, textCount: Int) -> Bool {
        max(count, textCount) < TokenCursor.stepBytes - LaneMask.laneCount
    }

    /// - Parameters:
    ///   - name: The first bytes of the quoted name and its colon.
    ///   - text: The first bytes of the quoted name and colon that are written instead.
    init(name: (Lanes, Lanes), count: Int, text: (Lanes, Lanes), textCount: Int) {
        precondition(count > 2 && textCount > 2 && Self.fits(count: count, textCount: textCount))
        (low, high) = name
        (textLow, textHigh) = text
        lowMask = LaneMask(first: min(count, LaneMask.laneCount))
        highMask = LaneMask(first: max(0, min(count, Self.inlineBytes) - LaneMask.laneCount))
        self.count = UInt8(count)
        self.textCount = UInt8(textCount)
        // No name begins with a NUL.
        if max(count, textCount) > Self.inlineBytes { low = Lanes(repeating: ASCII.null) }
    }
}
