/// The members and choices of the profile format, version 1, and which of them this version of the engine runs.
///
/// This is the only place that knows: to support a member, move its name from `laterMembers` to `supportedMembers` and
/// read it in `ProfileReader`. What stands in neither table is unknown, and both kinds are refused, never ignored.
enum ProfileFormat {
    /// The objects of a profile that have members of their own.
    enum Object: Sendable, Hashable, CaseIterable {
        case profile, keys, dates, datePattern, values, on, output, example
    }

    static let version = "1"
    static let indent = 0...16
    static let precision = 0...9

    static let supportedMembers: [Object: [String]] = [
        .profile: [
            "version", "name", "description", "keys", "rename", "dates", "values", "drop", "on", "output", "roundTrip",
            "examples",
            "$schema",
        ],
        .keys: ["case", "from", "acronyms", "acronymStyle", "except", "opaque"],
        .dates: ["at", "from", "to", "precision", "zone", "assumeZone"],
        .datePattern: ["pattern"],
        .values: ["at", "as", "map", "case", "relativeTo"],
        .on: ["collision", "duplicateKey", "badValue", "lossyKey"],
        .output: ["indent", "escapes", "sortKeys"],
        .example: ["in", "out"],
    ]

    static let laterMembers: [Object: [String]] = [
        .profile: ["keep", "require", "move", "defaults", "prune", "records"]
    ]

    /// Choices of `on.collision` and `on.duplicateKey` that are refused so far.
    static let laterClashPolicies: Set<ClashPolicy> = [.last]
    /// Whether `output.sortKeys` may be true.
    static let supportsSortKeys = false

    static func refusal(of text: String) -> String { "\(text) is not supported by this version yet" }
}
