/// One option of a command, as the command line, the environment and the configuration file know it.
struct CommandOption: Sendable, Hashable {
    /// What follows the option's name.
    enum Value: Sendable, Hashable {
        /// Nothing: the option is there or not.
        case none
        /// One value; the last one given counts.
        case one(String)
        /// A value each time the option is given, commas between them in the environment.
        case many(String)
    }

    /// The long name without its dashes: `max-body-bytes`.
    let name: String
    let value: Value
    /// What the option does and what holds without it, in one line.
    let summary: String
    /// The letter that can replace the name, after one dash: `o`.
    let letter: Character?
    /// The values that the option takes, where only these are possible or usual.
    let choices: [String]

    /// Creates an option; a placeholder of words in lower case, such as `on|off`, names its choices.
    init(_ name: String, _ value: Value, _ summary: String, letter: Character? = nil, choices: [String] = []) {
        self.name = name
        self.value = value
        self.summary = summary
        self.letter = letter
        let words = value.placeholder?.split(separator: "|").map(String.init) ?? []
        let isList = choices.isEmpty && words.allSatisfy { !$0.contains(where: \.isUppercase) }
        self.choices = isList ? words : choices
    }

    /// The variable that gives the option's value: `CONVERT_MAX_BODY_BYTES`.
    var variable: String {
        "CONVERT_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    }

    /// The member of a configuration file that gives the option's value: `maxBodyBytes`.
    var member: String {
        let words = name.split(separator: "-")
        return words.dropFirst().reduce(String(words.first ?? "")) { joined, word in
            joined + word.prefix(1).uppercased() + word.dropFirst()
        }
    }

    /// How the option is written in help: `-o, --output FILE`.
    var usage: String {
        let names = letter.map { "-\($0), --\(name)" } ?? "--\(name)"
        switch value {
        case .none: return names
        case .one(let placeholder): return "\(names) \(placeholder)"
        case .many(let placeholder): return "\(names) \(placeholder)..."
        }
    }

    /// The summary with the choices that the placeholder does not show.
    var description: String {
        guard let placeholder = value.placeholder, !choices.isEmpty, placeholder != choices.joined(separator: "|")
        else { return summary }
        return "\(summary). \(placeholder) is \(choices.dropLast().joined(separator: ", ")) or \(choices.last ?? "")"
    }
}

extension CommandOption.Value {
    /// What help writes for the value; nil for an option without one.
    var placeholder: String? {
        switch self {
        case .none: nil
        case .one(let placeholder), .many(let placeholder): placeholder
        }
    }
}

extension CommandOption {
    /// The unit of a whole number, which the option's name ends in.
    var unit: Quantity.Unit? {
        if name.hasSuffix("-bytes") { return .bytes }
        return name.hasSuffix("-seconds") ? .seconds : nil
    }

    /// The heading in the help of `serve`.
    enum Group: String, Sendable, CaseIterable {
        case general = "Addresses, files and log"
        case limits = "Limits"
        case timeouts = "Timeouts"
    }

    var group: Group {
        switch unit {
        case .seconds: .timeouts
        case .bytes: .limits
        case nil: name.hasPrefix("max-") || name.hasPrefix("min-") ? .limits : .general
        }
    }
}
