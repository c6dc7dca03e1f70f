/// What a profile does to one payload, place by place: for people who write profiles, not for speed.
///
/// The rules are carried out on a tree, one section after the other. They are found in the converter's own tables, and they
/// change values, move, remove and add members with the converter's own code. Whether the payload converts at all, the
/// converter decides.
public struct Explanation: Sendable, Hashable {
    /// Something that one rule did at one place.
    public struct Effect: Sendable, Hashable {
        /// RFC 6901 pointer into the payload, nil for what the profile added.
        public let input: String?
        /// RFC 6901 pointer into the output, nil where nothing is left.
        public let output: String?
        /// JSON Pointer into the profile.
        public let rule: String
        /// What happened, with names and values of the payload cut to `maxShownCharacters`.
        public let what: String
    }

    /// The most characters that are shown of a name or value.
    public static let maxShownCharacters = 40

    /// In the order of the payload; what was added comes last.
    public private(set) var effects: [Effect] = []
    /// Why the payload cannot be converted, if it cannot.
    public private(set) var fault: ConversionError?

    /// Explains the forward direction on one JSON document.
    public init(of profile: Profile, on payload: [UInt8], limits: Limits = Limits()) throws(ProfileError) {
        let plan = try profile.compile(.forward, limits: limits)
        fault = Self.fault(of: payload, under: plan)
        guard let document = try? JSONDocumentParser.parse(payload, maxDepth: limits.maxDepth) else { return }
        var explained = ExplainedPayload(profile, plan, document)
        effects = explained.carryOut()
    }

    private static func fault(of payload: [UInt8], under plan: Plan) -> ConversionError? {
        var converter = Converter(plan)
        var output = ByteBuffer()
        do throws(ConversionError) {
            try converter.finish(payload.span, into: &output)
            return nil
        } catch {
            return error
        }
    }
}
