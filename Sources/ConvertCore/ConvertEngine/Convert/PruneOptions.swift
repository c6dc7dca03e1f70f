/// The choices of a profile's `prune` section: which values are removed from the output, from the inside out.
public struct PruneOptions: Sendable, Hashable {
    /// Whether nulls are removed.
    public package(set) var null = false
    /// Whether `""` is removed.
    public package(set) var emptyString = false
    /// Whether `[]` is removed, also an array that became empty.
    public package(set) var emptyArray = false
    /// Whether `{}` is removed, also an object that became empty.
    public package(set) var emptyObject = false
    /// Whether elements of arrays are removed as well as members of objects.
    public package(set) var inArrays = false

    /// Creates options that remove nothing.
    public init() {}

    /// Whether any values are removed.
    package var isActive: Bool { null || emptyString || emptyArray || emptyObject }
}
