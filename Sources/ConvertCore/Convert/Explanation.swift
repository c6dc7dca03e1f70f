/// What a profile does to one payload, place by place: for people who write profiles, not for speed.
///
/// The payload is walked as a tree, but what acts on a place is asked of the tables that the converter itself runs by, and
/// what a rule makes of a value of the rule itself. Whether the payload converts at all is the converter's own word.
public struct Explanation: Sendable, Hashable {
    /// Something that one rule did at one place.
    public struct Effect: Sendable, Hashable {
        /// RFC 6901 pointer into the payload.
        public let input: String
        /// RFC 6901 pointer into the output, nil where nothing is left.
        public let output: String?
        /// JSON Pointer into the profile.
        public let rule: String
        /// What happened, with names and values of the payload cut to `maxShownCharacters`.
        public let what: String
    }

    /// The most characters that are shown of a name or value.
    public static let maxShownCharacters = 40

    /// In the order of the payload.
    public private(set) var effects: [Effect] = []
    /// Sections of the profile whose effects are not among `effects`; output pointers are those from before they act.
    public private(set) var unexplained: [String] = []
    /// Why the payload cannot be converted, if it cannot.
    public private(set) var fault: ConversionError?

    /// Explains the forward direction on one JSON document.
    public init(of profile: Profile, on payload: [UInt8], limits: Limits = Limits()) throws(ProfileError) {
        let plan = try profile.compile(.forward, limits: limits)
        fault = Self.fault(of: payload, under: plan)
        unexplained = [
            ("keep", !profile.keeps.isEmpty), ("require", !profile.requires.isEmpty), ("move", !profile.moves.isEmpty),
            ("defaults", !profile.defaults.isEmpty), ("prune", profile.prune != PruneOptions()),
            ("records", profile.records != nil),
        ].filter(\.1).map(\.0)
        guard let document = try? ProfileDocumentParser.parse(payload, maxDepth: limits.maxDepth) else { return }
        var walk = PlanWalk(profile, plan, document)
        effects = walk.effects()
    }

    private static func fault(of payload: [UInt8], under plan: Plan) -> ConversionError? {
        var converter = Converter(plan)
        var output = ByteBuffer()
        do throws(ConversionError) {
            try converter.convert(payload.span, into: &output)
            try converter.finish(into: &output)
            return nil
        } catch {
            return error
        }
    }
}

/// Visits every value of a payload with what acts on it, in the order of the text.
private struct PlanWalk: ~Copyable {
    private struct Visit {
        let node: ProfileDocument.NodeID
        let match: PathStates.Match
        let path: [Selector.Segment]
        let output: String
    }

    private let profile: Profile
    private let plan: Plan
    private let document: ProfileDocument
    private var converter: Converter
    private var found: [Explanation.Effect] = []
    private var waiting: [Visit] = []

    init(_ profile: Profile, _ plan: Plan, _ document: ProfileDocument) {
        self.profile = profile
        self.plan = plan
        self.document = document
        converter = Converter(plan)
    }

    mutating func effects() -> [Explanation.Effect] {
        waiting = [Visit(node: ProfileDocument.root, match: converter.rootMatch, path: [], output: "")]
        while let visit = waiting.popLast() {
            showValue(visit)
            switch document[visit.node].kind {
            case .object: visitMembers(of: visit)
            case .array: visitElements(of: visit)
            default: break
            }
        }
        return found
    }

    // MARK: Containers

    private mutating func visitMembers(of parent: Visit) {
        var visits: [Visit] = []
        for child in document[parent.node].children {
            guard case .member(let name, _) = document[child].step else { continue }
            let holdsLoneSurrogate = String(validating: name, as: UTF8.self) == nil
            let fate = converter.forwardFate(of: name, parent.match.state, holdsLoneSurrogate)
            let path = parent.path + [.literal(name)]
            if fate.match.isDropped {
                drop(child, path)
                continue
            }
            let output = parent.output + "/" + Self.escaped(fate.output ?? name)
            if let new = fate.output {
                let rule = fate.match.rename.map { plan.selectors.renames[$0].pointer } ?? "/keys"
                let verb = fate.match.rename == nil ? "key" : "rename"
                note(child, output, rule, "\(verb): \(Self.quoted(name)) -> \(Self.quoted(new))")
            } else if fate.match.isExcept, plan.caseRule != nil, let rule = place(of: profile.keys?.except ?? [], path)
            {
                note(child, output, rule, "except: the name is kept")
            }
            if let rule = place(of: profile.keys?.opaque ?? [], path) {
                note(child, output, rule, "opaque: names below are kept")
            }
            visits.append(Visit(node: child, match: fate.match, path: path, output: output))
        }
        waiting += visits.reversed()
    }

    private mutating func visitElements(of parent: Visit) {
        let elements = converter.paths.elements(of: parent.match.state)
        var visits: [Visit] = []
        for (index, child) in document[parent.node].children.enumerated() {
            let spelled = Array(String(index).utf8)
            let path = parent.path + [.literal(spelled)]
            let match =
                elements.namedIndices.contains(spelled)
                ? converter.paths.element(spelled, of: parent.match.state)
                : elements.match
            if match.isDropped {
                drop(child, path)
                continue
            }
            visits.append(Visit(node: child, match: match, path: path, output: "\(parent.output)/\(visits.count)"))
        }
        waiting += visits.reversed()
    }

    private mutating func drop(_ node: ProfileDocument.NodeID, _ path: [Selector.Segment]) {
        note(
            node, nil, place(of: profile.drops, path) ?? (profile.keeps.isEmpty ? "/drop" : "/keep"),
            "drop: left out with all below it")
    }

    // MARK: Values

    private mutating func showValue(_ visit: Visit) {
        var index = Int(visit.match.rule)
        let kind = document[visit.node].kind
        if index < 0, case .string = kind { index = plan.scanRule }
        guard index >= 0, kind != .null else { return }
        let rule = plan.rules[index]
        var written = ByteBuffer()
        let outcome: ValueRule.Outcome
        switch kind {
        case .string(let content): outcome = rule.rewrite(string: content.span, into: &written)
        case .number(let text): outcome = rule.rewrite(number: text.span, into: &written)
        case .boolean:
            let text = document.source(of: visit.node)
            outcome = rule.rewrite(boolean: text.span, into: &written)
        case .array, .object, .null: outcome = .bad("expected \(rule.noun), found a container")
        }
        let verb = if case .date = rule.action { "date" } else { "value" }
        let before = Self.shown(String(decoding: document.source(of: visit.node), as: UTF8.self))
        let after = Self.spelled([UInt8](written))
        let what: String
        switch outcome {
        case .string: what = "\(before) -> \"\(after)\""
        case .token: what = "\(before) -> \(after)"
        case .embedded: what = "\(before) -> the JSON that it holds"
        case .unchanged:
            guard visit.match.rule >= 0 else { return }
            what = "\(before) stays"
        case .bad(let message): what = "bad value: \(message)"
        }
        note(visit.node, visit.output, rule.pointer, "\(verb): \(what)")
    }

    // MARK: Effects

    private mutating func note(_ node: ProfileDocument.NodeID, _ output: String?, _ rule: String, _ what: String) {
        found.append(Explanation.Effect(input: document.pointer(to: node), output: output, rule: rule, what: what))
    }

    /// The place in the profile of the selector that matches a path.
    private func place(of selectors: [PlacedSelector], _ path: [Selector.Segment]) -> String? {
        selectors.first { $0.selector.covers(path[...]) }?.place.pointer
    }

    private static func quoted(_ name: [UInt8]) -> String { "`\(spelled(name))`" }

    /// Content as JSON spells it, so that no control character gets out.
    private static func spelled(_ content: [UInt8]) -> String {
        var spelling = ByteBuffer()
        JSONText.appendSpelling(of: content.span, to: &spelling, .minimal)
        return shown(String(decoding: [UInt8](spelling), as: UTF8.self))
    }

    private static func shown(_ text: String) -> String {
        let most = Explanation.maxShownCharacters
        return text.count > most ? text.prefix(most) + "…" : text
    }

    private static func escaped(_ name: [UInt8]) -> String {
        String(
            decoding: name.flatMap { byte -> [UInt8] in
                switch byte {
                case ASCII.tilde: [ASCII.tilde, ASCII.zero]
                case ASCII.slash: [ASCII.tilde, ASCII.one]
                default: [byte]
                }
            }, as: UTF8.self)
    }
}
