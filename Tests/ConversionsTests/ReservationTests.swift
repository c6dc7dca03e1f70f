import Testing

@testable import Conversions

struct ReservationTests {
    private static let step = Reservation.stepBytes
    private static let small = Reservation.smallBytes

    @Test func `whole steps are counted, and released at the end of the reservation`() {
        let all = MemoryBudget()
        do {
            let first = Reservation(all, maxBytes: 100 * Self.small)
            let second = Reservation(all, maxBytes: 100 * Self.small)
            let rows = [(0, 0), (Self.step - 1, 0), (Self.step, 1), (3 * Self.step + 7, 3), (Self.step + 1, 1), (5, 0)]
            var last = 0
            for (count, steps) in rows {
                #expect(first.set(.request, firm: count) == (steps > last))
                #expect(all.count == steps * Self.step)
                last = steps
            }
            first.set(.request, firm: Self.step, passing: Self.step)
            second.set(.request, firm: 3 * Self.step)
            #expect(all.count == 5 * Self.step)
        }
        #expect(all.count == 0 && all.waitingCount == 0)
    }

    @Test func `the buffers of a connection are added up, and unsent output is also counted alone`() {
        let all = MemoryBudget()
        let reservation = Reservation(all, maxBytes: 100 * Self.small)
        // Six halves of a step make three steps. Two of the halves are output that waits.
        for part in Reservation.Part.allCases {
            reservation.set(part, firm: part.isWaiting ? 0 : Self.step / 2, passing: part.isWaiting ? Self.step / 2 : 0)
        }
        #expect(all.count == 3 * Self.step && all.waitingCount == Self.step)
        // The sizes of the head and of the client's output stay until they are set again.
        reservation.endExchange()
        #expect(all.count == Self.step && all.waitingCount == 0)
        reservation.set(.head)
        reservation.set(.client)
        #expect(all.count == 0)
    }

    @Test func `a reservation above the rest of the memory is too large, unless it is small`() {
        // Columns: portions of others, own firm and own passing portions. Firm ones count as 4 of 9 at most.
        let rows: [(others: Int, firm: Int, passing: Int, isTooLarge: Bool, isRefused: Bool)] = [
            (0, 4, 0, false, false), (0, 400, 0, false, false), (1, 4, 0, false, false), (2, 4, 0, true, true),
            (2, 400, 0, true, true), (4, 400, 0, true, true), (3, 3, 0, false, false), (4, 3, 0, true, true),
            (7, 1, 0, false, false), (8, 1, 0, true, true), (20, 1, 0, true, true), (20, 0, 0, false, false),
            (0, 2, 3, true, false), (0, 0, 5, true, false), (5, 2, 2, true, false), (6, 2, 0, true, true),
        ]
        for row in rows {
            let all = MemoryBudget()
            all.add(row.others * Self.small)
            let reservation = Reservation(all, maxBytes: 9 * Self.small)
            #expect(
                reservation.set(.response, firm: row.firm * Self.small, passing: row.passing * Self.small)
                    == (row.firm > 0))
            #expect(reservation.isTooLarge == row.isTooLarge, "\(row)")
            let own = min(row.firm, 4) + row.passing
            #expect(reservation.isCrowded == (own > 0 && row.others + own > 9), "\(row)")
            #expect(reservation.refusal == (row.isRefused ? .buffersFull : nil), "\(row)")
        }
        let all = MemoryBudget()
        let reservation = Reservation(all, maxBytes: 9 * Self.small)
        all.add(20 * Self.small)
        reservation.set(.request, firm: Self.small - 1)
        #expect(reservation.refusal == nil && !reservation.isTooLarge)
        let boundless = Reservation(MemoryBudget(), maxBytes: .max)
        boundless.set(.request, firm: 1 << 50)
        #expect(!boundless.isTooLarge && boundless.refusal == nil)
    }

    @Test
    func `a connection above its own limit is always refused, whatever other connections use`() {
        let step = Self.step
        let reservation = Reservation(MemoryBudget(), maxBytes: 9 * Self.small, maxOwnBytes: 20 * Self.small)
        for (firm, isRefused) in [
            (20 * Self.small, false), (20 * Self.small + 1, true), (20 * Self.small + step, true),
            (10 * Self.small, false),
        ] {
            let hasGrown = reservation.set(.request, firm: firm)
            #expect(reservation.refusal == (isRefused ? .memoryLimit : nil), "\(firm)")
            // Callers ask for a refusal only after `set` has returned true.
            #expect(!isRefused || hasGrown)
        }
        reservation.set(.request, passing: 1 << 40)
        #expect(reservation.refusal == nil)
    }
}
