/// One rule of a profile, written in Swift.
///
/// A profile made of rules is the profile that their JSON makes, since that is what they become: `Profile.document(of:)` is the
/// text, and the same parser judges it. Selectors are strings as in the JSON: `/orders/*/id` is a place, `id` a name
/// anywhere.
///
///     let profile = try Profile(
///         .rename("firstName", to: "fn"),
///         .dates(at: "/orders/*/createdAt", to: .epochSeconds),
///         .drop("/**/password"))
///
/// Rules of one section come together in any order. A section that stands once, such as `keys`, is a fault when given
/// twice.
public struct ProfileRule: Sendable, Hashable {
    /// How a rule stands in its section.
    enum Shape: Sendable, Hashable {
        /// It is the section.
        case whole
        /// It is one or more elements of the section's array.
        case elements
        /// It is one or more members of the section's object.
        case members
    }

    let section: String
    let shape: Shape
    let text: RuleText

    init(_ section: String, _ shape: Shape, _ text: RuleText) {
        self.section = section
        self.shape = shape
        self.text = text
    }
}

extension Profile {
    /// Makes a profile of rules and checks it.
    ///
    /// - Throws: every fault, with pointer, line and column in `document(of:)`.
    public init(_ first: ProfileRule, _ others: ProfileRule...) throws(ProfileError) {
        try self.init(rules: [first] + others)
    }

    /// Makes a profile of a list of rules and checks it; no rules make a profile that changes nothing.
    ///
    /// - Throws: every fault, with pointer, line and column in `document(of:)`.
    public init(rules: [ProfileRule]) throws(ProfileError) {
        try self.init(parsing: Self.document(of: rules))
    }

    /// The JSON document that rules stand for, as a server or the command line takes it: UTF-8, a rule a line.
    ///
    /// Sections come in the order of their first rules. Nothing is checked.
    public static func document(of rules: [ProfileRule]) -> [UInt8] {
        var document = RuleText()
        document.append("{\n  \"version\": 1")
        var written: Set<String> = []
        for rule in rules {
            guard rule.shape != .whole else {
                document.appendSection(rule.section)
                document.append(rule.text)
                continue
            }
            guard written.insert(rule.section).inserted else { continue }
            document.appendSection(rule.section)
            // A rule of no selectors or no names says nothing, and has no place between two commas.
            let texts = rules.filter { $0.section == rule.section && $0.shape != .whole }.map(\.text)
            document.appendRules(texts.filter { !$0.bytes.isEmpty }, isArray: rule.shape == .elements)
        }
        document.append("\n}\n")
        return document.bytes
    }
}

/// A JSON text in the making.
struct RuleText: Sendable, Hashable {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// A JSON string.
    init(_ content: String) {
        var spelling = ByteBuffer()
        JSONText.appendSpelling(of: Array(content.utf8).span, to: &spelling, .minimal)
        bytes = [ASCII.quote] + Array(spelling) + [ASCII.quote]
    }

    init(_ value: Bool) { append(value ? "true" : "false") }

    init(_ value: Int) { append(String(value)) }

    /// A text that is JSON already, or is taken for it.
    init(json: some Sequence<UInt8>) { bytes = Array(json) }

    /// Texts one after the other, with commas between them.
    init(list texts: [RuleText]) {
        for (index, text) in texts.enumerated() {
            if index > 0 { append(", ") }
            append(text)
        }
    }

    /// A member of an object, such as `"name": 1`.
    init(_ name: String, _ value: RuleText) {
        append(RuleText(name))
        append(": ")
        append(value)
    }

    init(array elements: [RuleText]) {
        append("[")
        append(RuleText(list: elements))
        append("]")
    }

    init(strings: [String]) { self.init(array: strings.map { RuleText($0) }) }

    /// An object of the members that are given, in their order.
    init(object members: KeyValuePairs<String, RuleText?>) {
        self.init(braced: members.compactMap { name, value in value.map { RuleText(name, $0) } })
    }

    init(braced members: [RuleText]) {
        append("{")
        append(RuleText(list: members))
        append("}")
    }

    mutating func append(_ text: String) { bytes += text.utf8 }

    mutating func append(_ text: RuleText) { bytes += text.bytes }

    mutating func appendSection(_ name: String) {
        append(",\n  ")
        append(RuleText(name))
        append(": ")
    }

    /// Appends the array or the object of one section's rules; elements and members do not mix in any.
    mutating func appendRules(_ texts: [RuleText], isArray: Bool) {
        append(isArray ? "[" : "{")
        for (index, text) in texts.enumerated() {
            append(index > 0 ? ",\n    " : "\n    ")
            append(text)
        }
        append(isArray ? "\n  ]" : "\n  }")
    }
}
