/// One message's part of what the process keeps; given back when the share goes, however the message ended.
///
/// It is counted in steps, so that the count that all loops share is seldom touched, and for small messages never.
///
/// A message may keep as much as it leaves to others, so that many large ones stop each other before there is no room for
/// a small one. What it has to keep counts for a third at the most: one that reaches that may go on, as far as its own limits
/// and the process's memory go, so that a server with little else to do takes whatever they allow, and there is never room for a second
/// such one.
struct HeldShare: ~Copyable {
    static let stepBytes = 32 * 1024

    private let all: HeldBytes
    /// What all messages together may keep, and for how much firm bytes count.
    private let maxBytes: Int
    private let maxFirmBytes: Int
    /// What this message may have to keep, whatever others do.
    private let maxOwnBytes: Int
    private var isBeyondItsOwn = false
    /// Whole steps.
    private var bytes = 0
    /// What of them only the message's end lets go of.
    private var firmBytes = 0

    init(_ all: HeldBytes, maxBytes: Int, maxOwnBytes: Int = .max) {
        self.all = all
        self.maxBytes = maxBytes
        self.maxOwnBytes = maxOwnBytes
        // More than a third, by one step: two of them and a second helping of one are too much.
        maxFirmBytes = maxBytes / 3 + Self.stepBytes
    }

    deinit { if bytes > 0 { all.add(-bytes) } }

    /// States how much the message keeps now.
    ///
    /// - Parameters:
    ///   - firm: bytes that stay until more of the message has come.
    ///   - passing: bytes that could be sent on if there were no room for them.
    /// - Returns: whether the firm ones count for a step or more than they did, or are more than the message may keep.
    @discardableResult
    mutating func set(firm: Int, passing: Int = 0) -> Bool {
        isBeyondItsOwn = firm > maxOwnBytes
        let firm = min(firm, maxFirmBytes)
        let steps = Self.wholeSteps(firm + passing)
        if steps != bytes {
            all.add(steps - bytes)
            bytes = steps
        }
        let firmSteps = Self.wholeSteps(firm)
        defer { firmBytes = firmSteps }
        return firmSteps > firmBytes || isBeyondItsOwn
    }

    private static func wholeSteps(_ count: Int) -> Int { count - count % stepBytes }

    /// Whether all messages together keep more than they may.
    var areAllCrowded: Bool { all.count > maxBytes }

    /// Whether they keep more than half of it.
    var areAllHalfCrowded: Bool { all.count > maxBytes / 2 }

    /// Whether they do keep more than they may, and this is one of them.
    var isCrowded: Bool { bytes > 0 && areAllCrowded }

    /// Whether the message keeps more than it leaves to others.
    var isTooLarge: Bool { bytes > 0 && all.count > maxBytes - bytes }

    /// What the message is to be refused with if its firm bytes alone are more than it may keep or than they leave to others; nil if not.
    var refusal: Problem? {
        if isBeyondItsOwn { return .memoryLimit }
        let otherBytes = all.count - bytes
        return firmBytes > 0 && otherBytes + firmBytes > maxBytes - firmBytes ? .buffersFull : nil
    }
}
