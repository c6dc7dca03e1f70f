import ConfigurationReading

/// One option of a command, for the command line, the environment and the configuration file.
struct CommandOption: Sendable, Hashable {
    enum Value: Sendable, Hashable {
        /// No value: the option is a switch.
        case none
        /// One value. The last one applies.
        case one(String)
        /// A value each time the option is given, commas between them in the environment.
        case many(String)
    }

    /// The long name without its dashes: `max-body-bytes`.
    let name: String
    let value: Value
    /// The effect of the option and its default, in one line.
    let summary: String
    /// The letter that can replace the name, after one dash: `o`.
    let letter: Character?
    /// The possible or usual values of the option.
    let choices: [String]

    /// Creates an option. A placeholder in lower case, such as `on|off`, lists its choices.
    init(_ name: String, _ value: Value, _ summary: String, letter: Character? = nil, choices: [String] = []) {
        self.name = name
        self.value = value
        self.summary = summary
        self.letter = letter
        let words = value.placeholder?.split(separator: "|").map(String.init) ?? []
        let isList = choices.isEmpty && words.allSatisfy { !$0.contains(where: \.isUppercase) }
        self.choices = isList ? words : choices
    }

    /// The environment variable of the option: `CONVERT_MAX_BODY_BYTES`.
    var variable: String {
        "CONVERT_" + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    }

    /// The key of the option in a configuration file: `maxBodyBytes`.
    var member: String { Self.member(named: name) }

    static func member(named name: String) -> String {
        let words = name.split(separator: "-")
        return words.dropFirst().reduce(String(words.first ?? "")) { joined, word in
            joined + word.prefix(1).uppercased() + word.dropFirst()
        }
    }

    /// The option in the help text: `-o, --output FILE`.
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
    /// The placeholder of the value in the help text; nil for an option without a value.
    var placeholder: String? {
        switch self {
        case .none: nil
        case .one(let placeholder), .many(let placeholder): placeholder
        }
    }
}

extension CommandOption {
    /// The unit of a whole number, from the end of the option's name.
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
