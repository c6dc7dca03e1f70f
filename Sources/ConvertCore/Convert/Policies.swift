/// What happens to two members of one object that would have the same name.
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

/// What happens to a value that its rule cannot convert.
public enum BadValuePolicy: String, Sendable, Hashable, CaseIterable {
    /// The payload is refused.
    case error
    /// It stays as it is.
    case keep
    /// It becomes null.
    case null
}

/// What happens to a record that cannot be converted.
public enum RecordPolicy: String, Sendable, Hashable, CaseIterable {
    /// The payload is refused.
    case fail
    /// It is left out.
    case skip
    /// `null` is in its place.
    case null
}

/// What happens to a payload that the profile cannot convert as it is: the choices of its `on` section.
public struct Policies: Sendable, Hashable {
    /// Two members of one object whose output names are equal.
    public var collision = ClashPolicy.error
    /// Two members of one object whose input names are equal.
    public var duplicateKey = ClashPolicy.error
    /// A value that its rule cannot read.
    public var badValue = BadValuePolicy.error
    /// A name that the inverse cannot restore; forward it counts only where `roundTrip` is `required`.
    public var lossyKey = FaultPolicy.keep

    /// Creates policies; what is not given is the format's default.
    public init(
        collision: ClashPolicy = .error, duplicateKey: ClashPolicy = .error, badValue: BadValuePolicy = .error,
        lossyKey: FaultPolicy = .keep
    ) {
        self.collision = collision
        self.duplicateKey = duplicateKey
        self.badValue = badValue
        self.lossyKey = lossyKey
    }
}
