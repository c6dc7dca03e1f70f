/// The choices of a profile's `prune` section: which values are removed from the output, from the inside out.
package struct PruneOptions: Sendable, Hashable {
    /// Whether nulls are removed.
    package var null = false
    /// Whether `""` is removed.
    package var emptyString = false
    /// Whether `[]` is removed, also an array that became empty.
    package var emptyArray = false
    /// Whether `{}` is removed, also an object that became empty.
    package var emptyObject = false
    /// Whether elements of arrays are removed as well as members of objects.
    package var inArrays = false

    /// Creates options that remove nothing.
    package init() {}

    /// Whether any values are removed.
    package var isActive: Bool { null || emptyString || emptyArray || emptyObject }
}
