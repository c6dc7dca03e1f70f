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

    init(_ name: String, _ value: Value, _ summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
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

    /// How the option is written in help: `--indent N`.
    var usage: String {
        switch value {
        case .none: "--\(name)"
        case .one(let placeholder): "--\(name) \(placeholder)"
        case .many(let placeholder): "--\(name) \(placeholder)..."
        }
    }
}
