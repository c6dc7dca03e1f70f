public import ConvertEngine
public import ConvertProfiles

extension ProfileRule {
    /// Replaces the values of fields by a table. The key in the table is a string's content, or the text of a number or boolean.
    ///
    /// A value that is not in the table is a `badValue`.
    ///
    /// - Parameters:
    ///   - fields: selectors of the fields.
    ///   - table: `["0": "inactive", "1": true]`; the new values are strings, numbers, booleans or null.
    ///   - badValue: what happens to a value that is not in the table; if nil, `on` decides.
    ///   - file: the source file of the rule, for messages.
    ///   - line: its line.
    public static func values(
        at fields: String..., map table: KeyValuePairs<String, JSONValue>, badValue: BadValuePolicy? = nil,
        file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let rows = RuleText(braced: table.map { RuleText($0.key, RuleText(json: $0.value.bytes())) })
        let rule = RuleText(object: [
            "at": RuleText(selectors: fields), "map": rows, "badValue": badValue.map { RuleText($0.rawValue) },
        ])
        return ProfileRule("values", .elements, rule, RuleSource(file, line))
    }

    /// Puts the output into an object that also has other members.
    public static func wrap(
        _ pointer: String, with others: KeyValuePairs<String, JSONValue>, file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let members = RuleText(braced: others.map { RuleText($0.key, RuleText(json: $0.value.bytes())) })
        return ProfileRule(
            "wrap", .whole, RuleText(object: ["at": RuleText(pointer), "with": members]), RuleSource(file, line))
    }

    /// Adds a value where the output has none: `.default("/currency", "EUR")`; null counts as a value.
    ///
    /// - Parameters:
    ///   - pointer: a path of output keys; `*` matches every key or element that exists.
    ///   - value: any JSON.
    ///   - file: the source file of the rule, for messages.
    ///   - line: its line.
    public static func `default`(
        _ pointer: String, _ value: JSONValue, file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let text = RuleText(RuleText(selector: pointer), RuleText(json: value.bytes()))
        return ProfileRule("defaults", .members, text, RuleSource(file, line))
    }
}
