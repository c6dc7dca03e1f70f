package import HTTPWire
package import Observability
import Sockets

/// When a request may be sent a second time.
package enum RetryRule {
    /// The most bytes of a sent body that are kept for a retry.
    package static let maxHeldBytes = 64 * 1024
    /// The longest idle time of a connection for a request that cannot be repeated.
    static let freshMilliseconds: Int64 = 1000

    /// Whether a request may be tried again, as far as the budget allows it.
    ///
    /// - Parameters:
    ///   - isBodyHeld: whether all sent bytes of the body are still buffered.
    ///   - wasSent: whether any byte of the request was sent.
    package static func allows(_ failure: AttemptFailure, _ method: RequestMethod, isBodyHeld: Bool, wasSent: Bool)
        -> Bool
    {
        switch failure {
        case .connect: true
        case .closedWithoutResponse: (repeatable.contains(method) || !wasSent) && isBodyHeld
        case .timeout, .brokenResponse: false
        }
    }

    /// Whether a request may use a connection after this idle time. The server may be closing it, and a request that
    /// cannot be repeated would be lost.
    static func allowsReuse(_ method: RequestMethod, idleMilliseconds: Int64) -> Bool {
        repeatable.contains(method) || idleMilliseconds < freshMilliseconds
    }

    /// Idempotent (RFC 9110 §9.2.2).
    private static let repeatable: [RequestMethod] = [.get, .head, .put, .delete, .options]
}

/// The number of retries that the process may make: a fifth of its requests, so that retries cannot double the load of
/// failing backends.
struct RetryBudget: Sendable {
    /// Retries in each second that are always allowed.
    static let minRetriesPerSecond = 3
    /// The maximum share of requests that are retried.
    static let maxPercent = 20
    /// The time over which requests and retries are counted.
    static let windowSeconds = 10

    /// The counts of one second.
    private struct Second: Sendable {
        var number: Int64 = -1
        var requests = 0
        var retries = 0
    }

    /// A ring, by the second's number.
    private var seconds = Array(repeating: Second(), count: windowSeconds)

    /// Counts a request; its second attempt is not another.
    mutating func requestBegan(at now: MonotonicTime) { seconds[slot(at: now)].requests += 1 }

    /// Takes one retry from the budget. False if none is left.
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

    /// The slot of the current second. Counts of an older second are cleared.
    private mutating func slot(at now: MonotonicTime) -> Int {
        let number = Self.second(of: now)
        let slot = Int(number % Int64(Self.windowSeconds))
        if seconds[slot].number != number { seconds[slot] = Second(number: number) }
        return slot
    }

    private static func second(of moment: MonotonicTime) -> Int64 { moment.nanoseconds / 1_000_000_000 }
}
