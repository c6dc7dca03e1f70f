/// What a profile does to one payload, place by place, and which of its rules do nothing there: for people who write profiles, not
/// for speed.
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

    /// What one rule did in the same way at one path, or at the same path in several elements or payloads.
    public struct Group: Sendable, Hashable {
        /// The path in the payload, nil for what the profile added. If `count` is more than 1, it has a `*` for each index.
        public internal(set) var input: String?
        /// The path in the output, nil where nothing is left. If `count` is more than 1, it has a `*` for each index.
        public internal(set) var output: String?
        /// JSON Pointer into the profile.
        public let rule: String
        /// The rule as the profile writes it, such as `rename "/orders/*/createdAt"`.
        public let label: String
        /// What happened the first time.
        public let what: String
        /// How often.
        public internal(set) var count = 1
        /// Whether something else than `what` happened at other times, such as with other values.
        public internal(set) var isVaried = false
    }

    /// A rule that did nothing.
    public struct IdleRule: Sendable, Hashable {
        /// JSON Pointer into the profile.
        public let rule: String
        /// The rule as the profile writes it, such as `rename "/first_name"`.
        public let label: String
        /// Why, with the nearest path that is there.
        public let reason: String
        /// Where its selector is in the profile; nil for a section without selectors.
        let place: ProfilePlace?
        /// Whether the selector matches keys of the output instead.
        let namesOutput: Bool
    }

    /// The most characters that are shown of a name or value.
    public static let maxShownCharacters = 40

    /// In the order of the payload; what was added comes last. Only for a single document.
    public private(set) var effects: [Effect] = []
    /// The effects, alike ones counted together, each in the place of the first.
    public private(set) var groups: [Group] = []
    /// In the order of the profile's sections.
    public private(set) var idleRules: [IdleRule] = []
    /// Why the payload cannot be converted, if it cannot.
    public private(set) var fault: ConversionError?

    /// Explains one direction on a JSON document, or on NDJSON, of which each line is a payload.
    ///
    /// Lines that are not JSON have no effects.
    public init(
        of profile: Profile, on payload: [UInt8], _ direction: Profile.Direction = .forward,
        framing: Converter.Framing = .document, limits: Limits = Limits()
    ) throws(ProfileError) {
        let plan = try profile.compile(direction, limits: limits)
        fault = Self.fault(of: payload, under: plan, framing)
        var tally = ExplanationTally(profile, direction)
        let texts = framing == .document ? [payload[...]] : payload.split(separator: ASCII.lineFeed)
        for text in texts {
            // A line is a record, whatever `at` says.
            if framing == .lines, plan.sparesRecords, let fault = Self.fault(of: Array(text), under: plan, .document) {
                tally.addDiscarded(fault.code)
                continue
            }
            guard let document = try? JSONDocumentParser.parse(Array(text), maxDepth: limits.maxDepth) else { continue }
            var explained = ExplainedPayload(profile, plan, document)
            let notes = explained.carryOut()
            tally.add(explained, notes)
            if framing == .document { effects = explained.effects(notes) }
        }
        groups = tally.groups
        idleRules = tally.isEmpty ? [] : IdleRules(tally).all()
    }

    private static func fault(
        of payload: [UInt8], under plan: Plan, _ framing: Converter.Framing
    ) -> ConversionError? {
        var converter = Converter(plan, framing: framing)
        var output = ByteBuffer()
        do throws(ConversionError) {
            try converter.finish(payload.span, into: &output)
            return nil
        } catch {
            return error
        }
    }
}
