public import Synchronization

/// A count that one loop increases and any thread reads.
///
/// The only writer is the loop that owns it, so an increase is a load and a store, not a locked instruction. With two
/// writers, counts would be lost. `LoopMetrics` ensures this, because it cannot leave its loop. The store releases and
/// the reads acquire, so a reader that sees a count sees all counts that the loop increased before it.
@usableFromInline
package struct Counter: ~Copyable, Sendable {
    @usableFromInline package let value = Atomic<UInt64>(0)

    package init() {}

    @inlinable @inline(__always)
    package func add(_ amount: UInt64 = 1) {
        value.store(value.load(ordering: .relaxed) &+ amount, ordering: .releasing)
    }

    package var current: UInt64 { value.load(ordering: .acquiring) }
}
