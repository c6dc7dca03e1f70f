import ConvertCore

/// `convert-server minify`: removes white space, or indents.
struct MinifyCommand {
    /// Enough for any taste, and small enough that deep nesting cannot blow the output up.
    static let indents = 0...16

    private let filter: PayloadFilter

    init(_ settings: Settings, operands: [String]) throws(Failure) {
        let output = OutputOptions(
            indent: try settings.integer(.indent, in: Self.indents) ?? 0,
            escapes: try settings.choice(.escapes, of: OutputOptions.Escapes.self) ?? .preserve)
        filter = PayloadFilter(
            .minify(output: output), format: try settings.format(of: .minify), file: try operands.onlyFile(of: .minify))
    }

    func run() throws(Failure) -> ExitCode {
        try filter.run()
        return .success
    }
}

extension Settings {
    /// What the input is written in; `--ndjson` is short for `--input-format ndjson`.
    func format(of command: Command) throws(Failure) -> PayloadFormat {
        let format = try choice(.inputFormat, of: PayloadFormat.self)
        guard try isOn(.ndjson) else { return format ?? .json }
        guard format == nil || format == .ndjson else {
            throw .usage("--ndjson and another --input-format contradict each other", command: command)
        }
        return .ndjson
    }
}

extension [String] {
    /// The one file that a filter reads, `-` when none is named.
    func onlyFile(of command: Command) throws(Failure) -> String {
        guard count < 2 else {
            throw .usage("\(command.rawValue) reads one file, and \(count) are given", command: command)
        }
        return first ?? "-"
    }
}
