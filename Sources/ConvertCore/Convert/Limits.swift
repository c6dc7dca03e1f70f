/// What a payload may hold before it is refused.
public struct Limits: Sendable, Hashable {
    /// Open containers at one time.
    public var maxDepth: Int
    /// Raw bytes of one member name, between its quotes.
    public var maxKeyBytes: Int

    /// Creates limits: 512 open containers and 64 KiB a name, where nothing else is said.
    public init(maxDepth: Int = 512, maxKeyBytes: Int = 64 * 1024) {
        self.maxDepth = maxDepth
        self.maxKeyBytes = maxKeyBytes
    }
}
