import ConvertText

/// The first four bytes of a payload, which tell UTF-16 and UTF-32 from UTF-8.
struct Signature: BitwiseCopyable, Sendable {
    static let size = 4
    /// A signature of white space, for a part of a payload that is not its first.
    static let blank = Signature(storage: .init(repeating: ASCII.space), count: size)

    private var storage: InlineArray<4, UInt8>
    private(set) var count: Int

    private init(storage: InlineArray<4, UInt8>, count: Int) { (self.storage, self.count) = (storage, count) }

    /// An empty one.
    init() { self.init(storage: .init(repeating: 0), count: 0) }

    var isWhole: Bool { count == Self.size }

    /// The bytes so far.
    var bytes: [UInt8] { (0..<count).map { storage[$0] } }

    /// Adds bytes until it is whole.
    mutating func append(_ chunk: Span<UInt8>) {
        for index in 0..<min(Self.size - count, chunk.count) {
            storage[count] = chunk[index]
            count += 1
        }
    }
}
