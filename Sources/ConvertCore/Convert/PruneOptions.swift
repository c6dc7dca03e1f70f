/// The choices of a profile's `prune` section: which values are taken out of the output, bottom up.
public struct PruneOptions: Sendable, Hashable {
    /// Whether nulls go.
    public internal(set) var null = false
    /// Whether `""` goes.
    public internal(set) var emptyString = false
    /// Whether `[]` goes, also one that became so.
    public internal(set) var emptyArray = false
    /// Whether `{}` goes, also one that became so.
    public internal(set) var emptyObject = false
    /// Whether elements of arrays go as well as members of objects.
    public internal(set) var inArrays = false

    /// Creates options that take nothing out.
    public init() {}

    /// Whether anything is taken out at all.
    var isActive: Bool { null || emptyString || emptyArray || emptyObject }
}
