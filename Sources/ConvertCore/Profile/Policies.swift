/// What happens to two members of one object that would bear the same name.
public enum ClashPolicy: String, Sendable, Hashable, CaseIterable {
    /// The payload is refused.
    case error
    /// The first one stays.
    case first
    /// The last one stays.
    case last
    /// Both stay.
    case keep
}

/// What happens to something a rule cannot convert.
public enum FaultPolicy: String, Sendable, Hashable, CaseIterable {
    /// The payload is refused.
    case error
    /// It stays as it is.
    case keep
}

/// The choices of a profile's `on` section.
public struct Policies: Sendable, Hashable {
    /// Two members of one object whose output names are equal.
    public var collision = ClashPolicy.error
    /// Two members of one object whose input names are equal.
    public var duplicateKey = ClashPolicy.error
    /// A value that its rule cannot read.
    public var badValue = FaultPolicy.error
    /// A name that the inverse cannot restore; forward it counts only where `roundTrip` is `required`.
    public var lossyKey = FaultPolicy.keep

    /// Creates the format's defaults.
    public init() {}
}

// MARK: - Reading

extension ProfileReader {
    /// The policies, and where those that are stated stand.
    mutating func readPolicies(_ id: NodeID) -> (Policies, places: [String: ProfilePlace]) {
        var policies = Policies()
        guard let members = members(of: id, as: .on) else { return (policies, [:]) }
        if let node = members["collision"] {
            policies.collision = choice(node) ?? policies.collision
        }
        if let node = members["duplicateKey"] {
            policies.duplicateKey = choice(node) ?? policies.duplicateKey
        }
        if let node = members["badValue"] { policies.badValue = choice(node) ?? policies.badValue }
        if let node = members["lossyKey"] { policies.lossyKey = choice(node) ?? policies.lossyKey }
        var places: [String: ProfilePlace] = [:]
        for name in ["collision", "duplicateKey", "badValue", "lossyKey"] {
            if let node = members[name] { places[name] = place(node) }
        }
        return (policies, places)
    }

    mutating func readOutput(_ id: NodeID) -> OutputOptions {
        var output = OutputOptions()
        guard let members = members(of: id, as: .output) else { return output }
        if let node = members["indent"] { output.indent = integer(node, in: ProfileFormat.indent) ?? 0 }
        if let node = members["escapes"] { output.escapes = choice(node) ?? output.escapes }
        if let node = members["sortKeys"] { output.sortKeys = boolean(node) ?? false }
        return output
    }
}
