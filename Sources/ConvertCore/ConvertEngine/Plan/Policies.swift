/// The choices for two values of one object that would have the same key.
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

/// The choices for a key that a rule cannot convert.
public enum FaultPolicy: String, Sendable, Hashable, CaseIterable {
    /// The payload is refused.
    case error
    /// It stays as it is.
    case keep
}

/// The choices for a value that its rule cannot convert.
public enum BadValuePolicy: String, Sendable, Hashable, CaseIterable {
    /// The payload is refused.
    case error
    /// It stays as it is.
    case keep
    /// It becomes null.
    case null
}

/// The choices for a record that cannot be converted.
public enum RecordPolicy: String, Sendable, Hashable, CaseIterable {
    /// The payload is refused.
    case fail
    /// It is skipped.
    case skip
    /// It is replaced by `null`.
    case null
}

/// The choices of a profile's `on` section, for payloads that the profile cannot convert as they are.
package struct Policies: Sendable, Hashable {
    /// Two values of one object whose output keys are equal.
    package var collision: ClashPolicy
    /// Two values of one object whose input keys are equal.
    package var duplicateKey: ClashPolicy
    /// A value that its rule does not accept, unless the rule has a policy of its own.
    package var badValue = BadValuePolicy.error
    /// A key that the inverse direction cannot restore. In the forward direction it counts only if `roundTrip` is
    /// `required`.
    package var lossyKey = FaultPolicy.keep

    /// Creates policies. The others, and arguments that you omit, have the format's defaults.
    package init(collision: ClashPolicy = .error, duplicateKey: ClashPolicy = .error) {
        self.collision = collision
        self.duplicateKey = duplicateKey
    }

    /// The same policies with `error` instead of `last`; nil if nothing is `last`.
    var strict: Policies? {
        guard collision == .last || duplicateKey == .last else { return nil }
        var strict = self
        if collision == .last { strict.collision = .error }
        if duplicateKey == .last { strict.duplicateKey = .error }
        return strict
    }
}
