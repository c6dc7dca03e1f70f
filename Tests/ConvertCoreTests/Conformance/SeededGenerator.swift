/// SplitMix64: the same numbers on every run and machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Up to `most` ascending offsets inside a payload of `count` bytes.
    mutating func cuts(count: Int, most: Int) -> [Int] {
        let number = Int.random(in: 1...most, using: &self)
        return (0..<number).map { _ in Int.random(in: 0...count, using: &self) }.sorted()
    }
}
