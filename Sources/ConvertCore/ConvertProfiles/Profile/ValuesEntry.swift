package import ConvertEngine
import ConvertText

/// One rule of a profile's `values` section, as written.
package struct ValuesEntry: Sendable, Hashable {
    /// The values that the rule applies to.
    package internal(set) var at: [LocatedSelector] = []
    var conversion = ValueConversion.string
    /// What happens to a value that the rule does not accept; nil if the profile decides for all rules.
    package internal(set) var badValue: BadValuePolicy?
    package let location: DocumentLocation

    /// Whether the rule hides values. If it does, a payload must not pass unchanged.
    package var withholds: Bool {
        if case .hash = conversion { true } else { masksContainers }
    }

    /// Whether the rule takes the JSON out of strings.
    package var readsJSON: Bool {
        if case .json = conversion { true } else { false }
    }

    /// Whether objects and arrays are replaced, too.
    package var masksContainers: Bool {
        if case .mask = conversion { true } else { false }
    }

    /// The conversion of the inverse direction; nil if the inverse does not change the value.
    var inverse: ValueConversion? {
        switch conversion {
        case .url(let base) where !base.isEmpty: .absoluteURL(base: base)
        case .json: .text
        case .names(let form): .names(form)
        case .table(let table): .reverseTable(table)
        default: nil
        }
    }

    /// The reason why the inverse cannot undo the rule; nil if it can.
    var loss: ProfileFault? {
        let message: String
        switch conversion {
        case .url: return nil
        case .string: message = "the output does not show whether the input was a string, a number or a boolean"
        case .number, .integer: message = "the output does not show whether the input was a string or a number"
        case .boolean: message = "the output does not show how the boolean was written"
        case .uuid: message = "the case of the letters is lost"
        case .json: message = "the formatting of the JSON text in the string is lost"
        case .mask: message = "masked values cannot come back"
        case .hash: message = "hashed values cannot come back"
        case .table(let table):
            guard let lost = Self.loss(of: table) else { return nil }
            message = lost
        case .absoluteURL, .reverseTable, .text, .names: return nil
        }
        return fault(message, hint: "leave the value as it is, or convert forward only")
    }

    private static func loss(of table: ValueTable) -> String? {
        if table.repeatsTarget {
            return "two keys of the table have the same value"
        }
        if table.writesNull { return "a value that becomes null cannot be mapped back" }
        guard table.rows.contains(where: { ValueTable.isToken($0.key) }) else { return nil }
        return "a number or boolean in the table looks like a string with the same text"
    }
}

// MARK: - Reading

extension ProfileReader {
    /// Reads one rule or an array of rules.
    mutating func readValues(_ id: NodeID) -> [ValuesEntry] {
        guard document[id].kind == .array || document[id].kind == .object else {
            refuse(id, expected: "a rule or an array of rules")
            return []
        }
        return elements(id).compactMap { readValuesEntry($0) }
    }

    private mutating func readValuesEntry(_ id: NodeID) -> ValuesEntry? {
        guard let members = members(of: id, as: .values) else { return nil }
        var entry = ValuesEntry(location: location(id))
        let hint = "name the keys or paths that the rule acts on"
        if let node = required("at", of: id, members, hint: hint) {
            entry.at = selectors(node)
            if elements(node).isEmpty { refuse(node, "`at` is empty", hint: hint) }
        }
        for (name, forms) in Self.formsOfMembers {
            guard let node = members[name] else { continue }
            let form = members["as"].map { document[$0].kind } ?? .null
            if forms.contains(where: { form == .string(Array($0.rawValue.utf8)) }) { continue }
            let others = forms.count > 1 ? " and the like" : ""
            refuse(
                locationOfKey(node), "`\(name)` works only with `\"as\": \"\(forms[0].rawValue)\"`\(others)",
                hint: "leave `\(name)` out")
        }
        switch (members["as"], members["map"]) {
        case (let node?, nil): entry.conversion = readForm(node, members, of: id) ?? entry.conversion
        case (nil, let node?): entry.conversion = .table(readTable(node))
        case (_?, let node?): refuse(locationOfKey(node), "a rule has `as` or `map`, not both", hint: "leave one out")
        case (nil, nil):
            if !members.hasRefused { refuse(id, "a rule needs `as` or `map`", hint: "write {\"as\": \"string\"}") }
        }
        if let node = members["badValue"] {
            entry.badValue = choice(node)
            if entry.masksContainers {
                refuse(locationOfKey(node), "`mask` accepts every value", hint: "leave `badValue` out")
            }
        }
        return entry
    }

    /// The choices of `as`.
    private enum Form: String, CaseIterable, Hashable {
        case string, number, integer, boolean, uuid, url, json, mask, hash, name, path, names, pointer
    }

    /// The forms that each of these members belongs to.
    private static let formsOfMembers: [(name: String, forms: [Form])] = [
        ("case", [.uuid]), ("relativeTo", [.url]), ("text", [.mask]), ("keep", [.mask]), ("char", [.mask]),
        ("key", [.hash]), ("bytes", [.hash]), ("of", [.path, .name, .names, .pointer]),
        ("separator", [.path, .name, .names, .pointer]),
    ]

    private enum UUIDCase: String, CaseIterable, Hashable {
        case lower, upper
    }

    private mutating func readForm(_ id: NodeID, _ members: Members, of rule: NodeID) -> ValueConversion? {
        switch choice(id, of: Form.self) {
        case .string: return .string
        case .number: return .number
        case .integer: return .integer
        case .boolean: return .boolean
        case .uuid:
            let letterCase = members["case"].flatMap { choice($0, of: UUIDCase.self) } ?? .lower
            return .uuid(isUpperCase: letterCase == .upper)
        case .url: return .url(base: members["relativeTo"].map { readBase($0) } ?? [])
        case .json: return .json
        case .mask: return .mask(readMask(members))
        case .name: return .names(readNameForm(.name, members))
        case .path: return .names(readNameForm(.path, members))
        case .names: return .names(readNameForm(.names, members))
        case .pointer: return .names(readNameForm(.pointer, members))
        case .hash: return readHash(members, in: rule).map { .hash($0) }
        case nil: return nil
        }
    }

    /// The scheme and authority of `relativeTo`, without a final slash.
    private mutating func readBase(_ id: NodeID) -> [UInt8] {
        guard var base = text(id, expected: "a URL").map({ Array($0.utf8) }) else { return [] }
        if base.last == ASCII.slash, base.count > 1, base[base.count - 2] != ASCII.slash { base.removeLast() }
        if !URLText.isBase(base.span) {
            refuse(id, "`relativeTo` must be a scheme and a host", hint: "write \"https://www.example.com\"")
        }
        return base
    }

    private mutating func readTable(_ id: NodeID) -> ValueTable {
        var rows: [ValueTable.Row] = []
        for (child, name) in distinctMembers(of: id, expected: "an object of values and their replacements") {
            switch document[child].kind {
            case .string:
                guard let content = text(child, expected: "a scalar") else { continue }
                rows.append(.init(key: name, target: .string(Array(content.utf8))))
            case .number, .boolean, .null:
                rows.append(.init(key: name, target: .token(document.source(of: child))))
            case .array, .object: refuse(child, expected: "a string, a number, true, false or null")
            }
        }
        return ValueTable(rows)
    }
}
