/// How much of a payload is converted at once. So others wait for a turn of the loop, and not for a payload that is
/// slow to convert, such as one with ever new keys.
///
/// A converter that was fast gets more, up to the limit of its recipe. One that was slow gets as much as would have
/// fitted into the time that it may take.
struct SlicePace {
    /// Input bytes of the next slice.
    private(set) var bytes: Int
    private let most: Int

    /// How much a new converter gets, and how much if its profile came with the request.
    static let firstBytes = 16 * 1024
    static let firstBytesOfUnknown = 2 * 1024
    /// A slice that would be shorter would cost more than it spares others, unless the recipe asks for it.
    static let leastBytes = 128
    /// What a slice may take: a turn.
    private static let maxNanoseconds: Int64 = 1_000_000

    init(most: Int, isUnknown: Bool = false) {
        self.most = most
        bytes = min(most, isUnknown ? Self.firstBytesOfUnknown : Self.firstBytes)
    }

    /// Takes into account that a slice of `count` bytes took so long.
    mutating func note(_ count: Int, nanoseconds: Int64) {
        if nanoseconds > Self.maxNanoseconds {
            let fair = Int(Int64(count) * Self.maxNanoseconds / nanoseconds)
            bytes = min(most, max(Self.leastBytes, fair))
        } else if count >= bytes, nanoseconds < Self.maxNanoseconds / 4 {
            bytes = min(most, bytes * 2)
        }
    }
}
