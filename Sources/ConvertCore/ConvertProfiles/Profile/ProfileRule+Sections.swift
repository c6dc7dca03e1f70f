public import ConvertEngine

// One function for each section of the profile format, in the order of the format.

extension ProfileRule {
    /// The profile's name, by which requests to a server select it.
    public static func name(_ name: String, file: String = #fileID, line: Int = #line) -> ProfileRule {
        ProfileRule("name", .whole, RuleText(name), RuleSource(file, line))
    }

    /// The purpose of the profile, as free text.
    public static func description(_ text: String, file: String = #fileID, line: Int = #line) -> ProfileRule {
        ProfileRule("description", .whole, RuleText(text), RuleSource(file, line))
    }

    // MARK: Keys

    /// Writes every key that no rename matches in one case.
    ///
    /// - Parameters:
    ///   - target: the case of the output.
    ///   - from: the case of the input, which the inverse needs.
    ///   - acronyms: words that stay whole, such as `ID` in `userIDs`; `common` for the usual ones.
    ///   - acronymStyle: whether acronyms are written `Url` or as listed; the format's default, `title`, when nil.
    ///   - digits: whether digits after a letter are a word of their own; the format's default, `join`, when nil.
    ///   - except: selectors of paths whose own key stays.
    ///   - opaque: selectors of paths below which no key changes, such as maps keyed by data.
    ///   - file: the source file of the rule, for messages.
    ///   - line: its line.
    public static func keys(
        _ target: KeyCase, from: KeyCase? = nil, acronyms: [String] = [], acronymStyle: AcronymStyle? = nil,
        digits: DigitStyle? = nil, except: [String] = [], opaque: [String] = [],
        file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let section = RuleText(object: [
            "case": RuleText(target.rawValue),
            "from": from.map { RuleText($0.rawValue) },
            "acronyms": acronyms.isEmpty ? nil : RuleText(strings: acronyms),
            "acronymStyle": acronymStyle.map { RuleText($0.rawValue) },
            "digits": digits.map { RuleText($0.rawValue) },
            "except": except.isEmpty ? nil : RuleText(selectors: except),
            "opaque": opaque.isEmpty ? nil : RuleText(selectors: opaque),
        ])
        return ProfileRule("keys", .whole, section, RuleSource(file, line))
    }

    /// Renames the keys that `selector` matches to `name`.
    public static func rename(_ selector: String, to name: String, file: String = #fileID, line: Int = #line)
        -> ProfileRule
    {
        ProfileRule("rename", .members, RuleText(RuleText(selector: selector), RuleText(name)), RuleSource(file, line))
    }

    /// Renames the keys that `selector` matches to `pattern`, in which `*` is the text that the `*` of the selector matches:
    /// `.rename("internal_*", pattern: "x_*")`. The case rule applies to the new key.
    public static func rename(
        _ selector: String, pattern: String, file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let target = RuleText(object: ["pattern": RuleText(pattern)])
        return ProfileRule(
            "rename", .members, RuleText(RuleText(selector: selector), target), RuleSource(file, line))
    }

    /// Renames keys: `["firstName": "fn", "/orders/*/id": "i"]`, selectors with their new keys.
    public static func rename(_ names: KeyValuePairs<String, String>, file: String = #fileID, line: Int = #line)
        -> ProfileRule
    {
        ProfileRule(
            "rename", .members, RuleText(list: names.map { RuleText(RuleText(selector: $0.key), RuleText($0.value)) }),
            RuleSource(file, line))
    }

    /// Renames keys, from a dictionary of selectors and their new keys.
    @_disfavoredOverload
    public static func rename(
        _ names: [String: String], file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let members = names.sorted { $0.key < $1.key }.map { RuleText(RuleText(selector: $0.key), RuleText($0.value)) }
        return ProfileRule("rename", .members, RuleText(list: members), RuleSource(file, line))
    }

    // MARK: Values

    /// Finds strings that are unambiguous date-times with a zone, wherever they are, and writes them in one format.
    ///
    /// - Parameters:
    ///   - format: the format that is written.
    ///   - precision: fraction digits of the seconds, 0 to 9; if nil, as many as the input has. Only for `rfc3339`.
    ///   - zone: the zone they are written in: an IANA name, `±HH:MM` or `UTC`, which is the default.
    ///   - file: the source file of the rule, for messages.
    ///   - line: its line.
    public static func dates(
        _ format: DateFormat, precision: Int? = nil, zone: String? = nil, file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let rule = RuleText(object: [
            "to": format.text, "precision": precision.map { RuleText($0) }, "zone": zone.map { RuleText($0) },
        ])
        return ProfileRule("dates", .elements, rule, RuleSource(file, line))
    }

    /// Reads fields as dates and writes them in one format; a value that is not a date is a `badValue`.
    ///
    /// - Parameters:
    ///   - fields: selectors of the fields.
    ///   - from: the formats that are read; the inverse writes the first. `auto` when empty.
    ///   - to: the format that is written.
    ///   - precision: fraction digits of the seconds, 0 to 9; if nil, as many as the input has. Only for `rfc3339`.
    ///   - zone: the zone they are written in: an IANA name, `±HH:MM` or `UTC`, which is the default.
    ///   - assumeZone: the zone of dates without one; if nil, these are bad values.
    ///   - badValue: what happens to a value that is not a date; if nil, `on` decides.
    ///   - file: the source file of the rule, for messages.
    ///   - line: its line.
    public static func dates(
        at fields: String..., from: [DateFormat] = [], to: DateFormat, precision: Int? = nil, zone: String? = nil,
        assumeZone: String? = nil, badValue: BadValuePolicy? = nil,
        file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let forms = from.isEmpty ? nil : RuleText(array: from.map { $0.text })
        let rule = RuleText(object: [
            "at": RuleText(selectors: fields), "from": forms, "to": to.text,
            "precision": precision.map { RuleText($0) },
            "zone": zone.map { RuleText($0) }, "assumeZone": assumeZone.map { RuleText($0) },
            "badValue": badValue.map { RuleText($0.rawValue) },
        ])
        return ProfileRule("dates", .elements, rule, RuleSource(file, line))
    }

    /// Writes the values of fields in another form. A value that has no such form is a `badValue`.
    ///
    /// - Parameters:
    ///   - fields: selectors of the fields.
    ///   - form: the form that is written.
    ///   - badValue: what happens to a value that has no such form; if nil, `on` decides.
    ///   - file: the source file of the rule, for messages.
    ///   - line: its line.
    public static func values(
        at fields: String..., as form: ValueForm, badValue: BadValuePolicy? = nil, file: String = #fileID,
        line: Int = #line
    ) -> ProfileRule {
        var name = RuleText("as", RuleText(form.name))
        if form.beginsAtDocument { name.endFormOfDocument() }
        let policy = badValue.map { [RuleText("badValue", RuleText($0.rawValue))] } ?? []
        let rule = RuleText(braced: [RuleText("at", RuleText(selectors: fields)), name] + form.details + policy)
        return ProfileRule("values", .elements, rule, RuleSource(file, line))
    }

    // MARK: Structure

    /// Removes everything except the values that the selectors match and everything below them.
    public static func keep(_ selectors: String..., file: String = #fileID, line: Int = #line) -> ProfileRule {
        listRule("keep", selectors, RuleSource(file, line))
    }

    /// Removes all other members of the objects that `selector` matches. `members` are keys, or pointers that begin at the object.
    public static func keep(_ members: [String], of selector: String, file: String = #fileID, line: Int = #line)
        -> ProfileRule
    {
        let scope = RuleText(braced: [RuleText(RuleText(selector: selector), RuleText(strings: members))])
        return ProfileRule("keep", .elements, scope, RuleSource(file, line))
    }

    /// Removes the values that the selectors match and everything below them.
    public static func drop(_ selectors: String..., file: String = #fileID, line: Int = #line) -> ProfileRule {
        listRule("drop", selectors, RuleSource(file, line))
    }

    /// Refuses payloads without these paths, which are pointers with input keys.
    public static func require(_ pointers: String..., file: String = #fileID, line: Int = #line) -> ProfileRule {
        listRule("require", pointers, RuleSource(file, line))
    }

    /// Moves a value from a path of the input to a path of the output; both are pointers without `**`.
    public static func move(_ source: String, to target: String, file: String = #fileID, line: Int = #line)
        -> ProfileRule
    {
        ProfileRule(
            "move", .members, RuleText(RuleText(selector: source), RuleText(selector: target)), RuleSource(file, line))
    }

    /// Moves values to other paths: `["/content/headline": "/headline", "/content/body": "/text"]`, sources and targets.
    public static func move(
        _ pointers: KeyValuePairs<String, String>, file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let members = pointers.map { RuleText(RuleText(selector: $0.key), RuleText(selector: $0.value)) }
        return ProfileRule("move", .members, RuleText(list: members), RuleSource(file, line))
    }

    /// Moves the members of an object into the object around it.
    ///
    /// - Parameters:
    ///   - pointer: the object; a pointer without `**`.
    ///   - prefix: the beginning of the members' new keys, by which the inverse finds them.
    ///   - names: the output keys by which the inverse finds members without a prefix.
    ///   - file: the source file of the rule, for messages.
    ///   - line: its line.
    public static func flatten(
        _ pointer: String, prefix: String? = nil, names: [String] = [], file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let rule = RuleText(object: [
            "at": RuleText(selector: pointer), "prefix": prefix.map { RuleText($0) },
            "names": names.isEmpty ? nil : RuleText(strings: names),
        ])
        return ProfileRule("flatten", .elements, rule, RuleSource(file, line))
    }

    /// Makes the value at a path of the input the document. Everything around it is removed.
    public static func unwrap(_ pointer: String, file: String = #fileID, line: Int = #line) -> ProfileRule {
        ProfileRule("unwrap", .whole, RuleText(pointer), RuleSource(file, line))
    }

    /// Puts the output into an object, under a key or at a pointer.
    public static func wrap(_ pointer: String, file: String = #fileID, line: Int = #line) -> ProfileRule {
        ProfileRule("wrap", .whole, RuleText(pointer), RuleSource(file, line))
    }

    /// Removes null or empty values from the output, from the bottom up: members always, elements of arrays only if `inArrays`.
    public static func prune(
        null: Bool = false, emptyString: Bool = false, emptyArray: Bool = false, emptyObject: Bool = false,
        inArrays: Bool = false,
        file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let section = RuleText(object: [
            "null": RuleText(null), "emptyString": RuleText(emptyString), "emptyArray": RuleText(emptyArray),
            "emptyObject": RuleText(emptyObject), "inArrays": RuleText(inArrays),
        ])
        return ProfileRule("prune", .whole, section, RuleSource(file, line))
    }

    /// Sets which values of a payload are records, and the action for a bad one.
    ///
    /// - Parameters:
    ///   - pointer: the records, such as `/articles/*`; not needed for NDJSON, where every line is a record.
    ///   - policy: whether a bad record fails the payload, is discarded and counted, or becomes null.
    ///   - file: the source file of the rule, for messages.
    ///   - line: its line.
    public static func records(
        at pointer: String? = nil, onError policy: RecordPolicy, file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let section = RuleText(object: [
            "at": pointer.map { RuleText(selector: $0) }, "onError": RuleText(policy.rawValue),
        ])
        return ProfileRule("records", .whole, section, RuleSource(file, line))
    }

    // MARK: Policies and output

    /// The policies for keys that collide and for keys or values that a rule cannot convert; if nil, the format's defaults.
    public static func on(
        collision: ClashPolicy? = nil, duplicateKey: ClashPolicy? = nil, badValue: BadValuePolicy? = nil,
        lossyKey: FaultPolicy? = nil,
        file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let section = RuleText(object: [
            "collision": collision.map { RuleText($0.rawValue) },
            "duplicateKey": duplicateKey.map { RuleText($0.rawValue) },
            "badValue": badValue.map { RuleText($0.rawValue) },
            "lossyKey": lossyKey.map { RuleText($0.rawValue) },
        ])
        return ProfileRule("on", .whole, section, RuleSource(file, line))
    }

    /// How the output is written.
    ///
    /// - Parameters:
    ///   - indent: spaces for each level, 0 to 16; 0 writes no white space at all.
    ///   - sortKeys: whether members are written in the order of their keys' UTF-8 bytes.
    ///   - escapes: which legal form of a string is written.
    ///   - file: the source file of the rule, for messages.
    ///   - line: its line.
    public static func output(
        indent: Int = 0, sortKeys: Bool = false, escapes: OutputOptions.Escapes = .preserve,
        file: String = #fileID, line: Int = #line
    ) -> ProfileRule {
        let section = RuleText(object: [
            "indent": RuleText(indent), "sortKeys": RuleText(sortKeys), "escapes": RuleText(escapes.rawValue),
        ])
        return ProfileRule("output", .whole, section, RuleSource(file, line))
    }

    /// Whether a one-way profile is refused.
    public static func roundTrip(_ choice: Profile.RoundTrip, file: String = #fileID, line: Int = #line) -> ProfileRule
    {
        ProfileRule("roundTrip", .whole, RuleText(choice.rawValue), RuleSource(file, line))
    }

    /// An example of two JSON texts. `Profile.examples` contains it, and `ProfileExample.fault(under:)` runs it.
    public static func example(_ input: String, becomes output: String, file: String = #fileID, line: Int = #line)
        -> ProfileRule
    {
        let example = RuleText(object: ["in": RuleText(json: input.utf8), "out": RuleText(json: output.utf8)])
        return ProfileRule("examples", .elements, example, RuleSource(file, line))
    }

    private static func listRule(_ section: String, _ selectors: [String], _ source: RuleSource) -> ProfileRule {
        ProfileRule(section, .elements, RuleText(list: selectors.map { RuleText(selector: $0) }), source)
    }
}
