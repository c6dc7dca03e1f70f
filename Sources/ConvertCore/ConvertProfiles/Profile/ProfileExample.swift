import ConvertEngine

/// A payload of a profile's `examples` and its expected output.
package struct ProfileExample: Sendable, Hashable {
    /// JSON text as written in the profile.
    package let input: [UInt8]
    /// JSON text as written in the profile.
    package let output: [UInt8]
    /// Where the example is in the profile.
    package let location: DocumentLocation
    /// Whether it is an example of the inverse.
    var isReversed = false
}

// MARK: - Reading

extension ProfileReader {
    mutating func readExamples(_ id: NodeID) -> [ProfileExample] {
        guard document[id].kind == .array else {
            refuse(id, expected: "an array of examples", hint: "write [{\"in\": …, \"out\": …}]")
            return []
        }
        var examples: [ProfileExample] = []
        for child in document[id].children {
            guard let members = members(of: child, as: .example) else { continue }
            let hint = "an example is {\"in\": …, \"out\": …}"
            let input = required("in", of: child, members, hint: hint)
            let output = required("out", of: child, members, hint: hint)
            if let input, let output {
                examples.append(
                    ProfileExample(
                        input: document.source(of: input), output: document.source(of: output),
                        location: location(child)))
            }
        }
        return examples
    }
}
