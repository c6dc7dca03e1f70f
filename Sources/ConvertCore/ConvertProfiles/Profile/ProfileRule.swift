import ConvertEngine
import ConvertText

/// One rule of a profile, written in Swift.
///
/// Rules become a JSON document, `Profile.document(of:)`, and the same parser checks it as any other profile. Selectors are
/// strings as in the JSON: `/orders/*/id` is a path, `id` a key at any depth.
///
///     let profile = try Profile(
///         .rename("firstName", to: "fn"),
///         .dates(at: "/orders/*/createdAt", to: .epochSeconds),
///         .drop("/**/password"))
///
/// Selectors that begin with `/` name paths from the root of the converted or decoded value. For a value deeper inside, put rules
/// into ``at(_:_:file:line:)``, or a whole profile into ``Profile/prefixed(with:)``.
///
/// Rules of one section may come in any order. It is an error to give a section twice that a profile has only once, such as
/// `keys`.
public struct ProfileRule: Sendable, Hashable {
    /// The part of a section that the text of a rule forms.
    package enum Shape: Sendable, Hashable {
        /// The whole section.
        case whole
        /// One or more elements of the section's array.
        case elements
        /// One or more members of the section's object.
        case members
    }

    let section: String
    let shape: Shape
    private(set) var text: RuleText
    let source: RuleSource
    /// The error of a rule that is found before the profile is parsed; nil if there is none.
    private(set) var error: String?
    /// The rules in an `at`; empty for a single rule.
    private(set) var group: [ProfileRule] = []
    /// The pointer that `at` puts before the rule's own pointers.
    private(set) var prefix = ""

    package init(_ section: String, _ shape: Shape, _ text: RuleText, _ source: RuleSource) {
        self.section = section
        self.shape = shape
        self.text = text
        self.source = source
    }

    /// Rules for a value deeper inside the payload: their pointers begin at `pointer`.
    ///
    ///     let profile = try Profile(
    ///         .at("/articles/*", .move("/content/headline", to: "/headline"), .dates(at: "/published", to: .rfc3339)))
    ///
    /// Plain keys match at any depth, here too. These rules are an error of the profile:
    ///
    /// - a rule without selectors, such as `keys`, since it is for the whole payload;
    /// - a default, if the profile writes `pointer` with other keys or at another path: defaults name paths of the output;
    /// - a move, if `unwrap` takes away a part of `pointer`: its target is in the new document;
    /// - all of them, if `pointer` does not begin with `/`, or ends with it.
    public static func at(
        _ pointer: String, _ rules: ProfileRule..., file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        var group = ProfileRule("at", .elements, RuleText(), RuleSource(file, line))
        let inner = rules.flatMap { $0.flattened }.map { $0.prefixed(with: pointer) }
        var misspelt = group
        misspelt.error = errorOfPath(pointer)
        group.group = misspelt.error == nil ? inner : [misspelt] + inner
        return group
    }

    /// The error of a path for `at`; nil if it is right. After a wrong path, pointers would become plain keys or contain the key "".
    private static func errorOfPath(_ pointer: String) -> String? {
        let path = Array(pointer.utf8)
        guard !path.isEmpty, path.first != ASCII.slash || path.last == ASCII.slash else { return nil }
        let message = "the path of `at` begins with `/` and does not end with it"
        guard path != [ASCII.slash] else { return message + ": leave out `at` for the root" }
        let habit = (try? Selector(parsing: path)).flatMap { SelectorHabit($0, isLenient: true) }
        let meant = Array((habit?.selector.description ?? "/" + pointer).utf8)
        return message + ": write \(ProfileReader.quoted(meant)), not \(ProfileReader.quoted(path))"
    }

    var flattened: [ProfileRule] { section == "at" ? group : [self] }

    /// An error of this rule that is found without the parser, with the rule's position in Swift source.
    func fault(_ message: String, hint: String? = nil) -> ProfileFault {
        var fault = ProfileFault(at: DocumentLocation(pointer: "/" + section, line: 1, column: 1), message, hint: hint)
        fault.source = source.text
        return fault
    }

    private func prefixed(with pointer: String) -> ProfileRule {
        var rule = self
        if rule.error == nil, !text.hasSelectors || (shape == .whole && section != "records") {
            rule.error = "`\(section)` applies to the whole payload, so it cannot be put below \(pointer)"
        }
        rule.text.prefixPointers(with: pointer)
        rule.prefix = pointer + prefix
        return rule
    }
}

/// The position of a rule in Swift source. All positions are equal, so they do not make rules different.
package struct RuleSource: Sendable, Hashable {
    /// A file and a line; nil for a rule of a document.
    let text: String?

    init(text: String?) { self.text = text }

    package init(_ file: String, _ line: Int) { text = "\(file):\(line)" }

    package static func == (left: RuleSource, right: RuleSource) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}

extension Profile {
    /// Makes a profile of rules and checks it.
    ///
    /// - Throws: all errors, with pointer, line and column in `document(of:)`.
    public init(_ first: ProfileRule, _ others: ProfileRule...) throws(ProfileError) {
        try self.init(rules: [first] + others)
    }

    /// Makes a profile of a list of rules and checks it. Without rules, the profile changes nothing.
    ///
    /// - Throws: all errors, with pointer, line and column in `document(of:)`.
    public init(rules: [ProfileRule]) throws(ProfileError) {
        let rules = rules.flatMap { $0.flattened }
        let layout = RuleLayout(rules)
        let reading = Self.read(layout.document, layout)
        let found = reading.faults.isEmpty ? rules.compactMap(reading.profile.faultOfOutputPath) : reading.faults
        let faults = layout.faultsOfRules + found
        guard faults.isEmpty else { throw ProfileError(faults: faults) }
        self = reading.profile
    }

    /// The JSON document that rules represent, for a server or the command line: UTF-8, one rule on each line.
    ///
    /// Sections come in the order of their first rules. Nothing is checked.
    public static func document(of rules: [ProfileRule]) -> [UInt8] {
        RuleLayout(rules.flatMap { $0.flattened }).document
    }
}

/// The document of a list of rules, and the position of each rule in it.
struct RuleLayout {
    private(set) var document: [UInt8] = []
    private(set) var faultsOfRules: [ProfileFault] = []
    /// The byte offset where each rule's text ends, in ascending order.
    private var ends: [(end: Int, source: RuleSource)] = []

    fileprivate init(_ rules: [ProfileRule]) {
        var text = RuleText()
        text.append("{\n  \"version\": 1")
        var written: Set<String> = []
        for rule in rules {
            if let message = rule.error { faultsOfRules.append(rule.fault(message)) }
            if rule.section == "at" { continue }
            guard rule.shape != .whole else {
                text.appendSection(rule.section)
                append(rule, to: &text)
                continue
            }
            guard written.insert(rule.section).inserted else { continue }
            text.appendSection(rule.section)
            // A rule without selectors or keys has no text, so it must not get a comma.
            let siblings = rules.filter {
                $0.section == rule.section && $0.shape != .whole && !$0.text.bytes.isEmpty
            }
            text.append(rule.shape == .elements ? "[" : "{")
            for (index, sibling) in siblings.enumerated() {
                text.append(index > 0 ? ",\n    " : "\n    ")
                append(sibling, to: &text)
            }
            text.append(rule.shape == .elements ? "\n  ]" : "\n  }")
        }
        text.append("\n}\n")
        document = text.bytes
    }

    private mutating func append(_ rule: ProfileRule, to text: inout RuleText) {
        text.append(rule.text)
        ends.append((text.bytes.count, rule.source))
    }

    /// The file and line of the rule at an offset of the document.
    ///
    /// The error of a section that is given twice is at its key, which is before the rule.
    func source(at offset: Int) -> RuleSource {
        let index = ends.partitioningIndex { offset < $0.end }
        return index < ends.count ? ends[index].source : RuleSource(text: nil)
    }

    /// The error of a document that is not JSON, with the file and line of the rule that is not.
    func located(_ fault: ProfileFault) -> ProfileFault {
        let lines = document.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        var fault = fault
        fault.source = source(at: lines.prefix(fault.line - 1).reduce(fault.column - 1) { $0 + $1.count + 1 }).text
        return fault
    }
}

/// A JSON text that is being built.
package struct RuleText: Sendable, Hashable {
    package private(set) var bytes: [UInt8] = []
    /// The offsets where the contents of selectors begin, after their quotes.
    private var selectors: [Int] = []
    /// The offset where `of` is inserted if the text is put below a pointer; nil for a text that names no keys of the document.
    private var endOfForm: Int?

    var hasSelectors: Bool { !selectors.isEmpty }

    package init() {}

    /// A JSON string.
    package init(_ content: String) { self.init(content: Array(content.utf8)) }

    init(content: [UInt8]) { bytes = JSONText.quoted(content) }

    /// A JSON string that is a selector.
    package init(selector: String) {
        self.init(selector)
        selectors = [1]
    }

    package init(selectors: [String]) { self.init(array: selectors.map { RuleText(selector: $0) }) }

    package init(_ value: Bool) { append(value ? "true" : "false") }

    init(_ value: Int) { append(String(value)) }

    /// A text that is JSON already. It is not checked here.
    package init(json: some Sequence<UInt8>) { bytes = Array(json) }

    /// Texts one after the other, with commas between them.
    init(list texts: [RuleText]) {
        for (index, text) in texts.enumerated() {
            if index > 0 { append(", ") }
            append(text)
        }
    }

    /// A member of an object, such as `"name": 1`.
    package init(_ name: String, _ value: RuleText) { self.init(RuleText(name), value) }

    package init(_ name: RuleText, _ value: RuleText) {
        append(name)
        append(": ")
        append(value)
    }

    init(array elements: [RuleText]) {
        append("[")
        append(RuleText(list: elements))
        append("]")
    }

    init(strings: [String]) { self.init(array: strings.map { RuleText($0) }) }

    /// An object of the members that are not nil, in their order.
    package init(object members: KeyValuePairs<String, RuleText?>) {
        self.init(braced: members.compactMap { name, value in value.map { RuleText(name, $0) } })
    }

    package init(braced members: [RuleText]) {
        append("{")
        append(RuleText(list: members))
        append("}")
    }

    package mutating func append(_ text: String) { bytes += text.utf8 }

    package mutating func append(_ text: RuleText) {
        selectors += text.selectors.map { $0 + bytes.count }
        endOfForm = text.endOfForm.map { $0 + bytes.count } ?? endOfForm
        bytes += text.bytes
    }

    /// Marks the end of the text as the end of a form that begins at the document.
    mutating func endFormOfDocument() { endOfForm = bytes.count }

    /// Puts `pointer` before every selector that is a pointer, and into `of` of a form that begins at the document.
    mutating func prefixPointers(with pointer: String) {
        let text = RuleText(pointer).bytes
        let prefix = text.dropFirst().dropLast()
        let count = selectors.count
        if let end = endOfForm {
            let member = Array(", \"of\": ".utf8)
            bytes.insert(contentsOf: member + text, at: end)
            selectors.append(end + member.count + 1)
            endOfForm = nil
        }
        for index in (0..<count).reversed() where bytes[selectors[index]] == ASCII.slash {
            bytes.insert(contentsOf: prefix, at: selectors[index])
            for later in selectors.indices where later > index { selectors[later] += prefix.count }
        }
    }

    mutating func appendSection(_ name: String) {
        append(",\n  ")
        append(RuleText(name))
        append(": ")
    }
}
