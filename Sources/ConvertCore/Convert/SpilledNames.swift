/// The names that an object showed before the memo was emptied under it, as hashes.
///
/// Two independently seeded 64-bit hashes stand for a name; with a billion names the odds of taking two for one are
/// below 1 in 10²⁰.
struct SpilledNames: Sendable {
    struct Name: Hashable, Sendable {
        var first: UInt64
        var second: UInt64
    }

    /// Input names, and whether a collision left them out.
    var seen: [Name: Bool] = [:]
    /// Output names, each with the input name that stands.
    var owners: [Name: Name] = [:]
}
