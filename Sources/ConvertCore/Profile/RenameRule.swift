/// One member of a profile's `rename` section: the places that `selector` matches bear the name `target` in the output.
public struct RenameRule: Sendable, Hashable {
    public let selector: Selector
    /// UTF-8 bytes, unescaped; may be empty.
    public let target: [UInt8]
    public let place: ProfilePlace

    public init(selector: Selector, target: [UInt8], place: ProfilePlace) {
        self.selector = selector
        self.target = target
        self.place = place
    }
}

/// A payload of a profile's `examples` and what it becomes.
public struct ProfileExample: Sendable, Hashable {
    /// JSON text as written in the profile.
    public let input: [UInt8]
    /// JSON text as written in the profile.
    public let output: [UInt8]
    public let place: ProfilePlace

    public init(input: [UInt8], output: [UInt8], place: ProfilePlace) {
        self.input = input
        self.output = output
        self.place = place
    }
}

// MARK: - Reading

extension ProfileReader {
    mutating func readRenames(_ id: NodeID) -> [RenameRule] {
        guard document[id].kind == .object else {
            refuse(id, expected: "an object of selectors and new names")
            return []
        }
        var rules: [RenameRule] = []
        var seen: [[UInt8]: NodeID] = [:]
        for child in document[id].children {
            guard case .member(let name, _) = document[child].step else { continue }
            guard isFirst(child, named: name, among: &seen) else { continue }
            let selector = selector(parsing: name, at: placeOfName(child))
            let target = text(child, expected: "the new name, a string")
            if let selector, let target {
                rules.append(RenameRule(selector: selector, target: Array(target.utf8), place: placeOfName(child)))
            }
        }
        return rules
    }

    mutating func readExamples(_ id: NodeID) -> [ProfileExample] {
        guard document[id].kind == .array else {
            refuse(id, expected: "an array of examples")
            return []
        }
        var examples: [ProfileExample] = []
        for child in document[id].children {
            guard let members = members(of: child, as: .example) else { continue }
            for name in ["in", "out"] where members[name] == nil && !members.hasRefused {
                refuse(child, "`\(name)` is missing", hint: "an example is {\"in\": …, \"out\": …}")
            }
            if let input = members["in"], let output = members["out"] {
                examples.append(
                    ProfileExample(
                        input: document.source(of: input), output: document.source(of: output), place: place(child)))
            }
        }
        return examples
    }
}
