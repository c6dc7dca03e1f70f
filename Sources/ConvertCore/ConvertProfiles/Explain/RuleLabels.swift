import ConvertEngine
import ConvertText

/// The rules of a profile as people write them: `rename "/orders/*/createdAt"` rather than `/rename/~1orders~1*~1createdAt`.
struct RuleLabels {
    private var labels: [String: String] = [:]

    init(_ profile: Profile) {
        for section in SelectorSection.allCases {
            for rule in profile.rules(in: section) {
                labels[rule.location.pointer] = Self.label(section.rawValue, rule.at)
            }
        }
        for rule in profile.defaults { labels[rule.location.pointer] = Self.label("defaults", [rule.located]) }
        if let rule = profile.unwrap { labels[rule.location.pointer] = Self.label("unwrap", [rule.located]) }
        if let rule = profile.wrap { labels[rule.location.pointer] = Self.label("wrap", [rule.located]) }
    }

    /// How many rules have a label.
    var count: Int { labels.count }

    /// The label of the rule at a pointer into the profile.
    subscript(pointer: String) -> String {
        // Sections such as `prune` have no selectors, so the keys of the pointer become the label.
        labels[pointer]
            ?? String(decoding: pointer.utf8.map { $0 == ASCII.slash ? ASCII.dot : $0 }.dropFirst(), as: UTF8.self)
    }

    /// A rule of a section with its first selector.
    static func label(_ section: String, _ selectors: [LocatedSelector]) -> String {
        guard let first = selectors.first else { return section }
        return "\(section) \(quoted(first.selector))\(selectors.count > 1 ? ", …" : "")"
    }

    static func quoted(_ selector: Selector) -> String { quoted(selector.description) }

    static func quoted(_ selector: String) -> String {
        "\"\(ExplainedPayload.spelled(Array(selector.utf8), maxScalars: 100))\""
    }
}
