package import ConvertEngine

/// One rule of a profile's `defaults` section: the value of a path that is missing.
package struct DefaultRule: Sendable, Hashable {
    /// A pointer with output keys.
    package internal(set) var selector: Selector
    /// The value's JSON text, as the profile writes it.
    package let value: [UInt8]
    package let location: DocumentLocation
}

// MARK: - Reading

extension ProfileReader {
    mutating func readDefaults(_ id: NodeID) -> [DefaultRule] {
        var rules: [DefaultRule] = []
        for (child, name) in distinctMembers(of: id, expected: "an object of pointers and values") {
            guard let selector = pointer(parsing: name, at: locationOfKey(child), in: "defaults") else { continue }
            if selector.pointerSegments.last == .anyOne {
                warn(
                    locationOfKey(child),
                    "the default never applies: `*` matches only existing values, so none is missing")
            }
            warnOfNumber(
                in: selector.pointerSegments.compactMap { $0.name }, at: locationOfKey(child),
                hint: "use `*` for all elements")
            rules.append(
                DefaultRule(selector: selector, value: document.source(of: child), location: locationOfKey(child)))
        }
        return rules
    }
}
