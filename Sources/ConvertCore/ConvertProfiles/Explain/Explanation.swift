public import ConvertEngine
import ConvertText

/// The effects of a profile on one payload, path by path, and its rules without effect. It is for people who write
/// profiles, and is not fast.
///
/// The converter applies the rules to the payload as a whole, and remembers which rule removed which value.
public struct Explanation: Sendable, Hashable {
    /// The same effect of one rule at one path, or at that path in several elements or payloads.
    public struct Group: Sendable, Hashable {
        /// RFC 6901 pointer into the payload; nil for a value that the profile added. If `count` is more than 1, it has
        /// a `*` for each index.
        public internal(set) var input: String?
        /// RFC 6901 pointer into the output; nil if the value was removed. If `count` is more than 1, it has a `*` for
        /// each index.
        public internal(set) var output: String?
        /// JSON Pointer into the profile.
        public let rule: String
        /// The rule as the profile writes it, such as `rename "/orders/*/createdAt"`.
        public let label: String
        /// The first effect in words, with keys and values of the payload cut to `maxShownCharacters`.
        public let what: String
        /// How often it happened.
        public internal(set) var count = 1
        /// Whether other effects differ from `what`, for example because of other values.
        public internal(set) var isVaried = false
    }

    /// A rule that did nothing.
    public struct IdleRule: Sendable, Hashable {
        /// JSON Pointer into the profile.
        public let rule: String
        /// The rule as the profile writes it, such as `rename "/first_name"`.
        public let label: String
        /// The reason, with the nearest path in the payload.
        public let reason: String
        /// Where its selector is in the profile; nil for a section without selectors.
        let location: DocumentLocation?
        /// Whether the selector matches keys of the output instead.
        let namesOutput: Bool
    }

    /// The maximum length of a key or value in an explanation, in Unicode scalars.
    public static let maxShownCharacters = 40

    /// Bytes that are converted before the output is discarded.
    private static let sliceBytes = 64

    /// The effects, in the order of the payload; added values come last. Equal ones are counted together, at the position
    /// of the first one.
    public private(set) var groups: [Group] = []
    /// In the order of the profile's sections.
    public private(set) var idleRules: [IdleRule] = []
    /// The error of a payload that cannot be converted, or is too large to be explained; otherwise nil.
    public private(set) var fault: ConversionError?
    /// Whether a payload has no effects here because it is too large.
    private(set) var isTooLong = false

    /// Explains one direction on a JSON document, or on NDJSON, where each line is a payload.
    ///
    /// Lines that are not JSON have no effects.
    public init(
        of profile: Profile, on payload: [UInt8], _ direction: Profile.Direction = .forward,
        framing: Converter.Framing = .document, limits: Limits = Limits(), keys: HashKeys = .process
    ) throws(ProfileError) {
        // The output is discarded, and indentation could make it a thousand times as long.
        var unindented = profile
        unindented.output.indent = 0
        let plan = try unindented.compile(direction, limits: limits, keys: keys)
        fault = Self.result(of: payload, under: plan, framing).error
        var tally = ExplanationTally(profile, direction)
        let texts = framing == .document ? [payload[...]] : payload.split(separator: ASCII.lineFeed)
        for text in texts {
            if framing == .lines, plan.sparesRecords,
                let code = Self.result(of: Array(text), under: plan, .lines).skipped.first
            {
                tally.addDiscarded(code)
                continue
            }
            guard let document = try? JSONDocumentParser.parse(Array(text), maxDepth: limits.maxDepth) else { continue }
            let explained = ExplainedPayload(profile, plan, document)
            isTooLong = isTooLong || explained.isTooLong
            if !explained.isTooLong { tally.add(explained) }
        }
        if isTooLong, fault == nil {
            fault = ConversionError(
                .limit, "the payload is too large to be explained", at: 0, in: payload.span, pointer: "")
        }
        groups = tally.groups
        idleRules = tally.isEmpty ? [] : IdleRules(tally).all()
    }

    /// The error of a text, and the errors for which its records are skipped or become null.
    private static func result(
        of text: [UInt8], under plan: Plan, _ framing: Converter.Framing
    ) -> (error: ConversionError?, skipped: [ConversionError.Code]) {
        var converter = Converter(plan, framing: framing)
        var output = ByteBuffer()
        var found: ConversionError?
        do throws(ConversionError) {
            // In slices, because the output could be much longer than the text.
            for start in stride(from: 0, to: text.count, by: sliceBytes) {
                try converter.convert(text.span.extracting(start..<min(start + sliceBytes, text.count)), into: &output)
                output.removeAll()
            }
            try converter.finish(into: &output)
        } catch {
            found = error
        }
        return (found, converter.skippedRecordsByCode.codes)
    }
}
