import Synchronization

// Requests are counted by route, status and profile. Few of the combinations ever happen, so each loop has a table of
// those that did: open addressing in two arrays of fixed size, keys and counts. These must stay in step:
//
// - Only the owning loop writes. A key is stored once and never changes; a reader that sees it reads the count beside
//   it.
// - At most `maxSeries` keys are taken, plus one for each class of status that counts all later ones. So a search
//   always ends at a free slot.

/// The key of a count: three labels, packed into one number that is not zero.
package struct SeriesKey: Sendable, Hashable {
    package let packed: UInt64

    private static let mark: UInt64 = 1 << 63

    package init(_ first: UInt16, _ second: UInt16, _ third: UInt16) {
        packed = Self.mark | UInt64(first) << 32 | UInt64(second) << 16 | UInt64(third)
    }

    package init(packed: UInt64) { self.packed = packed }

    package var first: UInt16 { UInt16(truncatingIfNeeded: packed >> 32) }
    package var second: UInt16 { UInt16(truncatingIfNeeded: packed >> 16) }
    package var third: UInt16 { UInt16(truncatingIfNeeded: packed) }
}

/// One loop's counts by series.
package struct SeriesTable: ~Copyable, Sendable {
    /// Different series that a loop counts separately.
    static let maxSeries = 3072

    private static let capacityBits: UInt64 = 12
    /// 2^64 divided by the golden ratio: its products spread neighbouring numbers (Knuth, volume 3, §6.4).
    private static let multiplier: UInt64 = 11_400_714_819_323_198_485

    private let keys = InlineArray<4096, Atomic<UInt64>> { _ in Atomic(0) }
    private let counts = InlineArray<4096, Counter> { _ in Counter() }
    private let seriesCount = Counter()

    package init() {}

    /// Counts once under `key`, or under `rest` if there are too many others. Only the owning loop calls it.
    package func add(_ key: SeriesKey, beyondLimit rest: @autoclosure () -> SeriesKey) {
        var slot = slot(of: key)
        if keys[slot].load(ordering: .relaxed) == 0 {
            if seriesCount.current < UInt64(Self.maxSeries) {
                take(slot, for: key)
            } else {
                let rest = rest()
                slot = self.slot(of: rest)
                if keys[slot].load(ordering: .relaxed) == 0 { take(slot, for: rest) }
            }
        }
        counts[slot].add()
    }

    /// Adds all counts to `total`. Any thread may call it.
    package func add(to total: inout [SeriesKey: UInt64]) {
        for slot in keys.indices {
            let packed = keys[slot].load(ordering: .acquiring)
            if packed != 0 { total[SeriesKey(packed: packed), default: 0] += counts[slot].current }
        }
    }

    /// The slot of a key, or the free slot for it.
    private func slot(of key: SeriesKey) -> Int {
        var slot = Int((key.packed &* Self.multiplier) >> (64 - Self.capacityBits))
        while true {
            let found = keys[slot].load(ordering: .relaxed)
            if found == key.packed || found == 0 { return slot }
            slot = (slot + 1) & (keys.count - 1)
        }
    }

    private func take(_ slot: Int, for key: SeriesKey) {
        keys[slot].store(key.packed, ordering: .releasing)
        seriesCount.add()
    }
}
