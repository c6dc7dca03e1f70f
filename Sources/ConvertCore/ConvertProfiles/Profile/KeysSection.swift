package import ConvertEngine

/// A profile's `keys` section: the case rule and the paths that it does not change.
package struct KeysSection: Sendable, Hashable {
    /// The case of the output keys: the format's `case`.
    package var target: KeyCase
    /// The case of the input keys, which the inverse direction restores.
    package internal(set) var from: KeyCase?
    /// Words that stay whole, as listed. `common` is replaced by the common ones.
    package internal(set) var acronyms: [String] = []
    /// How acronyms are written.
    package internal(set) var acronymStyle = AcronymStyle.title
    /// Whether digits are a word of their own.
    package internal(set) var digits = DigitStyle.join
    /// Paths whose last key the case rule does not change.
    package internal(set) var except: [LocatedSelector] = []
    /// Paths below which neither the case rule nor a rename changes a key.
    package internal(set) var opaque: [LocatedSelector] = []
    package let location: DocumentLocation

    /// The rule that writes keys in a case, with the acronyms and digits of the section.
    func rule(to target: KeyCase) -> KeyCaseRule {
        KeyCaseRule(target: target, acronyms: acronyms, acronymStyle: acronymStyle, digits: digits)
    }
}

// MARK: - Reading

extension ProfileReader {
    /// Reads a case, or an object. Without `case`, the target is `preserve`.
    mutating func readKeys(_ id: NodeID) -> KeysSection? {
        switch document[id].kind {
        case .string:
            guard let target = choice(id, of: KeyCase.self) else { return nil }
            return KeysSection(target: target, location: location(id))
        case .object: return readKeysObject(id)
        default:
            refuse(id, expected: "a case or an object", hint: "write \"camelCase\" or {\"case\": \"camelCase\"}")
            return nil
        }
    }

    private mutating func readKeysObject(_ id: NodeID) -> KeysSection? {
        guard let members = members(of: id, as: .keys) else { return nil }
        var keys = KeysSection(target: .preserve, location: location(id))
        let target = members["case"].map { choice($0, of: KeyCase.self) } ?? .preserve
        keys.target = target ?? .preserve
        if let node = members["from"] { keys.from = choice(node) }
        if let node = members["acronyms"] { keys.acronyms = readAcronyms(node) }
        if let node = members["acronymStyle"] { keys.acronymStyle = choice(node) ?? .title }
        if let node = members["digits"] { keys.digits = choice(node) ?? .join }
        if let node = members["except"] { keys.except = selectors(node) }
        if let node = members["opaque"] { keys.opaque = selectors(node) }
        if target == .preserve, !members.hasRefused {
            for name in ["from", "acronyms", "acronymStyle", "digits", "except"] {
                guard let node = members[name] else { continue }
                warn(locationOfKey(node), "`\(name)` does nothing, since `case` is `preserve`")
            }
        }
        return keys
    }

    private mutating func readAcronyms(_ id: NodeID) -> [String] {
        let isCommon = document[id].kind == .string(Array(CommonAcronyms.name.utf8))
        guard document[id].kind == .array || isCommon else {
            refuse(id, expected: "an array of strings", hint: "write [\"ID\"] or \"\(CommonAcronyms.name)\"")
            return []
        }
        var acronyms: [String] = []
        var seen: Set<[UInt8]> = []
        for child in elements(id) {
            guard let acronym = text(child, expected: "a string") else { continue }
            if acronym.isEmpty {
                refuse(child, "an acronym is empty", hint: "leave it out")
            } else if let unfit = acronym.unicodeScalars.first(where: { ScalarClass($0).isOutsideWords }) {
                let shown = Self.quoted(Array(String(unfit).utf8))
                warn(location(child), "the acronym never matches: no word contains \(shown)")
                acronyms.append(acronym)
            } else if !seen.insert(Array(acronym.utf8)).inserted {
                warn(location(child), "the acronym is listed twice")
            } else {
                acronyms.append(acronym)
            }
        }
        return CommonAcronyms.expanded(acronyms)
    }
}
