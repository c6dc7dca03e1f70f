/// What a payload may hold before it is refused.
public struct Limits: Sendable, Hashable {
    /// What `maxDepth` can be; converters stop at the upper bound.
    public static let depths = 1...(1 << 15)

    /// Open containers at one time.
    public var maxDepth: Int
    /// Raw bytes of one member name, between its quotes.
    public var maxKeyBytes: Int
    /// Bytes of output that wait at one time for the end of an object, a record or a value of JSON in a string.
    ///
    /// A profile can make much of little: this keeps what it adds to an object that is held whole from filling the memory.
    public var maxHeldBytes: Int

    /// Creates limits: 512 open containers and 64 KiB a name, where nothing else is said, and no limit to what is held.
    public init(maxDepth: Int = 512, maxKeyBytes: Int = 64 * 1024, maxHeldBytes: Int = .max) {
        self.maxDepth = maxDepth
        self.maxKeyBytes = maxKeyBytes
        self.maxHeldBytes = maxHeldBytes
    }
}
