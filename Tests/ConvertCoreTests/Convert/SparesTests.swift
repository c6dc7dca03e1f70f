import Synchronization
import Testing

@testable import ConvertEngine

/// What a plan and the coders keep from one conversion for the next.
struct SparesTests {
    /// Counts how many of them are alive.
    private struct Counted: ~Copyable, Sendable {
        let number: Int
        let alive: Count

        init(_ number: Int, _ alive: Count) {
            (self.number, self.alive) = (number, alive)
            alive.value.withLock { $0 += 1 }
        }

        deinit { alive.value.withLock { $0 -= 1 } }
    }

    private final class Count: Sendable {
        let value = Mutex(0)
    }

    /// How many a plan keeps. They are taken away.
    private static func spareCount(of plan: Plan) -> Int {
        plan.spareKeys.take().count { _ in 1 + spareCount(of: plan) }
    }

    @Test func `the last one that was kept comes first, and none comes twice`() {
        let spares = Spares<Counted>(maxBytes: 100)
        let alive = Count()
        for number in 1...3 { spares.keep(Counted(number, alive), bytes: 1) }
        var numbers: [Int] = []
        while let spare = spares.take() { numbers.append(spare.number) }
        #expect(numbers == [3, 2, 1])
        #expect(alive.value.withLock { $0 } == 0)
    }

    @Test func `those without room are freed, and the others with their owner`() {
        let alive = Count()
        do {
            let spares = Spares<Counted>(maxBytes: 100)
            spares.keep(Counted(1, alive), bytes: 60)
            spares.keep(Counted(2, alive), bytes: 41)
            #expect(alive.value.withLock { $0 } == 1)
            spares.keep(Counted(3, alive), bytes: 40)
            #expect(alive.value.withLock { $0 } == 2)
            let last = spares.take().count { $0.number }
            #expect(last == 3)
            // The room is free again.
            spares.keep(Counted(4, alive), bytes: 40)
            #expect(alive.value.withLock { $0 } == 2)
        }
        #expect(alive.value.withLock { $0 } == 0)
    }

    @Test func `a plan learns from each payload for the next, and does not live longer for it`() async throws {
        weak var freed: Plan?
        do {
            let plan: Plan = try .forward(
                #"{"keys": "camelCase", "rename": {"user_name": "un"}, "on": {"duplicateKey": "last"}}"#)
            freed = plan
            for text in [#"{"user_name":1,"a_b":{"c_d":2}}"#, #"{"a_b":{"c_d":2,"c\u005fd":3},"user_name":1}"#] {
                let expected = text.contains("u005f") ? #"{"aB":{"cD":3},"un":1}"# : #"{"un":1,"aB":{"cD":2}}"#
                for _ in 0..<3 { #expect(try plan.convert(text) == expected) }
            }
            for tried in [plan, try #require(plan.triedFirst)] {
                let keys = tried.spareKeys.take().count { $0.cache.entries.count }
                #expect(keys >= 3)
                #expect(Self.spareCount(of: tried) == 0)
            }
            for _ in 0..<2 {
                var pieces: [UInt8] = []
                for try await piece in plan.convert(AsyncStream.of([Array(#"{"a_b":"#.utf8), Array("1}".utf8)])) {
                    pieces += piece
                }
                #expect(pieces == Array(#"{"aB":1}"#.utf8))
            }
            #expect(Self.spareCount(of: plan) == 1)
        }
        #expect(freed == nil)
    }

    @Test func `a key of an earlier payload is no duplicate`() throws {
        let plan: Plan = try .forward(#"{"keys": "camelCase"}"#)
        for _ in 0..<3 {
            for text in [#"{"a_b":1}"#, #"{"aB":1}"#, #"{"a\u005fb":1}"#] {
                #expect(try plan.convert(text) == #"{"aB":1}"#)
                for other in [#"{"a_b":1,"a_b":2}"#, #"{"a_b":1,"aB":2}"#] {
                    #expect(throws: ConversionError.self) { try plan.convert(other) }
                }
            }
        }
    }
}

extension AsyncStream where Element: Sendable {
    fileprivate static func of(_ elements: [Element]) -> AsyncStream {
        AsyncStream { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
    }
}
