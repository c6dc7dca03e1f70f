/// How many bytes of a payload are converted at once. So other connections do not wait for a payload that is slow to
/// convert, such as one with many different keys.
///
/// A fast converter gets more, up to the limit of its recipe. A slow one gets as many bytes as fit into its time.
struct SlicePace {
    /// Input bytes of the next slice.
    private(set) var bytes: Int
    private let most: Int

    /// The first slice of a new converter, and of one whose profile came with the request.
    static let firstBytes = 16 * 1024
    static let firstBytesOfUnknown = 2 * 1024
    /// The shortest slice, unless the recipe has a shorter one. Still shorter slices would cost more than they save for
    /// others.
    static let leastBytes = 128
    /// The longest time of a slice: a turn.
    private static let maxNanoseconds: Int64 = 1_000_000

    init(most: Int, isUnknown: Bool = false) {
        self.most = most
        bytes = min(most, isUnknown ? Self.firstBytesOfUnknown : Self.firstBytes)
    }

    /// Adapts to the time that a slice of `count` bytes took.
    mutating func note(_ count: Int, nanoseconds: Int64) {
        if nanoseconds > Self.maxNanoseconds {
            let fair = Int(Int64(count) * Self.maxNanoseconds / nanoseconds)
            bytes = min(most, max(Self.leastBytes, fair))
        } else if count >= bytes, nanoseconds < Self.maxNanoseconds / 4 {
            bytes = min(most, bytes * 2)
        }
    }
}
