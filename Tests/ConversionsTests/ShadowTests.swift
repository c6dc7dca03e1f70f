import ConvertEngine
import Observability
import Sockets
import Synchronization
import Testing

@testable import Conversions

/// The choice of responses and the queue of samples.
struct ShadowTests {
    /// The results that were counted.
    private final class Counts: Sendable {
        private let counts = Mutex([Int](repeating: 0, count: ShadowOutcome.allCases.count))

        func add(_ outcome: ShadowOutcome) { counts.withLock { $0[outcome.rawValue] += 1 } }

        var all: [Int] { counts.withLock { $0 } }
        private var total: Int { counts.withLock { $0.reduce(0, +) } }

        /// Waits until this number of results is counted.
        func wait(for wanted: Int) async throws -> [Int] {
            for _ in 0..<1000 where total < wanted { try await Task.sleep(for: .milliseconds(20)) }
            return all
        }
    }

    private static func shadow(_ counts: Counts, share: Double) throws -> Shadow {
        Shadow(
            try ProfileComparisonTests.comparison("{}", #"{ "drop": "/a" }"#), route: "r", profile: "p",
            direction: "forward", share: share
        ) { counts.add($0) }
    }

    @Test func `the share of the responses is chosen`() throws {
        let counts = Counts()
        // The standard deviation is 43, so a wrong failure is less likely than one in a million runs.
        let quarter = try Self.shadow(counts, share: 0.25)
        let chosen = (0..<10_000).count { _ in quarter.nextSample(.document) != nil }
        #expect((2285...2715).contains(chosen))
        #expect(counts.all == [0, 0, 0, chosen])
        let (none, all) = (try Self.shadow(counts, share: 0), try Self.shadow(counts, share: 1))
        #expect((0..<1000).allSatisfy { _ in none.nextSample(.document) == nil && all.nextSample(.document) != nil })
    }

    @Test func `samples without room are skipped, and all memory is released`() async throws {
        let counts = Counts()
        let shadow = try Self.shadow(counts, share: 1)
        let budget = MemoryBudget()
        // 30 bodies of 256 KiB, of which at most 15 fit into the queue at one time.
        let body = Array((#"{"a":""# + String(repeating: "x", count: Shadow.maxBodyBytes - 10) + #""}"#).utf8)
        for _ in 0..<30 {
            let sample = try #require(shadow.nextSample(.document))
            for start in stride(from: 0, to: body.count, by: 10_000) {
                sample.append(body.span.extracting(start..<min(start + 10_000, body.count)), hasRoom: true)
            }
            #expect(sample.count == body.count)
            sample.compare(budget)
            #expect(sample.count == 0)
        }
        let results = try await counts.wait(for: 30)
        #expect(results.reduce(0, +) == 30 && results[ShadowOutcome.skipped.rawValue] >= 1, "\(results)")
        for _ in 0..<1000 where budget.count > 0 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(budget.count == 0)
        // No memory, and one byte too much.
        let crowded = try #require(shadow.nextSample(.document))
        crowded.append(body.span, hasRoom: false)
        #expect(crowded.count == 0)
        crowded.compare(budget)
        let long = try #require(shadow.nextSample(.document))
        long.append(body.span, hasRoom: true)
        long.append(body.span.extracting(0..<1000), hasRoom: true)
        #expect(long.count == 0)
        long.compare(budget)
        #expect(budget.count == 0)
    }
}
