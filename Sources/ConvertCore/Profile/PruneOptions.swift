/// The choices of a profile's `prune` section: which values are taken out of the output, bottom up.
public struct PruneOptions: Sendable, Hashable {
    public internal(set) var null = false
    public internal(set) var emptyString = false
    public internal(set) var emptyArray = false
    public internal(set) var emptyObject = false
    /// Whether elements of arrays go as well as members of objects.
    public internal(set) var inArrays = false

    public init() {}

    /// Whether anything is taken out at all.
    var isActive: Bool { null || emptyString || emptyArray || emptyObject }
}

// MARK: - Reading

extension ProfileReader {
    mutating func readPrune(_ id: NodeID) -> PruneOptions {
        var options = PruneOptions()
        guard let members = members(of: id, as: .prune) else { return options }
        if let node = members["null"] { options.null = boolean(node) ?? false }
        if let node = members["emptyString"] { options.emptyString = boolean(node) ?? false }
        if let node = members["emptyArray"] { options.emptyArray = boolean(node) ?? false }
        if let node = members["emptyObject"] { options.emptyObject = boolean(node) ?? false }
        if let node = members["inArrays"] { options.inArrays = boolean(node) ?? false }
        if let node = members["inArrays"], options.inArrays, !options.isActive {
            warn(placeOfName(node), "`inArrays` does nothing, since nothing is pruned")
        }
        return options
    }
}
