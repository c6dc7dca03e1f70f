// running → (signal) → delaying → (delay over) → draining → (time over, or second signal) → ending → (a loop does not
// come back) → ended. Without a delay the first signal leads straight to draining. The loops end by themselves when they
// are drained; no step is needed then.

import Sockets

/// The steps of stopping a server, without clock and loops.
struct Shutdown: Sendable {
    /// The messages for the loops.
    enum Action: Sendable, Equatable {
        case becomeUnready, drain, end
        /// The process ends without waiting for the loops that still run.
        case abandon
    }

    private enum State: Sendable {
        case running
        case delaying(until: MonotonicTime)
        case draining(until: MonotonicTime)
        case ending(until: MonotonicTime)
        case ended
    }

    /// The longest time for a loop to react to the message `end`.
    private static let endingMilliseconds: Int64 = 500

    private let delaySeconds: Int
    private let drainSeconds: Int
    private var state = State.running

    init(delaySeconds: Int, drainSeconds: Int) {
        self.delaySeconds = delaySeconds
        self.drainSeconds = drainSeconds
    }

    /// Whether the process must end.
    var hasBegun: Bool { if case .running = state { false } else { true } }

    /// The time of the next `tick` that has an effect.
    var nextTick: MonotonicTime? {
        switch state {
        case .running, .ended: nil
        case .delaying(let moment), .draining(let moment), .ending(let moment): moment
        }
    }

    /// Handles a signal to end the process.
    mutating func signalled(at now: MonotonicTime) -> [Action] {
        switch state {
        case .running:
            state = .delaying(until: now + delaySeconds)
            return [.becomeUnready] + tick(at: now)
        case .delaying, .draining: return end(at: now)
        case .ending, .ended: return []
        }
    }

    /// Handles the passing of time.
    mutating func tick(at now: MonotonicTime) -> [Action] {
        switch state {
        case .delaying(let moment) where moment <= now:
            state = .draining(until: now + drainSeconds)
            return [.drain]
        case .draining(let moment) where moment <= now: return end(at: now)
        case .ending(let moment) where moment <= now:
            state = .ended
            return [.abandon]
        default: return []
        }
    }

    private mutating func end(at now: MonotonicTime) -> [Action] {
        state = .ending(until: now.advanced(milliseconds: Self.endingMilliseconds))
        return [.end]
    }
}
