import ConvertText

/// The parsed words of a command: options with their values, and operands.
struct Arguments: Hashable {
    /// The values of each given option, in their order. An option without a value has "true".
    private(set) var values: [String: [String]] = [:]
    private(set) var operands: [String] = []
    private(set) var wantsHelp = false

    /// Reads `words`, those after the command's name.
    ///
    /// `--option value` and `--option=value` are the same, options and operands may be mixed, `--` ends the options and a
    /// single `-` is an operand.
    init(_ words: [String], of command: Command) throws(Failure) {
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            if word == "--" {
                operands += words[index...]
                return
            }
            if word == "--help" || word == "-h" {
                wantsHelp = true
            } else if word.hasPrefix("-"), word != "-" {
                let following = index < words.count ? words[index] : nil
                if try readOption(word, following: following, of: command) { index += 1 }
            } else {
                operands.append(word)
            }
        }
    }

    /// Reads one option. True if it took the next word as its value.
    private mutating func readOption(
        _ word: String, following: String?, of command: Command
    ) throws(Failure) -> Bool {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let spelled = String(parts[0])
        let attached = parts.count == 2 ? String(parts[1]) : nil
        let isMeant = { (option: CommandOption) in
            "--\(option.name)" == spelled || option.letter.map { "-\($0)" == spelled } == true
        }
        guard let option = command.options.first(where: isMeant) else {
            throw Self.unknown(spelled, of: command)
        }
        switch option.value {
        case .none:
            guard attached == nil else { throw .usage("\(spelled) takes no value", command: command) }
            values[option.name] = ["true"]
            return false
        case .one(let placeholder), .many(let placeholder):
            guard let value = attached ?? following, !value.isEmpty else {
                throw .usage("\(spelled) needs a value: \(spelled) \(placeholder)", command: command)
            }
            if case .many = option.value {
                values[option.name, default: []].append(value)
            } else {
                values[option.name] = [value]
            }
            return attached == nil
        }
    }

    private static func unknown(_ spelled: String, of command: Command) -> Failure {
        // Without the dashes, which would make all names similar.
        let typed = String(spelled.drop { $0 == "-" })
        let names = Dictionary(uniqueKeysWithValues: command.options.map { ($0.member, $0.name) } + [("help", "help")])
        // Synonyms name keys of files, and maybe of a section of profiles, such as `keys.case`.
        let key = CommandOption.member(named: typed)
        let nearest = NearestName.nearest(to: key, among: names.keys.sorted())?.prefix { $0 != "." }
        let meant = nearest.flatMap { names[String($0)] }.map { "; did you mean --\($0)?" } ?? ""
        return .usage("\(command.rawValue) has no option \(spelled)\(meant)", command: command)
    }
}
