/// The limits beyond which a payload is refused.
public struct Limits: Sendable, Hashable {
    /// The range of `maxDepth`. Converters use the upper bound if the value is larger.
    public static let depths = 1...(1 << 15)

    /// The maximum number of open containers.
    public var maxDepth: Int
    /// The maximum length of a key: the raw bytes between its quotes.
    public var maxKeyBytes: Int
    /// The maximum bytes of output that wait for the end of an object, a record or a string with JSON.
    ///
    /// A profile can make a long output from a short input. This limit stops its additions to a buffered object from
    /// filling the memory.
    public var maxHeldBytes: Int

    /// Creates limits. The defaults are 512 open containers, 64 KiB for each key, and no limit of buffered output.
    public init(maxDepth: Int = 512, maxKeyBytes: Int = 64 * 1024, maxHeldBytes: Int = .max) {
        self.maxDepth = maxDepth
        self.maxKeyBytes = maxKeyBytes
        self.maxHeldBytes = maxHeldBytes
    }
}
