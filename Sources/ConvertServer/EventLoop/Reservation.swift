// One connection has one reservation. Each part of the connection states how much it keeps whenever that changes. The
// sum is what the process counts. What must stay in step:
//
// - The sum is counted in steps of 4 KiB. So the counts that all loops share are touched seldom, and never for small
//   messages.
// - Firm bytes are those that only the end of their part releases. They count for at most a third of all. A connection
//   that reaches that may continue, as far as its own limits and the process's memory allow, so a server with little
//   else to do accepts whatever they allow. There is never room for a second such connection.
// - A connection may keep as much as it leaves to others. So many large ones stop each other before there is no room
//   for a small one. A small one is never refused and never forced to send early.

import HTTPSemantics

/// One connection's part of what the process keeps; given back when the connection goes.
final class Reservation {
    /// What keeps something for a connection.
    enum Part: Int, CaseIterable {
        /// The head of the request, while it comes and until it is answered.
        case head
        /// What is kept of a request to the service, and its answer until that is committed.
        case request
        /// A body on its way to an upstream: what waits for the upstream's head, and the copy for a second attempt.
        case body
        /// An answer of an upstream that is converted, until it is committed.
        case answer
        /// What waits until the client takes it.
        case client
        /// What waits until the upstream takes it.
        case upstream

        /// Whether it is a peer that has to take it.
        var isWaiting: Bool { self == .client || self == .upstream }
    }

    private struct Amount: Equatable {
        var firm = 0
        var passing = 0
    }

    static let stepBytes = 4 * 1024
    /// A connection that keeps less is never refused anything for it.
    static let smallBytes = 32 * 1024

    private let all: HeldBytes
    /// What all connections together may keep, and for how much firm bytes of one count.
    private let maxBytes: Int
    private let maxFirmBytes: Int
    /// What one connection may have to keep, whatever others do.
    private let maxOwnBytes: Int
    /// By part.
    private var amounts = InlineArray<6, Amount>(repeating: Amount())
    private var sum = Amount()
    private var sumOfWaiting = 0
    /// What is counted: whole steps.
    private var bytes = 0
    private var waitingBytes = 0
    /// Whole steps of firm bytes.
    private var firmBytes = 0

    init(_ all: HeldBytes, maxBytes: Int, maxOwnBytes: Int = .max) {
        self.all = all
        self.maxBytes = maxBytes
        self.maxOwnBytes = maxOwnBytes
        // More than a third, by as much as is small: two of them and a second helping of one are too much.
        maxFirmBytes = maxBytes / 3 + Self.smallBytes
    }

    deinit {
        if bytes > 0 { all.add(-bytes) }
        if waitingBytes > 0 { all.addWaiting(-waitingBytes) }
    }

    /// States how much a part keeps now.
    ///
    /// - Parameters:
    ///   - firm: bytes that stay until more of the message has come.
    ///   - passing: bytes that could be sent on, or forgotten, if there were no room for them.
    /// - Returns: whether the connection's firm bytes count for a step or more than they did, or are more than it may keep.
    @discardableResult
    func set(_ part: Part, firm: Int = 0, passing: Int = 0) -> Bool {
        let new = Amount(firm: firm, passing: passing)
        let old = amounts[part.rawValue]
        guard new != old else { return isBeyondItsOwn }
        amounts[part.rawValue] = new
        sum.firm += new.firm - old.firm
        sum.passing += new.passing - old.passing
        if part.isWaiting { sumOfWaiting += new.passing - old.passing }
        return count()
    }

    /// Lets go of what was kept for one request and its answer; what waits for the client stays.
    func endExchange() {
        set(.request)
        set(.body)
        set(.answer)
        set(.upstream)
    }

    private func count() -> Bool {
        let firm = min(sum.firm, maxFirmBytes)
        let steps = Self.wholeSteps(firm + sum.passing)
        if steps != bytes {
            all.add(steps - bytes)
            bytes = steps
        }
        let waitingSteps = Self.wholeSteps(sumOfWaiting)
        if waitingSteps != waitingBytes {
            all.addWaiting(waitingSteps - waitingBytes)
            waitingBytes = waitingSteps
        }
        let firmSteps = Self.wholeSteps(firm)
        defer { firmBytes = firmSteps }
        return firmSteps > firmBytes || isBeyondItsOwn
    }

    private static func wholeSteps(_ count: Int) -> Int { count - count % stepBytes }

    // MARK: Room

    /// Whether all connections together keep more than they may.
    var areAllCrowded: Bool { all.count > maxBytes }

    /// Whether more than half of what may be kept waits for peers.
    var areAllWaiting: Bool { all.waitingCount > maxBytes / 2 }

    /// Whether more than a quarter of it does.
    var areManyWaiting: Bool { all.waitingCount > maxBytes / 4 }

    /// Whether all keep more than they may, and this is one of those that make it so.
    var isCrowded: Bool { bytes >= Self.smallBytes && areAllCrowded }

    /// Whether the connection keeps more than it leaves to others.
    var isTooLarge: Bool { bytes >= Self.smallBytes && all.count > maxBytes - bytes }

    private var isBeyondItsOwn: Bool { sum.firm > maxOwnBytes }

    /// The refusal of the connection if its firm bytes alone are more than it may keep, or more than they leave to
    /// others; else nil.
    var refusal: Problem? {
        if isBeyondItsOwn { return .memoryLimit }
        let otherBytes = all.count - bytes
        return firmBytes >= Self.smallBytes && otherBytes + firmBytes > maxBytes - firmBytes ? .buffersFull : nil
    }
}
