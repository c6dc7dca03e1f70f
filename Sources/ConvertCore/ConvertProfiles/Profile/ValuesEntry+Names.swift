import ConvertEngine

// MARK: - Keys in values

extension ProfileReader {
    mutating func readNameForm(_ syntax: NameForm.Syntax, _ members: Members) -> NameForm {
        var form = NameForm(syntax: syntax)
        if let node = members["separator"], let text = text(node, expected: "a string") {
            form.separator = Array(text.utf8)
            if text.isEmpty || syntax == .name || syntax == .pointer {
                refuse(
                    locationOfKey(node), "`separator` is for `path` and `names`, and not empty",
                    hint: "leave it out, or write \".\"")
            }
        }
        if let node = members["of"], let text = text(node, expected: "a pointer") {
            if syntax == .pointer {
                refuse(locationOfKey(node), "`of` does nothing: a pointer begins at the document", hint: "leave it out")
            } else if let selector = pointer(parsing: Array(text.utf8), at: location(node), in: "of") {
                form.base = selector.pointerSegments
            }
        }
        return form
    }

    /// Refuses rules for keys in values beside rules that change paths: the keys in the values would not follow.
    mutating func refuseNamesOfMoved(_ profile: Profile) {
        guard !profile.moves.isEmpty || !profile.flattens.isEmpty || profile.unwrap != nil || profile.wrap != nil else {
            return
        }
        for entry in profile.values {
            guard case .names(let form) = entry.conversion else { continue }
            refuse(
                entry.location, "`\(form.syntax.rawValue)` does not follow `move`, `flatten`, `unwrap` and `wrap`",
                hint: "use two profiles, one after the other")
        }
    }
}

extension ValuesEntry {
    /// The condition under which the inverse finds the same keys in a value; nil if it always does.
    var condition: String? {
        guard case .names(let form) = conversion, form.syntax == .path || form.syntax == .names else { return nil }
        let separator = String(decoding: form.separator, as: UTF8.self)
        let list = form.syntax == .names ? ", a comma or a direction such as `-`" : ""
        let names = "`\(separator)` or `[`\(list)"
        return "reversible unless a key in the value, before or after, is a number or contains \(names)"
    }
}
