package import ConvertEngine

/// A checked mapping profile, as it was written.
///
/// Every section is kept as in the document: nothing is resolved or merged. Each rule knows its position, so that a
/// conversion error can name the rule that caused it.
public struct Profile: Sendable, Equatable {
    /// The direction of a conversion: from the input's keys to the output's, or back.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        /// From the input's keys to the output's.
        case forward
        /// From the output's keys back to the input's.
        case inverse
    }

    /// The treatment of a one-way profile.
    public enum RoundTrip: String, Sendable, Hashable, CaseIterable {
        /// A one-way profile is accepted.
        case ignore
        /// A one-way profile is an error. The forward direction refuses each key and date that the inverse would not restore.
        case required
    }

    /// The name of the profile: the format's `name`.
    public internal(set) var name: String?
    /// The description of the profile: the format's `description`.
    public internal(set) var summary: String?
    /// The case rule and the paths that it does not change; nil if keys do not change their case.
    package var keys: KeysSection?
    /// In the order of the document. The order has no effect on the conversion.
    package internal(set) var renames: [RenameRule] = []
    /// In the order of the document. The order has no effect on the conversion.
    package internal(set) var dates: [DatesEntry] = []
    /// In the order of the document. The order has no effect on the conversion.
    package internal(set) var values: [ValuesEntry] = []
    /// Paths that are removed with everything below them: the format's `drop`.
    package internal(set) var drops: [LocatedSelector] = []
    /// Paths that stay with everything below them. All else is removed: the format's `keep`.
    package internal(set) var keeps: [LocatedSelector] = []
    /// Objects that keep only some of their keys: part of the format's `keep`.
    package internal(set) var scopes: [KeepScope] = []
    /// Paths that a payload must have: the format's `require`.
    package internal(set) var requires: [LocatedSelector] = []
    /// In the order of the document. The order has no effect on the conversion.
    package internal(set) var moves: [MoveRule] = []
    /// Objects that are replaced by their members, in the order of the document. The order has no effect on the
    /// conversion.
    package internal(set) var flattens: [FlattenRule] = []
    /// In the order of the document. Missing values are added in this order.
    package internal(set) var defaults: [DefaultRule] = []
    /// Which values are removed from the output.
    package internal(set) var prune = PruneOptions()
    /// Which values of a payload are records; nil if the payload is accepted or refused as a whole.
    package internal(set) var records: RecordsSection?
    /// The format's `on`.
    package var policies = Policies()
    /// The positions of the policies, by their keys. Policies that the profile does not contain have none.
    package var policyLocations: [String: DocumentLocation] = [:]
    /// The position of `prune`; nil if the profile has none.
    var pruneLocation: DocumentLocation?
    /// How the output text is written.
    package var output = OutputOptions()
    /// Whether a one-way profile is refused.
    package var roundTrip = RoundTrip.ignore
    /// The path of the value that becomes the document; nil for the whole payload.
    package internal(set) var unwrap: UnwrapRule?
    /// The object around the output; nil for none.
    package internal(set) var wrap: WrapRule?
    /// Payloads and their expected output, as tests of the profile.
    package internal(set) var examples: [ProfileExample] = []
    /// Warnings about rules that are valid, but never apply or probably mean something else.
    public internal(set) var warnings: [ProfileFault] = []

    /// What happens to a value that a rule does not accept. `own` is the policy of the rule, if it has one.
    package func badValuePolicy(_ own: BadValuePolicy?) -> BadValuePolicy { own ?? policies.badValue }

    /// A profile that changes nothing.
    public init() {}

    /// Parses and checks a profile document.
    ///
    /// - Throws: all errors, in the order of the document. If the document is not JSON, there is only one.
    public init(parsing document: [UInt8]) throws(ProfileError) {
        let reading = Self.read(document)
        guard reading.faults.isEmpty else { throw ProfileError(faults: reading.faults) }
        self = reading.profile
    }

    /// Parses and checks a profile document given as text.
    ///
    /// - Throws: all errors, in the order of the document. If the document is not JSON, there is only one.
    public init(parsing document: String) throws(ProfileError) {
        try self.init(parsing: Array(document.utf8))
    }

    /// Reads as much of a document as possible. The profile is usable only if there are no errors.
    ///
    /// - Parameter rules: the rules in Swift that the document comes from, for the positions of errors.
    static func read(_ document: [UInt8], _ rules: RuleLayout? = nil) -> (profile: Profile, faults: [ProfileFault]) {
        do {
            var reader = ProfileReader(try JSONDocumentParser.parse(document), rules)
            return (reader.readProfile(), reader.faults)
        } catch {
            return (Profile(), [rules?.located(error) ?? error])
        }
    }
}
