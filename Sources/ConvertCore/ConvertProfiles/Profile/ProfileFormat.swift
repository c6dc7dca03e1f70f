/// The members of the profile format, version 1: listed only here.
///
/// A key that is not listed here is unknown. It is an error and is not ignored.
enum ProfileFormat {
    /// The objects of a profile that have members of their own.
    enum Object: Sendable, Hashable, CaseIterable {
        case profile, keys, dates, pattern, values, maskKeep, hashKey, wrap, flatten, prune, records, on, output,
            example
    }

    static let version = "1"
    static let indent = 0...16
    static let precision = 0...9

    static let supportedMembers: [Object: [String]] = [
        .profile: [
            "version", "name", "description", "keys", "rename", "dates", "values", "keep", "drop", "require", "move",
            "flatten", "unwrap", "wrap",
            "defaults", "prune", "records", "on", "output", "roundTrip", "examples", "$schema",
        ],
        .keys: ["case", "from", "acronyms", "acronymStyle", "digits", "except", "opaque"],
        .dates: ["at", "from", "to", "precision", "zone", "assumeZone", "badValue"],
        .pattern: ["pattern"],
        .values: [
            "at", "as", "map", "badValue", "case", "relativeTo", "text", "keep", "char", "key", "bytes", "of",
            "separator",
        ],
        .hashKey: ["env", "file"],
        .maskKeep: ["first", "last"],
        .wrap: ["at", "with"],
        .flatten: ["at", "prefix", "names"],
        .on: ["collision", "duplicateKey", "badValue", "lossyKey"],
        .output: ["indent", "escapes", "sortKeys"],
        .prune: ["null", "emptyString", "emptyArray", "emptyObject", "inArrays"],
        .records: ["at", "onError"],
        .example: ["in", "out"],
    ]
}
