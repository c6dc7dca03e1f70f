/// A mapping profile as written, checked.
public struct Profile: Sendable {
    /// Where a conversion goes: from the input's names to the output's, or back.
    public enum Direction: String, Sendable, Hashable, CaseIterable { case forward, inverse }

    /// Parses and checks a profile document; the error lists every fault.
    public init(parsing document: [UInt8]) throws(ProfileError) {}

    /// Compiles the profile for one direction.
    public func compile(_ direction: Direction, limits: Limits = Limits()) throws(ProfileError) -> Plan {
        Plan.minify(limits: limits)
    }
}
