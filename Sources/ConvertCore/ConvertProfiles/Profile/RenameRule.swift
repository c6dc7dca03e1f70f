package import ConvertEngine
import ConvertText

/// One rule of a profile's `rename` section: paths that `selector` matches have the key `target` in the output.
package struct RenameRule: Sendable, Hashable {
    /// The paths that are renamed, with input keys.
    package internal(set) var selector: Selector
    /// The new key; may be empty.
    package let target: NewKey
    package let location: DocumentLocation
}

// MARK: - Reading

extension ProfileReader {
    mutating func readRenames(_ id: NodeID) -> [RenameRule] {
        var rules: [RenameRule] = []
        for (child, name) in distinctMembers(of: id, expected: "an object of selectors and new keys") {
            let selector = selector(parsing: name, at: locationOfKey(child))
            var target: NewKey?
            if document[child].kind == .object {
                target = selector.flatMap { pattern(child, of: $0) }
            } else if let text = text(child, expected: "the new key") {
                warnOfPath(Array(text.utf8), at: child)
                target = NewKey(Array(text.utf8))
            }
            if let selector, let target {
                rules.append(RenameRule(selector: selector, target: target, location: locationOfKey(child)))
            }
        }
        return rules
    }

    /// Reads a new key that keeps the part of the input key that the `*` of its selector matches.
    private mutating func pattern(_ id: NodeID, of source: Selector) -> NewKey? {
        guard let members = members(of: id, as: .pattern),
            let node = required("pattern", of: id, members, hint: "write {\"pattern\": \"new_*\"}"),
            let text = text(node, expected: "a key with one `*`")
        else { return nil }
        guard text.utf8.first != ASCII.slash else {
            refuse(node, "a pattern is a key, not a path", hint: "write `~1` for a slash in the key")
            return nil
        }
        guard let pattern = selector(parsing: Array(text.utf8), at: location(node), mayBePath: false) else {
            return nil
        }
        // A selector may write `**` for `*`; a new key has one `*`.
        guard text.utf8.count(where: { $0 == ASCII.asterisk }) == 1, let key = NewKey(pattern: pattern, of: source)
        else {
            refuse(
                node, "a pattern needs one `*` in the new key, and one `*` in the last key of the selector",
                hint: "such as \"old_*\": {\"pattern\": \"new_*\"}")
            return nil
        }
        return key
    }

    /// Warns of a new key that looks like a path: `move` takes paths, `rename` takes keys.
    private mutating func warnOfPath(_ target: [UInt8], at id: NodeID) {
        guard target.count > 1, target.first == ASCII.slash else { return }
        warn(
            location(id), "the new key \(Self.quoted(target)) is a key with a slash in it, not a path",
            hint: "write the key without `/`; `move` writes a value at another path")
    }
}
