// One connection has one reservation. Each part of the connection sets its number of buffered bytes whenever that
// changes. The process counts the sum. These must stay in step:
//
// - The sum is counted in steps of 4 KiB. So the counts that all loops share are touched seldom, and never for small
//   messages.
// - Firm bytes are those that only the end of their part releases. They count for at most a third of all. A connection
//   that reaches that may continue, as far as its own limits and the process's memory allow. So a server with little
//   load accepts whatever they allow. There is never room for a second such connection.
// - A connection may keep as much as it leaves to others. So many large ones stop each other before there is no room
//   for a small one. A small one is never refused and never forced to send early.

package import HTTPSemantics

/// One connection's share of the buffered bytes of the process. It is released when the connection closes.
package final class Reservation {
    /// The parts of a connection that buffer bytes.
    package enum Part: Int, CaseIterable {
        /// The head of the request, from its first byte until the response ends.
        case head
        /// The buffered part of a request to the service, and its response until that is committed.
        case request
        /// A body for an upstream: the bytes that wait for the upstream's head, and the copy for a retry.
        case body
        /// A converted response of an upstream, until it is committed.
        case response
        /// The bytes that wait until the client accepts them.
        case client
        /// The bytes that wait until the upstream accepts them.
        case upstream

        /// Whether the bytes wait for a peer.
        var isWaiting: Bool { self == .client || self == .upstream }
    }

    private struct Amount: Equatable {
        var firm = 0
        var passing = 0
    }

    package static let stepBytes = 4 * 1024
    /// A connection that buffers less is never refused for its buffers.
    package static let smallBytes = 32 * 1024

    /// The counts of the process.
    package let budget: MemoryBudget
    /// The most bytes that all connections may buffer together, and the most firm bytes of one connection that are
    /// counted.
    private let maxBytes: Int
    private let maxFirmBytes: Int
    /// The most bytes that one connection may buffer, whatever others do.
    private let maxOwnBytes: Int
    /// By part.
    private var amounts = InlineArray<6, Amount>(repeating: Amount())
    private var sum = Amount()
    private var sumOfWaiting = 0
    /// The counted bytes, in whole steps.
    private var bytes = 0
    private var waitingBytes = 0
    /// Whole steps of firm bytes.
    private var firmBytes = 0

    package init(_ budget: MemoryBudget, maxBytes: Int, maxOwnBytes: Int = .max) {
        self.budget = budget
        self.maxBytes = maxBytes
        self.maxOwnBytes = maxOwnBytes
        // A third plus the size of a small message. Two such connections, and as much again for others, would exceed the
        // limit. So there is never room for a second one.
        maxFirmBytes = maxBytes / 3 + Self.smallBytes
    }

    deinit {
        if bytes > 0 { budget.add(-bytes) }
        if waitingBytes > 0 { budget.addWaiting(-waitingBytes) }
    }

    /// Sets the number of bytes that a part buffers now.
    ///
    /// - Parameters:
    ///   - firm: bytes that stay until more of the message has arrived.
    ///   - passing: bytes that could be sent or discarded if there were no room for them.
    /// - Returns: whether the counted firm bytes have grown by a step or more, or exceed the connection's limit.
    @discardableResult
    package func set(_ part: Part, firm: Int = 0, passing: Int = 0) -> Bool {
        let new = Amount(firm: firm, passing: passing)
        let old = amounts[part.rawValue]
        guard new != old else { return isBeyondItsOwn }
        amounts[part.rawValue] = new
        sum.firm += new.firm - old.firm
        sum.passing += new.passing - old.passing
        if part.isWaiting { sumOfWaiting += new.passing - old.passing }
        return count()
    }

    /// Releases the bytes of one request and its response. Bytes that wait for the client stay.
    package func endExchange() {
        set(.request)
        set(.body)
        set(.response)
        set(.upstream)
    }

    private func count() -> Bool {
        let firm = min(sum.firm, maxFirmBytes)
        let steps = Self.wholeSteps(firm + sum.passing)
        if steps != bytes {
            budget.add(steps - bytes)
            bytes = steps
        }
        let waitingSteps = Self.wholeSteps(sumOfWaiting)
        if waitingSteps != waitingBytes {
            budget.addWaiting(waitingSteps - waitingBytes)
            waitingBytes = waitingSteps
        }
        let firmSteps = Self.wholeSteps(firm)
        defer { firmBytes = firmSteps }
        return firmSteps > firmBytes || isBeyondItsOwn
    }

    private static func wholeSteps(_ count: Int) -> Int { count - count % stepBytes }

    // MARK: Room

    /// Whether all connections together exceed the limit.
    package var areAllCrowded: Bool { budget.count > maxBytes }

    /// Whether the bytes that wait for peers exceed half of the limit.
    package var areAllWaiting: Bool { budget.waitingCount > maxBytes / 2 }

    /// Whether the bytes that wait for peers exceed a quarter of the limit.
    package var areManyWaiting: Bool { budget.waitingCount > maxBytes / 4 }

    /// Whether all connections together exceed the limit, and this one contributes to it.
    package var isCrowded: Bool { bytes >= Self.smallBytes && areAllCrowded }

    /// Whether the connection buffers more than it leaves to others.
    package var isTooLarge: Bool { bytes >= Self.smallBytes && budget.count > maxBytes - bytes }

    private var isBeyondItsOwn: Bool { sum.firm > maxOwnBytes }

    /// The refusal, if the firm bytes of the connection exceed its own limit or the room that they leave to others;
    /// else nil.
    package var refusal: Problem? {
        if isBeyondItsOwn { return .memoryLimit }
        let otherBytes = budget.count - bytes
        return firmBytes >= Self.smallBytes && otherBytes + firmBytes > maxBytes - firmBytes ? .buffersFull : nil
    }
}
