import ConvertEngine

/// A profile that is being inferred: its sections as they will be written.
struct ProfileDraft {
    /// A rule of `values` or `dates`: its members except `at` as JSON text, and its selectors.
    struct ValueRule {
        let section: String
        let members: String
        var at: [SelectorPattern]
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
    var except: [SelectorPattern] = []
    var opaque: [SelectorPattern] = []
    /// In the order in which they were found.
    var renames: [(selector: SelectorPattern, name: [UInt8])] = []
    var values: [ValueRule] = []
    var drops: [SelectorPattern] = []
    var keeps: [SelectorPattern] = []
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

    /// The profile as a JSON text without white space.
    var document: [UInt8] {
        var sections: [(String, String)] = [("version", "1")]
        if let keys { sections.append(("keys", keys)) }
        if !renames.isEmpty {
            sections.append(("rename", object(renames.map { ($0.selector.text, Self.quoted($0.name)) })))
        }
        for section in ["dates", "values"] {
            let rules = values.filter { $0.section == section }.map { rule in
                let at = rule.at.isEmpty ? [] : ["\"at\":\(Self.list(rule.at))"]
                return "{" + (at + [rule.members]).joined(separator: ",") + "}"
            }
            if !rules.isEmpty { sections.append((section, "[" + rules.joined(separator: ",") + "]")) }
        }
        if !drops.isEmpty { sections.append(("drop", Self.list(drops))) }
        if !keeps.isEmpty { sections.append(("keep", Self.list(keeps))) }
        if !moves.isEmpty { sections.append(("move", object(moves.map { ($0.source, Self.quoted($0.target)) }))) }
        if !pruned.isEmpty {
            sections.append(("prune", "{" + pruned.sorted().map { "\"\($0)\":true" }.joined(separator: ",") + "}"))
        }
        if !defaults.isEmpty {
            sections.append(
                ("defaults", object(defaults.map { ($0.target, String(decoding: $0.value, as: UTF8.self)) })))
        }
        if !policies.isEmpty {
            let members = policies.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\"\($0.value)\"" }
            sections.append(("on", "{" + members.joined(separator: ",") + "}"))
        }
        if sortsKeys { sections.append(("output", #"{"sortKeys":true}"#)) }
        if !examples.isEmpty {
            let pairs = examples.map {
                "{\"in\":\(String(decoding: $0.input, as: UTF8.self)),\"out\":\(String(decoding: $0.output, as: UTF8.self))}"
            }
            sections.append(("examples", "[" + pairs.joined(separator: ",") + "]"))
        }
        return Array(("{" + sections.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}").utf8)
    }

    private var keys: String? {
        guard keyCase != nil || !opaque.isEmpty else { return nil }
        var members: [String] = []
        if let keyCase { members.append("\"case\":\"\(keyCase.rawValue)\"") }
        if !spelling.acronyms.isEmpty {
            let words = spelling.acronyms.map { Self.quoted(Array($0.utf8)) }
            members.append("\"acronyms\":[" + words.joined(separator: ",") + "]")
            if spelling.style == .asListed { members.append("\"acronymStyle\":\"asListed\"") }
        }
        if spelling.digits == .word { members.append("\"digits\":\"word\"") }
        if !except.isEmpty { members.append("\"except\":\(Self.list(except))") }
        if !opaque.isEmpty { members.append("\"opaque\":\(Self.list(opaque))") }
        return "{" + members.joined(separator: ",") + "}"
    }

    private func object(_ members: [([UInt8], String)]) -> String {
        "{" + members.map { "\(Self.quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
    }

    static func list(_ selectors: [SelectorPattern]) -> String {
        let texts = selectors.map { quoted($0.text) }
        return texts.count == 1 ? texts[0] : "[" + texts.joined(separator: ",") + "]"
    }

    static func quoted(_ content: [UInt8]) -> String {
        String(decoding: JSONText.quoted(content), as: UTF8.self)
    }
}
