/// A mapping profile as written, checked.
///
/// Every section is kept in the terms of the document: nothing is resolved or merged, and each rule knows its place, so
/// that an error at run time can name the rule that caused it.
public struct Profile: Sendable, Equatable {
    /// Where a conversion goes: from the input's names to the output's, or back.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        /// From the input's names to the output's.
        case forward
        /// From the output's names back to the input's.
        case inverse
    }

    /// What a profile that cannot be undone means.
    public enum RoundTrip: String, Sendable, Hashable, CaseIterable {
        /// Nothing.
        case ignore
        /// A load error; and the forward direction refuses each name and date that the inverse would not give back.
        case required
    }

    /// The profile's name, by which a server serves it; the format's `name`.
    public internal(set) var name: String?
    /// The profile's own words about itself, the format's `description`.
    public internal(set) var summary: String?
    /// The case rule and the places it leaves alone; nil where names keep their case.
    public internal(set) var keys: KeysSection?
    /// In the order of the document, which means nothing to the conversion.
    public internal(set) var renames: [RenameRule] = []
    /// In the order of the document, which means nothing to the conversion.
    public internal(set) var dates: [DatesEntry] = []
    /// In the order of the document, which means nothing to the conversion.
    public internal(set) var values: [ValuesEntry] = []
    /// Places that are left out with all below them; the format's `drop`.
    public internal(set) var drops: [PlacedSelector] = []
    /// Places that stay with all below them while everything else goes; the format's `keep`.
    public internal(set) var keeps: [PlacedSelector] = []
    /// Objects of which only some members stay; part of the format's `keep`.
    public internal(set) var scopes: [KeepScope] = []
    /// What a payload must hold; the format's `require`.
    public internal(set) var requires: [PlacedSelector] = []
    /// In the order of the document, which means nothing to the conversion.
    public internal(set) var moves: [MoveRule] = []
    /// Objects whose members take their places; in the order of the document, which means nothing to the conversion.
    public internal(set) var flattens: [FlattenRule] = []
    /// In the order of the document, in which absent members are added.
    public internal(set) var defaults: [DefaultRule] = []
    /// Which values are taken out of the output.
    public internal(set) var prune = PruneOptions()
    /// Which things of a payload are records; nil if the whole payload is accepted or refused as one.
    public internal(set) var records: RecordsSection?
    /// The format's `on`.
    public internal(set) var policies = Policies()
    /// Where each policy is stated, by its name; those left out are nowhere.
    var policyPlaces: [String: ProfilePlace] = [:]
    /// Where `prune` is.
    var prunePlace: ProfilePlace?
    /// How the output text is written.
    public internal(set) var output = OutputOptions()
    /// Whether a profile that cannot be undone is refused.
    public internal(set) var roundTrip = RoundTrip.ignore
    /// The place of the payload that becomes the document; nil for the payload itself.
    public internal(set) var unwrap: UnwrapRule?
    /// The object that holds the output; nil for none.
    public internal(set) var wrap: WrapRule?
    /// Payloads and what they become, for tests of the profile.
    public internal(set) var examples: [ProfileExample] = []
    /// What is legal but cannot do what it seems to say, such as rules that never act.
    public internal(set) var warnings: [ProfileFault] = []

    /// A profile that changes nothing.
    public init() {}

    /// Parses and checks a profile document.
    ///
    /// - Throws: every fault, in the order of the document; one alone when the document is not JSON.
    public init(parsing document: [UInt8]) throws(ProfileError) {
        let reading = Self.read(document)
        guard reading.faults.isEmpty else { throw ProfileError(faults: reading.faults) }
        self = reading.profile
    }

    /// Parses and checks a profile document given as text.
    ///
    /// - Throws: every fault, in the order of the document; one alone when the document is not JSON.
    public init(parsing document: String) throws(ProfileError) {
        try self.init(parsing: Array(document.utf8))
    }

    /// Reads what can be read; the profile means nothing unless there are no faults.
    static func read(_ document: [UInt8]) -> (profile: Profile, faults: [ProfileFault]) {
        do {
            var reader = ProfileReader(try JSONDocumentParser.parse(document))
            return (reader.readProfile(), reader.faults)
        } catch {
            return (Profile(), [error])
        }
    }
}
