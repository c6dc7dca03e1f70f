/// The seeds for a fuzz test: a fixed one, so that a run can be repeated, and the following ones for the requested time.
///
/// `CONVERT_FUZZ_SEED` replaces the first seed; `CONVERT_FUZZ_SECONDS` is how long each test continues with further seeds.
package struct FuzzSeeds: Sequence, IteratorProtocol {
    private var seed: UInt64
    private var hasBegun = false
    private let end: ContinuousClock.Instant

    package init(usual: UInt64) {
        seed = TestVariable.number("CONVERT_FUZZ_SEED", usual)
        end = .now + .seconds(TestVariable.number("CONVERT_FUZZ_SECONDS", 0))
    }

    package mutating func next() -> UInt64? {
        guard hasBegun else {
            hasBegun = true
            return seed
        }
        guard ContinuousClock.now < end else { return nil }
        seed &+= 1
        return seed
    }
}
