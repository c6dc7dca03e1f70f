package import ConvertEngine
import ConvertText

/// One rule of a profile's `rename` section: paths that `selector` matches have the key `target` in the output.
package struct RenameRule: Sendable, Hashable {
    /// The paths that are renamed, with input keys.
    package internal(set) var selector: Selector
    /// The new key: UTF-8 bytes, unescaped; may be empty.
    package let target: [UInt8]
    /// Where the rule is in the profile.
    package let location: DocumentLocation
}

// MARK: - Reading

extension ProfileReader {
    mutating func readRenames(_ id: NodeID) -> [RenameRule] {
        var rules: [RenameRule] = []
        for (child, name) in distinctMembers(of: id, expected: "an object of selectors and new keys") {
            let selector = selector(parsing: name, at: locationOfKey(child))
            let target = text(child, expected: "the new key")
            if let target { warnOfPath(Array(target.utf8), at: child) }
            if let selector, let target {
                rules.append(RenameRule(selector: selector, target: Array(target.utf8), location: locationOfKey(child)))
            }
        }
        return rules
    }

    /// Warns of a new key that looks like a path: `move` takes paths, `rename` takes keys.
    private mutating func warnOfPath(_ target: [UInt8], at id: NodeID) {
        guard target.count > 1, target.first == ASCII.slash else { return }
        warn(
            location(id), "the new key \(Self.quoted(target)) is a key with a slash in it, not a path",
            hint: "write the key without `/`; `move` writes a value at another path")
    }
}
