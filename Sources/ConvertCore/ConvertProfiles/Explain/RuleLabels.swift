import ConvertEngine

/// The rules of a profile as people write them: `rename "/orders/*/createdAt"` rather than `/rename/~1orders~1*~1createdAt`.
struct RuleLabels {
    private var labels: [String: String] = [:]

    init(_ profile: Profile) {
        let sections: [(String, [LocatedSelector])] = [
            ("rename", profile.renames.located),
            ("except", profile.keys?.except ?? []), ("opaque", profile.keys?.opaque ?? []),
            ("keep", profile.keeps), ("drop", profile.drops), ("require", profile.requires),
            ("move", profile.moves.located),
            ("flatten", profile.flattens.located),
            ("defaults", profile.defaults.located),
            ("records", profile.records?.at.map { [$0] } ?? []),
            ("keep", profile.scopes.located),
            ("unwrap", profile.unwrap.map { [$0.located] } ?? []),
            ("wrap", profile.wrap.map { [$0.located] } ?? []),
        ]
        for (section, selectors) in sections {
            for selector in selectors { labels[selector.location.pointer] = Self.label(section, [selector]) }
        }
        for entry in profile.dates { labels[entry.location.pointer] = Self.label("dates", entry.at) }
        for entry in profile.values { labels[entry.location.pointer] = Self.label("values", entry.at) }
    }

    /// How many rules have a label.
    var count: Int { labels.count }

    /// The label of the rule at a pointer into the profile.
    subscript(pointer: String) -> String {
        // Sections such as `prune` have no selectors, so the keys of the pointer become the label.
        labels[pointer] ?? pointer.dropFirst().split(separator: "/").joined(separator: ".")
    }

    /// A rule of a section with its first selector.
    static func label(_ section: String, _ selectors: [LocatedSelector]) -> String {
        guard let first = selectors.first else { return section }
        return "\(section) \(quoted(first.selector))\(selectors.count > 1 ? ", …" : "")"
    }

    /// A selector in the quotes that it has in a profile.
    static func quoted(_ selector: Selector) -> String { quoted(selector.description) }

    static func quoted(_ selector: String) -> String {
        "\"\(ExplainedPayload.spelled(Array(selector.utf8), maxCharacters: 100))\""
    }
}
