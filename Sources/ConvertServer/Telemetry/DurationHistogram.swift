/// Durations by the smallest bound that is not exceeded.
package struct DurationHistogram: ~Copyable, Sendable {
    /// The inclusive bounds in nanoseconds. One more bucket is for longer durations.
    package static let bounds: [UInt64] = [
        100_000, 250_000, 500_000,
        1_000_000, 2_500_000, 5_000_000,
        10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000,
        1_000_000_000, 2_500_000_000, 5_000_000_000,
        10_000_000_000, 30_000_000_000,
    ]

    /// One for each bound and one for the rest.
    private let buckets = InlineArray<18, Counter> { _ in Counter() }
    private let nanoseconds = Counter()

    package init() {}

    /// Adds one duration. Only the owning loop calls it.
    package func observe(nanoseconds duration: UInt64) {
        nanoseconds.add(duration)
        var bucket = 0
        while bucket < Self.bounds.count && duration > Self.bounds[bucket] { bucket += 1 }
        buckets[bucket].add()
    }

    /// The counts of a histogram at one time. Several can be added up.
    package struct Total: Sendable, Hashable {
        /// Durations in each bucket, without those in lower buckets.
        var buckets = [UInt64](repeating: 0, count: DurationHistogram.bounds.count + 1)
        package var nanoseconds: UInt64 = 0

        package init() {}

        /// The number of all durations. It is the sum of the buckets, so that the two never differ.
        package var count: UInt64 { buckets.reduce(0, &+) }
    }

    /// Adds everything to `total`. Any thread may call it.
    package func add(to total: inout Total) {
        for bucket in buckets.indices { total.buckets[bucket] &+= buckets[bucket].current }
        total.nanoseconds &+= nanoseconds.current
    }
}
