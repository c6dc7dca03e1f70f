/// A compiled profile: immutable tables that any number of converters share.
public struct Plan: Sendable {
    public let output: OutputOptions
    public let limits: Limits

    /// A plan that changes nothing but white space (and escapes, when `output` asks for it).
    public static func minify(output: OutputOptions = OutputOptions(), limits: Limits = Limits()) -> Plan {
        Plan(output: output, limits: limits)
    }
}
