import Testing

@testable import ConvertServer

struct HeldShareTests {
    private static let step = HeldShare.stepBytes

    @Test func `whole steps are counted, and given back when the share goes`() {
        let all = HeldBytes()
        do {
            var first = HeldShare(all, maxBytes: 100 * Self.step)
            var second = HeldShare(all, maxBytes: 100 * Self.step)
            let rows = [(0, 0), (Self.step - 1, 0), (Self.step, 1), (3 * Self.step + 7, 3), (Self.step + 1, 1), (5, 0)]
            var last = 0
            for (count, steps) in rows {
                let hasGrown = first.set(firm: count)
                #expect(hasGrown == (steps > last))
                #expect(all.count == steps * Self.step)
                last = steps
            }
            first.set(firm: Self.step, passing: Self.step)
            second.set(firm: 3 * Self.step)
            #expect(all.count == 5 * Self.step)
        }
        #expect(all.count == 0)
    }

    @Test func `what leaves less to others than it keeps is too large, and what is small never`() {
        // Steps of others, own firm and passing steps. Firm ones count for 4 of 9 at the most.
        let rows: [(others: Int, firm: Int, passing: Int, isTooLarge: Bool, isRefused: Bool)] = [
            (0, 4, 0, false, false), (0, 400, 0, false, false), (1, 4, 0, false, false), (2, 4, 0, true, true),
            (2, 400, 0, true, true), (4, 400, 0, true, true), (3, 3, 0, false, false), (4, 3, 0, true, true),
            (7, 1, 0, false, false), (8, 1, 0, true, true), (20, 1, 0, true, true), (20, 0, 0, false, false),
            (0, 2, 3, true, false), (0, 0, 5, true, false), (5, 2, 2, true, false), (6, 2, 0, true, true),
        ]
        for row in rows {
            let all = HeldBytes()
            all.add(row.others * Self.step)
            var share = HeldShare(all, maxBytes: 9 * Self.step)
            let hasGrown = share.set(firm: row.firm * Self.step, passing: row.passing * Self.step)
            let (isTooLarge, isCrowded, refusal) = (share.isTooLarge, share.isCrowded, share.refusal)
            #expect(hasGrown == (row.firm > 0))
            #expect(isTooLarge == row.isTooLarge, "\(row)")
            let own = min(row.firm, 4) + row.passing
            #expect(isCrowded == (own > 0 && row.others + own > 9), "\(row)")
            #expect(refusal == (row.isRefused ? .buffersFull : nil), "\(row)")
        }
        var boundless = HeldShare(HeldBytes(), maxBytes: .max)
        boundless.set(firm: 1 << 50)
        let isBoundlessRefused = boundless.isTooLarge || boundless.refusal != nil
        #expect(!isBoundlessRefused)
    }

    @Test func `what is more than one message may keep is refused, whatever others keep, and as often as it is asked`()
    {
        var share = HeldShare(HeldBytes(), maxBytes: 9 * Self.step, maxOwnBytes: 20 * Self.step)
        let rows = [
            (20 * Self.step, false), (20 * Self.step + 1, true), (21 * Self.step, true), (10 * Self.step, false),
        ]
        for (firm, isRefused) in rows {
            let hasGrown = share.set(firm: firm)
            let refusal = share.refusal
            #expect(refusal == (isRefused ? .memoryLimit : nil), "\(firm)")
            // Who counts asks only then.
            #expect(!isRefused || hasGrown)
        }
        share.set(firm: 0, passing: 1 << 40)
        let refusal = share.refusal
        #expect(refusal == nil)
    }
}
