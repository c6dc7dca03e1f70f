import ConvertEngine
import ConvertProfiles
import Gateway

extension ConfigurationReader {
    /// Reads `query`: true, or an object that says which parameters name keys.
    mutating func query(_ value: SettingsValue) -> QueryRule? {
        var rule = QueryRule()
        if case .boolean(let isOn) = value.content {
            rule.names = [.all]
            return isOn ? rule : nil
        }
        let expected = "true, or an object with `names` or `values`"
        guard let members = members(of: value, as: .query, expected: expected) else { return nil }
        if let value = members["names"] { rule.names = names(value) }
        if let value = members["values"] { rule.values = values(value) }
        if let value = members["separator"], let text = text(value, expected: "the text between the keys of a path") {
            rule.separator = Array(text.utf8)
        }
        if let value = members["of"] { rule.base = base(value) }
        if members["names"] == nil, members["values"] == nil {
            refuse(
                value.location, "`query` does nothing without `names` and `values`",
                hint: "write `\"query\": true` for all names, or `\"values\": { \"sort\": \"names\" }` for values")
        }
        return rule
    }

    /// Reads `fields`: true, or an object with the parameter's name and the syntax.
    mutating func fields(_ value: SettingsValue) -> FieldsRule? {
        if case .boolean(let isOn) = value.content { return isOn ? FieldsRule() : nil }
        let expected = "true, or an object with `parameter` or `syntax`"
        guard let members = members(of: value, as: .fields, expected: expected) else { return nil }
        var rule = FieldsRule()
        if let value = members["syntax"] { rule.syntax = choice(value) ?? rule.syntax }
        if let value = members["parameter"], let text = text(value, expected: "the name of a parameter") {
            rule.parameter = text
        }
        return rule
    }

    /// Parameters whose names are keys: all, or those of a list.
    private mutating func names(_ value: SettingsValue) -> [ParameterPattern] {
        if case .boolean(let isOn) = value.content { return isOn ? [.all] : [] }
        refuseEmptyList(value, "without `names`, the names of parameters stay")
        return texts(value, expected: "true, or the name of a parameter").compactMap { text, element in
            parameter(text, at: element.location)
        }
    }

    private mutating func values(_ value: SettingsValue) -> [QueryRule.Value] {
        guard let members = namedValues(of: value) else { return [] }
        if members.isEmpty { refuse(value.location, "the object is empty", hint: "without `values`, all values stay") }
        var values: [QueryRule.Value] = []
        for member in members {
            let pattern = parameter(member.name, at: member.location)
            if pattern == .all {
                refuse(
                    member.location, "`*` would change the values of all parameters", hint: "name those that name keys")
            }
            guard let pattern, let syntax = choice(member.value, of: NameForm.OutsideSyntax.self) else { continue }
            values.append(QueryRule.Value(pattern, syntax))
        }
        return values
    }

    private mutating func parameter(_ text: String, at location: DocumentLocation) -> ParameterPattern? {
        guard !text.isEmpty, !Self.holdsControls(text), let pattern = ParameterPattern(text) else {
            return refused(
                location, "`\(text)` is not the name of a parameter",
                hint: "write a name, or one with a `*`: `filter[*]`")
        }
        return pattern
    }

    private mutating func base(_ value: SettingsValue) -> Selector? {
        guard let text = text(value, expected: "a pointer such as `/items/*`") else { return nil }
        let selector: Selector
        do throws(SelectorError) {
            selector = try Selector(parsing: Array(text.utf8))
        } catch {
            return refused(value.location, "the pointer `\(text)` \(error.message)", hint: error.hint)
        }
        guard case .pointer(let segments) = selector.form, !segments.contains(.anyDepth) else {
            return refused(
                value.location, "`\(text)` is not a pointer to an object",
                hint: "begin with `/`, and write `*` for each level")
        }
        return selector
    }
}
