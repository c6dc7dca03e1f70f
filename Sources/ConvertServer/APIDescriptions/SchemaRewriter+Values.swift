import ConvertEngine
import Text

/// Values in schemas, which the converter itself converts.
extension SchemaRewriter {
    /// The text of a value as clients see it; nil, with a warning, if the plan refuses it.
    func converted(_ value: NodeID, _ path: DescribedPath, _ keyword: String) throws(DescriptionError) -> [UInt8]? {
        let text = source.text(value)
        let kind = Self.kind(of: source[value].kind)
        if kind.isDisjoint(with: [.array, .object]), path.rule < 0, kind != .string || path.plan.scanRule < 0 {
            return text
        }
        do throws(ConversionError) {
            let converted = try path.side.paths.convert(text, at: path.path)
            // A bad record is skipped.
            if !converted.isEmpty { return converted }
            warn(at: value, "this value of `\(keyword)` is left out: a bad record")
        } catch {
            warn(at: value, "this value of `\(keyword)` is left out: \(error.message)", rule: error.rule)
        }
        return nil
    }

    /// The elements of an array of values, without those that the plan refuses and without repetitions.
    func convertedElements(
        _ values: NodeID, _ path: DescribedPath, _ keyword: String
    ) throws(DescriptionError) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        var known: Set<[UInt8]> = []
        for value in source.elements(of: values) {
            guard let text = try converted(value, path, keyword), known.insert(text).inserted else { continue }
            texts.append(text)
        }
        return texts
    }

    /// Adds `enum` where no rule acts on the value itself.
    func addValues(_ values: NodeID, to members: inout SchemaMembers) throws(DescriptionError) {
        let texts = try convertedElements(values, members.path, "enum")
        let originals = source.elements(of: values).map { source.text($0) }
        // Other values may become equal to one of these.
        let kinds = source.elements(of: values).reduce(into: Kinds()) { $0.formUnion(Self.kind(of: source[$1].kind)) }
        if texts != originals || !staysApart(kinds, members.path) { members.exactness.isExact = false }
        members.add("enum", .array((texts.isEmpty ? originals : texts).map { .text($0) }))
    }

    // MARK: Rules

    /// The rule that changes the values of a schema at a path; nil if none does.
    func rule(for id: NodeID, _ path: DescribedPath) -> Int? {
        guard path.rule < 0 else {
            let rule = path.plan.rules[path.rule]
            let description = rule.description
            // A rule that changes none of these values is left to the other keywords.
            let live = kinds(of: id).subtracting(.null)
            guard !live.isEmpty else { return nil }
            let isIdle = live.intersection(description.accepted).isSubset(of: description.unchanged)
            let refused = live.subtracting(description.accepted)
            return isIdle && (refused.isEmpty || rule.badValue == .keep) ? nil : path.rule
        }
        // The scan finds dates anywhere. A schema says where they are by its format.
        guard path.plan.scanRule >= 0, source.string(source.member("format", of: id)) == Array("date-time".utf8) else {
            return nil
        }
        return kinds(of: id).contains(.string) ? path.plan.scanRule : nil
    }

    func isRefused(_ id: NodeID, _ path: DescribedPath) -> Bool {
        guard path.rule >= 0 else { return false }
        let rule = path.plan.rules[path.rule]
        guard rule.badValue == .error else { return false }
        let kinds = kinds(of: id)
        return !kinds.isEmpty && kinds.isDisjoint(with: rule.description.accepted.union(.null))
            || kinds == .string && readsDates(of: id, rule) == false
    }

    /// The schema of what a rule makes of the instances of a schema.
    func rewrite(_ id: NodeID, _ path: DescribedPath, rule: Int) throws(DescriptionError) -> RewrittenSchema {
        let description = path.plan.rules[rule].description
        guard !isRefused(id, path) else {
            throw DescriptionError(
                at: source.pointer(id), "the rule accepts none of the values of this schema",
                rule: path.plan.rules[rule].pointer, hint: "limit the rule to other paths")
        }
        let live = kinds(of: id).subtracting(.null)
        let isTotal =
            live.isSubset(of: description.neverRefused)
            || (live == .string && readsDates(of: id, path.plan.rules[rule]) == true)
        let isScan = path.rule < 0
        var ruled = try ruledSchema(
            id, path, description, writesFormat: isTotal || path.plan.rules[rule].badValue != .keep,
            othersStay: isScan)
        ruled.exactness.isExact = false
        // The parts of a schema without a type of its own already allow what stays.
        guard !isTotal, !isScan, !(isComposed(id) && ownKinds(of: id) == .any) else { return ruled }
        switch path.plan.rules[rule].badValue {
        case .error: return ruled
        // The gateway passes the null of a client to the upstream, whose schema does not have it.
        case .null: return path.side.kind == .request ? ruled : nullable(ruled)
        case .keep:
            if case .string = description.output, live == .string { return ruled }
            var both = try rewrite(id, path.at(path.withoutRule))
            both.exactness = Exactness(isExact: false)
            both.tree = .any(of: [ruled.tree, both.tree])
            return both
        }
    }

    func isComposed(_ id: NodeID) -> Bool {
        ["$ref", "allOf", "anyOf", "oneOf"].contains { source.member($0, of: id) != nil }
    }

    /// Whether a rule reads all strings of a schema's `format`, or none of them; nil if neither is known.
    private func readsDates(of id: NodeID, _ rule: ValueRule) -> Bool? {
        switch source.string(source.member("format", of: id)).map({ String(decoding: $0, as: UTF8.self) }) {
        case "date-time": rule.readsDates(like: "2000-01-01T00:00:00Z")
        case "date": rule.readsDates(like: "2000-01-01")
        default: nil
        }
    }

    /// A schema that null fits, too.
    func nullable(_ schema: RewrittenSchema) -> RewrittenSchema {
        var schema = schema
        schema.tree = .any(of: [schema.tree, null])
        return schema
    }

    var null: DescriptionTree {
        usesNullable
            ? .object(("nullable", .text("true")), ("enum", .text("[null]"))) : .object(("type", .text("\"null\"")))
    }

    private func ruledSchema(
        _ id: NodeID, _ path: DescribedPath, _ description: ValueDescription, writesFormat: Bool,
        othersStay: Bool
    ) throws(DescriptionError) -> RewrittenSchema {
        var members = SchemaMembers(id: id, path: path)
        let own = source.isObject(id) ? ownKinds(of: id) : .any
        let isComposed = isComposed(id)
        var form = RuledForm(description, own, othersStay: othersStay, writesFormat: writesFormat)
        if source.member("enum", of: id) != nil || source.member("const", of: id) != nil { form.table = nil }
        var hasType = false
        for (name, value) in source.members(of: id) {
            let keyword = String(decoding: name, as: UTF8.self)
            switch keyword {
            case "type":
                hasType = true
                add(form, to: &members)
            case "format", "pattern", "minLength", "maxLength": break
            case "nullable": members.add(name, .text(source.text(value)))
            case "$ref": try addReference(value, to: &members)
            case "allOf", "anyOf", "oneOf":
                let choices = source.elements(of: value).filter { !isRefused($0, path) }
                let parts = try choices.map { choice throws(DescriptionError) in
                    try rewrite(choice, path).tree
                }
                let shown = keyword == "oneOf" ? "anyOf" : keyword
                if !members.contains(shown) { members.add(shown, .array(parts)) }
            case "enum":
                let texts = try convertedElements(value, path, keyword)
                guard !texts.isEmpty else {
                    throw DescriptionError(
                        at: source.pointer(value), "the rule accepts none of these values",
                        rule: path.plan.rules[max(path.rule, path.plan.scanRule)].pointer,
                        hint: "limit the rule to other paths")
                }
                members.add(name, .array(texts.map { .text($0) }))
            case "const", "default", "example":
                if let text = try converted(value, path, keyword) { members.add(name, .text(text)) }
            case "examples":
                members.add(name, .array(try convertedElements(value, path, keyword).map { .text($0) }))
            default: if Self.isAnnotation(keyword) { members.add(name, .text(source.text(value))) }
            }
        }
        if !hasType, !isComposed { add(form, to: &members) }
        if usesNullable, hasType || !isComposed, form.types.contains("null"), !members.contains("nullable") {
            members.add("nullable", .text("true"))
        }
        return members.schema
    }

    private func add(_ form: RuledForm, to members: inout SchemaMembers) {
        var types = form.types
        if usesNullable { types.removeAll { $0 == "null" } }
        if types.count == 1 {
            members.add("type", .string(Array(types[0].utf8)))
        } else if types.count > 1, !usesNullable {
            members.add("type", .strings(types.map { Array($0.utf8) }))
        }
        if let format = form.format, types.allSatisfy({ $0 == "string" || $0 == "null" }) {
            members.add("format", .string(Array(format.utf8)))
        }
        if let table = form.table {
            members.add("enum", .array(table.map { .text($0) }))
        }
    }
}

/// The type, format and values of what a rule writes for values of some kinds.
private struct RuledForm {
    private(set) var types: [String] = []
    private(set) var format: String?
    /// The JSON texts of all values, if they are known.
    var table: [[UInt8]]?
    init(_ description: ValueDescription, _ own: ValueDescription.Kinds, othersStay: Bool, writesFormat: Bool) {
        var written: ValueDescription.Kinds = own.intersection(description.unchanged).intersection(description.accepted)
        let changed = own.intersection(description.accepted).subtracting(description.unchanged)
        if othersStay { written.formUnion(own.subtracting(description.accepted)) }
        switch description.output {
        case .string(let format):
            if !changed.isEmpty { written.insert(.string) }
            self.format = writesFormat ? format : nil
        case .integer: if !changed.isEmpty { written.insert(.integer) }
        case .number: if !changed.isEmpty { written.formUnion(.number) }
        case .boolean: if !changed.isEmpty { written.insert(.boolean) }
        case .any: return
        case .sameKind: written.formUnion(changed)
        case .table(let rows):
            var texts: [[UInt8]] = []
            for row in rows where Self.mayBe(row.text, row.isString, own) && !texts.contains(row.json) {
                texts.append(row.json)
            }
            written.formUnion(texts.reduce(into: []) { $0.formUnion(Self.kind(of: $1)) })
            if own.contains(.null), !texts.contains(Self.null) { texts.append(Self.null) }
            table = texts
        }
        if own.contains(.null) { written.insert(.null) }
        types = Self.names(of: written)
    }

    private static let null = Array("null".utf8)

    private static func mayBe(_ text: [UInt8], _ isString: Bool?, _ own: ValueDescription.Kinds) -> Bool {
        let isBoolean = text == Array("true".utf8) || text == Array("false".utf8)
        let isToken = ValueTable.isToken(text) && !own.isDisjoint(with: isBoolean ? .boolean : .number)
        return isString.map { $0 ? own.contains(.string) : isToken } ?? (own.contains(.string) || isToken)
    }

    private static func kind(of json: [UInt8]) -> ValueDescription.Kinds {
        switch json.first {
        case ASCII.quote: .string
        case ASCII.t, ASCII.f: .boolean
        case ASCII.n: .null
        default: json.contains { !ASCII.isDigit($0) && $0 != ASCII.minus } ? .number : .integer
        }
    }

    private static func names(of kinds: ValueDescription.Kinds) -> [String] {
        if kinds.isSuperset(of: .any) { return [] }
        // Numbers include integers.
        let other = kinds.contains(.fraction) ? "integer" : "number"
        let found = ValueDescription.Kinds.named.filter { $0.name != other && !kinds.isDisjoint(with: $0.kinds) }
        return found.map(\.name)
    }
}
