import ConvertEngine
import ConvertText

/// Reads a profile document into a `Profile` and collects all errors.
///
/// Each section is read by an extension beside its type. A reading method that cannot make its value records the error and
/// returns nil. Its caller then reads the next member, so one wrong rule does not hide the errors of others.
struct ProfileReader {
    typealias NodeID = JSONDocument.NodeID

    /// The most errors that are listed. A document with more is probably not a profile.
    static let maxFaults = 1000
    /// The most characters of a key that a message repeats.
    private static let maxQuotedScalars = 60

    let document: JSONDocument
    /// The positions of the rules in Swift source; nil for a profile that is a document.
    private let rules: RuleLayout?
    private var found: [ProfileFault] = []
    private(set) var warnings: [ProfileFault] = []
    private(set) var warnedPointers: Set<[UInt8]> = []

    init(_ document: JSONDocument, _ rules: RuleLayout? = nil) {
        self.document = document
        self.rules = rules
    }

    /// The errors, in the order of the document.
    var faults: [ProfileFault] { Self.inOrder(found) }

    mutating func readProfile() -> Profile {
        var profile = Profile()
        guard let members = members(of: JSONDocument.root, as: .profile) else { return profile }
        if let node = members["$schema"] { _ = text(node, expected: "a string") }
        if let node = members["version"] { checkVersion(node) }
        if let node = members["name"] { profile.name = text(node, expected: "a string") }
        if let node = members["description"] { profile.summary = text(node, expected: "a string") }
        if let node = members["keys"] { profile.keys = readKeys(node) }
        if let node = members["rename"] { profile.renames = readRenames(node) }
        if let node = members["dates"] { profile.dates = readDates(node) }
        if let node = members["values"] { profile.values = readValues(node) }
        if let node = members["drop"] { profile.drops = selectors(node) }
        if let node = members["keep"] { (profile.keeps, profile.scopes) = readKeeps(node) }
        if let node = members["require"] { profile.requires = readRequires(node) }
        if let node = members["unwrap"] { profile.unwrap = readUnwrap(node) }
        if let node = members["wrap"] { profile.wrap = readWrap(node) }
        if let node = members["move"] { profile.moves = readMoves(node, unwrapped: profile.unwrap) }
        if let node = members["flatten"] { profile.flattens = readFlattens(node) }
        if let node = members["defaults"] { profile.defaults = readDefaults(node) }
        if let node = members["prune"] { (profile.prune, profile.pruneLocation) = (readPrune(node), location(node)) }
        if let node = members["records"] { profile.records = readRecords(node) }
        if let node = members["on"] { (profile.policies, profile.policyLocations) = readPolicies(node) }
        if let node = members["output"] { profile.output = readOutput(node) }
        if let node = members["roundTrip"] { profile.roundTrip = choice(node) ?? .ignore }
        if let node = members["examples"] { profile.examples = readExamples(node) }
        checkConflicts(of: profile)
        checkTriedParts(of: profile)
        checkContracts(of: profile)
        refuseMovesOutOfRecords(profile)
        refuseFlattened(profile)
        refuseScopesOnTheWay(profile)
        refuseNamesOfMoved(profile)
        refuseRulesInReplaced(profile)
        refuseRulesOutsideUnwrapped(profile)
        warnOfUnusedRules(in: profile)
        warnOfOrder(amongMovesOf: profile)
        if profile.roundTrip == .required { refuseLosses(of: profile) }
        profile.warnings = Self.inOrder(warnings)
        return profile
    }

    /// Refuses the losses of a profile. Sections with errors are skipped, because the unread part may cause the loss.
    private mutating func refuseLosses(of profile: Profile) {
        let faulty = Set(found.map { $0.section })
        for loss in profile.invertibility.losses where !faulty.contains(loss.section) {
            refuse(
                loss.location, "`roundTrip` is `required`: \(loss.message)",
                hint: loss.hint ?? "remove the rule or `roundTrip`")
        }
    }

    private mutating func checkVersion(_ id: NodeID) {
        guard case .number(let digits) = document[id].kind else {
            return refuse(id, expected: "a number", hint: "write \(ProfileFormat.version)")
        }
        guard digits == Array(ProfileFormat.version.utf8) else {
            let written = String(decoding: digits.prefix(Self.maxQuotedScalars), as: UTF8.self)
            return refuse(id, "version \(written) is unknown", hint: "write \(ProfileFormat.version)")
        }
    }

    static func inOrder(_ faults: [ProfileFault]) -> [ProfileFault] {
        faults.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }
}

// MARK: - Members

extension ProfileReader {
    /// The members of one object that the format knows.
    struct Members {
        fileprivate(set) var nodes: [String: NodeID] = [:]
        /// Whether a key was unknown. A member that seems to be missing may then only be misspelt.
        fileprivate(set) var hasRefused = false

        subscript(name: String) -> NodeID? { nodes[name] }
    }

    /// The known members of an object. Unknown and duplicate keys are errors. Nil if the value is no object, or looks like a payload.
    mutating func members(of id: NodeID, as object: ProfileFormat.Object) -> Members? {
        guard document[id].kind == .object else {
            let noun = object == .profile ? "the profile itself, such as " : ""
            refuse(id, expected: "an object", hint: Self.objects[object].map { "write \(noun)\($0)" })
            return nil
        }
        let supported = ProfileFormat.supportedMembers[object] ?? []
        if object == .profile, looksLikeConfiguration(id, supported) {
            refuse(id, "this looks like the configuration of a server", hint: "use `check --config FILE`")
            return nil
        }
        if object == .profile, looksLikePayload(id, supported) {
            refuse(
                id, "no key here is one of a profile, so this may be a payload",
                hint: "write the payload first: `check --explain PAYLOAD PROFILE`")
            return nil
        }
        var members = Members()
        for (child, name) in distinctMembers(of: id) {
            if let known = supported.first(where: { name.elementsEqual($0.utf8) }) {
                members.nodes[known] = child
                continue
            }
            members.hasRefused = true
            guard !isFull else { continue }
            let nearest = NearestName.nearest(to: name, among: supported).map { "did you mean `\($0)`?" }
            let hint = nearest ?? "known keys: \(Self.list(supported))"
            refuse(locationOfKey(child), "unknown key \(Self.quoted(name))", hint: hint)
        }
        return members
    }

    /// A member that an object must have. If it is not there, that is an error, unless it may be misspelt.
    mutating func required(
        _ name: String, of id: NodeID, _ members: Members, _ message: String? = nil, hint: String
    ) -> NodeID? {
        if members[name] == nil, !members.hasRefused { refuse(id, message ?? "`\(name)` is missing", hint: hint) }
        return members[name]
    }

    /// The most keys of a document that may be a payload. A document with more gets an error for each unknown key.
    private static let maxPayloadKeys = 100

    /// Keys that most configurations of a server have, and few payloads.
    private static let configurationKeys = ["listen", "upstreams"]

    /// Whether the object has one of `configurationKeys`, and no known key but `$schema`, which both have.
    private func looksLikeConfiguration(_ id: NodeID, _ supported: [String]) -> Bool {
        let names = document[id].children.compactMap { document[$0].step.name }
        return names.count <= Self.maxPayloadKeys
            && names.contains { name in Self.configurationKeys.contains { name.elementsEqual($0.utf8) } }
            && !names.contains { name in supported.contains { $0 != "$schema" && name.elementsEqual($0.utf8) } }
    }

    /// Whether the object has 2 to `maxPayloadKeys` keys, and none of them is or resembles a known key.
    private func looksLikePayload(_ id: NodeID, _ supported: [String]) -> Bool {
        let children = document[id].children
        return 2...Self.maxPayloadKeys ~= children.count
            && children.compactMap { document[$0].step.name }.allSatisfy {
                NearestName.nearest(to: $0, among: supported) == nil
            }
    }

    /// The members of an object that has no fixed keys; none, after an error, if the value is no object.
    mutating func distinctMembers(of id: NodeID, expected: String) -> [(id: NodeID, name: [UInt8])] {
        guard document[id].kind == .object else {
            refuse(id, expected: expected)
            return []
        }
        return distinctMembers(of: id)
    }

    /// The members of an object with their keys. Of members with the same key, only the first is among them; the others are errors.
    mutating func distinctMembers(of object: NodeID) -> [(id: NodeID, name: [UInt8])] {
        var members: [(id: NodeID, name: [UInt8])] = []
        var seen: [[UInt8]: Int] = [:]
        for child in document[object].children {
            guard let name = document[child].step.name else { continue }
            guard let first = seen[name] else {
                seen[name] = members.count
                members.append((child, name))
                continue
            }
            let hint = "the first one is \(locationOfKey(members[first].id).inWords)"
            refuse(locationOfKey(child), "duplicate key \(Self.quoted(name))", hint: hint)
        }
        return members
    }
}

// MARK: - Values

extension ProfileReader {
    mutating func text(_ id: NodeID, expected: String) -> String? {
        guard case .string(let bytes) = document[id].kind else {
            refuse(id, expected: expected)
            return nil
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            refuse(id, "a string contains half of a surrogate pair", hint: "write both halves, or the character itself")
            return nil
        }
        return text
    }

    mutating func boolean(_ id: NodeID) -> Bool? {
        guard case .boolean(let value) = document[id].kind else {
            refuse(id, expected: "true or false")
            return nil
        }
        return value
    }

    mutating func integer(_ id: NodeID, in range: ClosedRange<Int>) -> Int? {
        let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        guard case .number(let digits) = document[id].kind else {
            refuse(id, expected: wanted)
            return nil
        }
        let written = String(decoding: digits.prefix(Self.maxQuotedScalars), as: UTF8.self)
        guard let value = Int(written), range.contains(value), digits.first != ASCII.minus else {
            refuse(
                id, "expected \(wanted), found \(written)", hint: "write the number in digits alone, or leave it out")
            return nil
        }
        return value
    }

    /// The case of `type` that a string names. Any other value is an error.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable & Hashable>(
        _ id: NodeID, of type: Choice.Type = Choice.self
    ) -> Choice? {
        let choices = Array(Choice.allCases)
        return choice(id, among: choices.map { $0.rawValue }).map { choices[$0] }
    }

    private mutating func choice(_ id: NodeID, among names: [String]) -> Int? {
        guard case .string(let bytes) = document[id].kind else {
            refuse(id, expected: "one of \(Self.list(names))")
            return nil
        }
        let index = names.firstIndex { bytes.elementsEqual($0.utf8) }
        if index == nil { refuse(id, unknownChoice: bytes, among: names) }
        return index
    }

    /// An array's elements, or the value itself, since a list of one may be written without brackets.
    func elements(_ id: NodeID) -> [NodeID] {
        document[id].kind == .array ? document[id].children : [id]
    }

    mutating func selectors(_ id: NodeID) -> [LocatedSelector] {
        var selectors: [LocatedSelector] = []
        for element in elements(id) {
            guard let text = text(element, expected: "a selector") else { continue }
            guard let selector = selector(parsing: Array(text.utf8), at: location(element)) else { continue }
            selectors.append(LocatedSelector(selector: selector, location: location(element)))
        }
        return selectors
    }

    /// - Parameter mayBePath: whether a key in the syntax of a path causes a warning.
    mutating func selector(
        parsing text: [UInt8], at location: DocumentLocation, mayBePath: Bool = true
    ) -> Selector? {
        guard String(validating: text, as: UTF8.self) != nil else {
            refuse(
                location, "a selector contains half of a surrogate pair",
                hint: "write both halves, or the character itself")
            return nil
        }
        do {
            let selector = try Selector(parsing: text)
            if mayBePath, let habit = SelectorHabit(selector, written: text) {
                warn(
                    location, "\(Self.quoted(text)) matches only keys of this text: \(habit.message)",
                    hint: "write \(Self.quoted(habit.selector))")
            }
            return selector
        } catch {
            refuse(location, "the selector \(Self.quoted(text)) \(error.message)", hint: error.hint)
            return nil
        }
    }
}

// MARK: - Errors and positions

extension ProfileReader {
    /// Whether no more errors are listed.
    var isFull: Bool { found.count > Self.maxFaults }

    mutating func refuse(_ location: DocumentLocation, _ message: String, hint: String? = nil) {
        if found.count == Self.maxFaults {
            found.append(
                ProfileFault(
                    at: location, "there are more errors than the \(Self.maxFaults) before this one",
                    hint: "fix those first"))
        } else if found.count < Self.maxFaults {
            found.append(ProfileFault(at: location, message, hint: hint))
        }
    }

    mutating func refuse(_ id: NodeID, _ message: String, hint: String? = nil) {
        guard !isFull else { return }
        refuse(location(id), message, hint: hint)
    }

    /// Records an error. Without `hint`, it shows an example of the expected value, if there is one.
    mutating func refuse(_ id: NodeID, expected: String, hint: String? = nil) {
        let example = Self.examples[expected].map { "write \($0)" }
        refuse(id, "expected \(expected), found \(document[id].kind.noun)", hint: hint ?? example)
    }

    mutating func refuse(_ id: NodeID, unknownChoice written: [UInt8], among names: [String]) {
        guard !isFull else { return }
        let nearest = NearestName.nearest(to: written, among: names).map { "did you mean `\($0)`?" }
        let hint = nearest ?? "valid values: \(Self.list(names))"
        refuse(id, "\(Self.quoted(written)) is not a valid value", hint: hint)
    }

    mutating func warn(_ location: DocumentLocation, _ message: String, hint: String? = nil) {
        guard warnings.count < Self.maxFaults else { return }
        warnedPointers.insert(Array(location.pointer.utf8))
        warnings.append(ProfileFault(at: location, message, hint: hint))
    }

    func location(_ id: NodeID) -> DocumentLocation { location(id, offset: document[id].start) }

    /// The position of a member's key, or of an element's value.
    func locationOfKey(_ id: NodeID) -> DocumentLocation {
        guard case .member(_, let nameOffset) = document[id].step else { return location(id) }
        return location(id, offset: nameOffset)
    }

    private func location(_ id: NodeID, offset: Int) -> DocumentLocation {
        var location = DocumentLocation(of: id, at: offset, in: document)
        if let rules { location.source = rules.source(at: offset) }
        return location
    }

    static func quoted(_ name: [UInt8]) -> String {
        let text = String(decoding: name, as: UTF8.self)
        return "`\(ExplainedPayload.shown(text, maxScalars: maxQuotedScalars))`"
    }

    static func quoted(_ selector: Selector) -> String { quoted(Array(selector.description.utf8)) }

    private static func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }
}

extension JSONDocument.Kind {
    /// The type of the value, or a null or boolean itself, for a message.
    var noun: String {
        switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
