import HTTPWire
import Sockets

/// When a request may be sent a second time.
enum RetryRule {
    /// How an attempt has failed.
    enum Failure: Sendable, Hashable, CaseIterable {
        /// There was no connection, so nothing was sent.
        case connect
        /// The connection was reset or closed before any byte of an answer.
        case closedUnanswered
        /// There was no connection or no answer in time.
        case timeout
        /// A part of an answer came, or one that cannot be read.
        case brokenAnswer
    }

    /// What of a sent body is kept for a second attempt.
    static let maxHeldBytes = 64 * 1024
    /// How long a connection may have idled for a request that cannot be repeated.
    static let freshMilliseconds: Int64 = 1000

    /// Whether a request may be tried again, as far as the budget allows it.
    ///
    /// - Parameters:
    ///   - isBodyHeld: whether all that was to be sent of the body is still at hand.
    ///   - wasSent: whether any byte of the request has gone out.
    static func allows(_ failure: Failure, _ method: RequestMethod, isBodyHeld: Bool, wasSent: Bool) -> Bool {
        switch failure {
        case .connect: true
        case .closedUnanswered: (repeatable.contains(method) || !wasSent) && isBodyHeld
        case .timeout, .brokenAnswer: false
        }
    }

    /// Whether a request may go over a connection that has idled for so long: the server may be closing it, and what cannot
    /// be repeated would be lost.
    static func allowsReuse(_ method: RequestMethod, idleMilliseconds: Int64) -> Bool {
        repeatable.contains(method) || idleMilliseconds < freshMilliseconds
    }

    /// Idempotent (RFC 9110 §9.2.2).
    private static let repeatable: [RequestMethod] = [.get, .head, .put, .delete, .options]
}

/// How many second attempts the process may make: a fifth of its requests, so that retries cannot double the load of
/// backends that are failing already.
struct RetryBudget: Sendable {
    /// Second attempts a second that are always allowed.
    static let minRetriesPerSecond = 3
    /// Of the requests.
    static let maxPercent = 20
    /// Over which both are counted.
    static let windowSeconds = 10

    /// What happened in one second.
    private struct Second: Sendable {
        var number: Int64 = -1
        var requests = 0
        var retries = 0
    }

    /// A ring, by the second's number.
    private var seconds = Array(repeating: Second(), count: windowSeconds)

    /// Counts a request; its second attempt is not another.
    mutating func requestBegan(at now: MonotonicTime) { seconds[slot(at: now)].requests += 1 }

    /// Takes a second attempt out of the budget; false when there is none left.
    mutating func takeRetry(at now: MonotonicTime) -> Bool {
        let slot = slot(at: now)
        let first = Self.second(of: now) - Int64(Self.windowSeconds) + 1
        var requests = 0
        var retries = 0
        for second in seconds where second.number >= first {
            requests += second.requests
            retries += second.retries
        }
        let allowed = max(Self.minRetriesPerSecond * Self.windowSeconds, requests * Self.maxPercent / 100)
        guard retries < allowed else { return false }
        seconds[slot].retries += 1
        return true
    }

    /// The current second's place, emptied of what was there a window ago.
    private mutating func slot(at now: MonotonicTime) -> Int {
        let number = Self.second(of: now)
        let slot = Int(number % Int64(Self.windowSeconds))
        if seconds[slot].number != number { seconds[slot] = Second(number: number) }
        return slot
    }

    private static func second(of moment: MonotonicTime) -> Int64 { moment.nanoseconds / 1_000_000_000 }
}
