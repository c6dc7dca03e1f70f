import ConvertEngine

extension ProfileReader {
    /// The policies, and the positions of those that the profile contains.
    mutating func readPolicies(_ id: NodeID) -> (Policies, locations: [String: DocumentLocation]) {
        var policies = Policies()
        guard let members = members(of: id, as: .on) else { return (policies, [:]) }
        if let node = members["collision"] { policies.collision = choice(node) ?? policies.collision }
        if let node = members["duplicateKey"] { policies.duplicateKey = choice(node) ?? policies.duplicateKey }
        if let node = members["badValue"] { policies.badValue = choice(node) ?? policies.badValue }
        if let node = members["lossyKey"] { policies.lossyKey = choice(node) ?? policies.lossyKey }
        return (policies, members.nodes.mapValues { location($0) })
    }

    mutating func readOutput(_ id: NodeID) -> OutputOptions {
        var output = OutputOptions()
        guard let members = members(of: id, as: .output) else { return output }
        if let node = members["indent"] { output.indent = integer(node, in: ProfileFormat.indent) ?? 0 }
        if let node = members["escapes"] { output.escapes = choice(node) ?? output.escapes }
        if let node = members["sortKeys"] { output.sortKeys = boolean(node) ?? false }
        return output
    }

    mutating func readPrune(_ id: NodeID) -> PruneOptions {
        var options = PruneOptions()
        guard let members = members(of: id, as: .prune) else { return options }
        if let node = members["null"] { options.null = boolean(node) ?? false }
        if let node = members["emptyString"] { options.emptyString = boolean(node) ?? false }
        if let node = members["emptyArray"] { options.emptyArray = boolean(node) ?? false }
        if let node = members["emptyObject"] { options.emptyObject = boolean(node) ?? false }
        if let node = members["inArrays"] { options.inArrays = boolean(node) ?? false }
        if let node = members["inArrays"], options.inArrays, !options.isActive {
            warn(locationOfKey(node), "`inArrays` has no effect: nothing is pruned")
        }
        return options
    }
}
