/// Random numbers that are the same in every run and on every machine: SplitMix64.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    /// Up to `most` ascending offsets inside a payload of `count` bytes.
    package mutating func cuts(count: Int, most: Int) -> [Int] {
        let number = Int.random(in: 1...most, using: &self)
        return (0..<number).map { _ in Int.random(in: 0...count, using: &self) }.sorted()
    }
}
