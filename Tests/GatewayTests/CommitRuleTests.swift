import Testing

@testable import Gateway
@testable import Sockets

struct CommitRuleTests {
    private static func moment(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: milliseconds * 1_000_000)
    }

    @Test func `nothing is sent before the first output, unless the input is too large to buffer`() {
        var rule = CommitRule()
        for milliseconds: Int64 in [0, 1000] {
            let isDue = rule.isDue(heldBytes: 0, hasRecord: false, isCrowded: false, at: Self.moment(milliseconds))
            #expect(!isDue)
        }
        #expect(rule.deadline == nil)
        let isDue = rule.isDue(heldBytes: 0, hasRecord: false, isCrowded: true, at: Self.moment(1000))
        #expect(isDue)
    }

    @Test func `a stream is committed with its first output, or 100 ms after its head`() {
        var rule = CommitRule(from: Self.moment(5))
        #expect(rule.deadline == Self.moment(105))
        for (bytes, hasRecord, milliseconds, expected) in [
            (0, false, 5, false), (0, false, 104, false), (0, false, 105, true), (1, true, 6, true),
        ] as [(Int, Bool, Int64, Bool)] {
            let isDue = rule.isDue(
                heldBytes: bytes, hasRecord: hasRecord, isCrowded: false, at: Self.moment(milliseconds))
            #expect(isDue == expected, "\(milliseconds)")
        }
    }

    @Test func `64 KiB, a record, full buffers or 100 ms start the response`() {
        let rows: [(bytes: Int, hasRecord: Bool, isCrowded: Bool, milliseconds: Int64, isDue: Bool)] = [
            (1, false, false, 5, false), (65_535, false, false, 104, false), (65_536, false, false, 5, true),
            (1, true, false, 5, true), (1, false, true, 5, true), (1, false, false, 105, true),
        ]
        for row in rows {
            var rule = CommitRule()
            let first = rule.isDue(heldBytes: 1, hasRecord: false, isCrowded: false, at: Self.moment(5))
            #expect(!first)
            #expect(rule.deadline == Self.moment(105))
            let isDue = rule.isDue(
                heldBytes: row.bytes, hasRecord: row.hasRecord, isCrowded: row.isCrowded,
                at: Self.moment(row.milliseconds))
            #expect(isDue == row.isDue, "\(row)")
        }
    }
}
