import HTTPWire
import Testing

@testable import Observability
@testable import Sockets
@testable import Upstreams

struct RetryTests {
    private static func moment(milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: milliseconds * 1_000_000)
    }

    @Test
    func
        `a failed connect is retried for every method, a close only for requests that can be repeated or were not sent`()
    {
        let repeatable: [RequestMethod] = [.get, .head, .options, .put, .delete]
        for method in RequestMethod.known {
            #expect(RetryRule.allows(.connect, method, isBodyHeld: false, wasSent: false), "\(method)")
            #expect(
                RetryRule.allows(.closedWithoutResponse, method, isBodyHeld: true, wasSent: true)
                    == repeatable.contains(method), "\(method)")
            #expect(RetryRule.allows(.closedWithoutResponse, method, isBodyHeld: true, wasSent: false), "\(method)")
            for wasSent in [true, false] {
                #expect(
                    !RetryRule.allows(.closedWithoutResponse, method, isBodyHeld: false, wasSent: wasSent), "\(method)")
                for failure in [AttemptFailure.timeout, .brokenResponse] {
                    #expect(!RetryRule.allows(failure, method, isBodyHeld: true, wasSent: wasSent), "\(method)")
                }
            }
        }
        #expect(RetryRule.maxHeldBytes == 65_536)
    }

    @Test func `requests that cannot be repeated only use connections idle for less than a second`() {
        for (method, idle, isAllowed) in [
            (RequestMethod.post, 999, true), (.post, 1000, false), (.patch, 5000, false), (.get, 5000, true),
        ] as [(RequestMethod, Int64, Bool)] {
            #expect(RetryRule.allowsReuse(method, idleMilliseconds: idle) == isAllowed, "\(method) \(idle)")
        }
    }

    @Test func `without traffic, three retries per second are allowed`() {
        var budget = RetryBudget()
        var taken = 0
        for millisecond in stride(from: Int64(0), to: 60_000, by: 10) {
            if budget.takeRetry(at: Self.moment(milliseconds: millisecond)) { taken += 1 }
        }
        // Three retries a second for a minute, counted over windows of ten seconds.
        #expect(taken == 180)
    }

    @Test func `with traffic, a fifth of the requests may be retried`() {
        var budget = RetryBudget()
        var taken = 0
        for millisecond in Int64(0)..<10_000 {
            budget.requestBegan(at: Self.moment(milliseconds: millisecond))
            if budget.takeRetry(at: Self.moment(milliseconds: millisecond)) { taken += 1 }
        }
        #expect(taken == 2000)
        // Much later, that traffic no longer counts.
        let later = (0..<100).count { _ in budget.takeRetry(at: Self.moment(milliseconds: 60_000)) }
        #expect(later == 30)
    }
}
