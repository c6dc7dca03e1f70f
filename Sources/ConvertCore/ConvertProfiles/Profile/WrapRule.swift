package import ConvertEngine
import ConvertText

/// A profile's `wrap`: an object is put around the output.
package struct WrapRule: Sendable, Hashable {
    /// A pointer with output keys, without wildcards.
    package internal(set) var selector: Selector
    /// The other members of the object, as JSON text from the profile; nil for none.
    let others: [UInt8]?
    package let location: DocumentLocation

    /// The keys of the selector, from the outermost to the output's own; at least one.
    var names: [[UInt8]] { Selector.names(selector.pointerSegments[...]) ?? [] }
}

// MARK: - Reading

extension ProfileReader {
    /// Reads a key or pointer, or an object with `at` and `with`.
    mutating func readWrap(_ id: NodeID) -> WrapRule? {
        guard document[id].kind == .object else { return wrapRule(id, others: nil, at: location(id)) }
        guard let members = members(of: id, as: .wrap) else { return nil }
        let hint = "write the key or path of the output, such as /data"
        guard let at = required("at", of: id, members, hint: hint) else { return nil }
        guard let others = members["with"] else { return wrapRule(at, others: nil, at: location(id)) }
        guard document[others].kind == .object else {
            refuse(others, expected: "an object", hint: "write {\"version\": 1}")
            return nil
        }
        _ = distinctMembers(of: others)
        guard let rule = wrapRule(at, others: document.source(of: others), at: location(id)) else { return nil }
        refuseTaken(rule.names, in: others)
        return rule
    }

    private mutating func wrapRule(_ id: NodeID, others: [UInt8]?, at location: DocumentLocation) -> WrapRule? {
        guard let text = text(id, expected: "a key or a pointer") else { return nil }
        guard text.utf8.first == ASCII.slash else {
            return WrapRule(
                selector: Selector(segments: [.literal(Array(text.utf8))]), others: others, location: location)
        }
        guard let selector = pointer(parsing: Array(text.utf8), at: self.location(id), in: "wrap") else { return nil }
        guard let names = Selector.names(selector.pointerSegments[...]) else {
            refuse(id, "`wrap` does not accept `*`: the output has one path", hint: "name the key, such as /data")
            return nil
        }
        warnOfNumber(in: names, at: self.location(id), hint: "`wrap` makes objects, not arrays")
        return WrapRule(selector: selector, others: others, location: location)
    }

    /// Refuses a path for the output that one of the other members already uses.
    private mutating func refuseTaken(_ names: [[UInt8]], in object: NodeID) {
        var object = object
        for (index, name) in names.enumerated() {
            let taken = document[object].children.first { document[$0].step.name == name }
            guard let taken else { return }
            guard index < names.count - 1, document[taken].kind == .object else {
                return refuse(
                    locationOfKey(taken), "the output cannot be here: `with` has another value on its path",
                    hint: "choose another `at`")
            }
            object = taken
        }
    }
}
