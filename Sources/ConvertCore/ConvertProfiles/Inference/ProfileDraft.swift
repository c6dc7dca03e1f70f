import ConvertEngine

/// A profile that is being inferred: its sections as they will be written.
struct ProfileDraft {
    /// A rule of `values` or `dates`: its members except `at` as JSON text, and its selectors.
    struct ValueRule {
        let section: String
        let members: String
        var at: [Selector]
    }

    /// How the words of keys are found and spelled in a case.
    struct KeySpelling {
        /// As a profile lists them: `common` means the common ones.
        var acronyms: [String] = []
        var style = AcronymStyle.title
        var digits = DigitStyle.join

        /// The cost of an explanation with this spelling, in rules.
        var cost: Double { Double(acronyms.count) / 2 + (digits == .join ? 0 : 0.5) }

        func rule(_ target: KeyCase) -> KeyCaseRule {
            KeyCaseRule(
                target: target, acronyms: CommonAcronyms.expanded(acronyms), acronymStyle: style, digits: digits)
        }
    }

    var keyCase: KeyCase?
    var spelling = KeySpelling()
    var except: [Selector] = []
    var opaque: [Selector] = []
    /// In the order in which they were found.
    var renames: [(selector: Selector, name: [UInt8])] = []
    var values: [ValueRule] = []
    var drops: [Selector] = []
    var keeps: [Selector] = []
    /// Pointers as a profile writes them.
    var moves: [(source: [UInt8], target: [UInt8])] = []
    /// Pointers as a profile writes them, and JSON texts.
    var defaults: [(target: [UInt8], value: [UInt8])] = []
    var pruned: Set<String> = []
    var policies: [String: String] = [:]
    var sortsKeys = false
    /// Payloads and their outputs, as JSON texts.
    var examples: [(input: [UInt8], output: [UInt8])] = []

    /// The number of rules that remove values.
    var shapeRules: Int { drops.count + keeps.count + pruned.count }

    /// The drafts with one rule less.
    var simplified: [ProfileDraft] {
        var found: [ProfileDraft] = []
        func remove(_ count: Int, _ body: (inout ProfileDraft, Int) -> Void) {
            for index in 0..<count {
                var next = self
                body(&next, index)
                found.append(next)
            }
        }
        remove(moves.count) { $0.moves.remove(at: $1) }
        remove(renames.count) { $0.renames.remove(at: $1) }
        remove(values.count) { $0.values.remove(at: $1) }
        remove(drops.count) { $0.drops.remove(at: $1) }
        remove(keeps.count) { $0.keeps.remove(at: $1) }
        remove(except.count) { $0.except.remove(at: $1) }
        remove(opaque.count) { $0.opaque.remove(at: $1) }
        remove(defaults.count) { $0.defaults.remove(at: $1) }
        remove(pruned.count) { $0.pruned.remove($0.pruned.sorted()[$1]) }
        return found
    }

    /// The profile as a JSON text.
    var document: [UInt8] {
        let renames = Self.object(renames.map { ($0.selector.text(escapesSlashes: true), RuleText(content: $0.name)) })
        let moves = Self.object(moves.map { ($0.source, RuleText(content: $0.target)) })
        let pruned = Self.object(pruned.sorted().map { (Array($0.utf8), RuleText(true)) })
        let defaults = Self.object(defaults.map { ($0.target, RuleText(json: $0.value)) })
        let policies = Self.object(
            policies.sorted { $0.key < $1.key }.map { (Array($0.key.utf8), RuleText($0.value)) })
        let pairs = examples.map { input, output in
            RuleText(object: ["in": RuleText(json: input), "out": RuleText(json: output)])
        }
        return RuleText(object: [
            "version": RuleText(1), "keys": keys, "rename": renames, "dates": rules(of: "dates"),
            "values": rules(of: "values"), "drop": Self.list(drops), "keep": Self.list(keeps), "move": moves,
            "prune": pruned, "defaults": defaults, "on": policies,
            "output": sortsKeys ? RuleText(object: ["sortKeys": RuleText(true)]) : nil,
            "examples": pairs.isEmpty ? nil : RuleText(array: pairs),
        ]).bytes
    }

    private var keys: RuleText? {
        guard keyCase != nil || !opaque.isEmpty else { return nil }
        let hasAcronyms = !spelling.acronyms.isEmpty
        return RuleText(object: [
            "case": keyCase.map { RuleText($0.rawValue) },
            "acronyms": hasAcronyms ? RuleText(strings: spelling.acronyms) : nil,
            "acronymStyle": hasAcronyms && spelling.style == .asListed ? RuleText("asListed") : nil,
            "digits": spelling.digits == .word ? RuleText("word") : nil,
            "except": Self.list(except),
            "opaque": Self.list(opaque),
        ])
    }

    /// The rules of `dates` or of `values`; nil if there are none.
    private func rules(of section: String) -> RuleText? {
        let rules = values.filter { $0.section == section }.map { rule in
            let at = Self.list(rule.at).map { [RuleText("at", $0)] } ?? []
            return RuleText(braced: at + [RuleText(json: rule.members.utf8)])
        }
        return rules.isEmpty ? nil : RuleText(array: rules)
    }

    /// The object with these members; nil if there are none.
    private static func object(_ members: [([UInt8], RuleText)]) -> RuleText? {
        members.isEmpty ? nil : RuleText(braced: members.map { RuleText(RuleText(content: $0), $1) })
    }

    /// One selector, or an array of them; nil if there are none.
    private static func list(_ selectors: [Selector]) -> RuleText? {
        let texts = selectors.map { RuleText(content: $0.text(escapesSlashes: true)) }
        return texts.count > 1 ? RuleText(array: texts) : texts.first
    }
}
