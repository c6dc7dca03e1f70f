import ConvertEngine
import ConvertFormats
import PayloadStreams
import Sockets

/// One run of `convert` or `minify`: the inputs, one plan, and the output.
struct FilterRun {
    struct Input {
        /// A path, or `-`. It is also the name of the input in messages.
        let file: String
        let format: PayloadFormat
    }

    private enum Destination: Hashable {
        case stdout
        case file(String)
        case inPlace
    }

    let plan: Plan
    private let inputs: [Input]
    private let destination: Destination
    /// The number of parts of NDJSON that are converted in parallel.
    let jobs: Int
    /// The handling of bad lines of NDJSON, if they do not end the conversion.
    var skipping: LineJobs.Skipping?
    let isColored: Bool
    /// How the payloads follow each other, if the inputs are streams with more than payloads.
    let stream: StreamFraming?
    /// Whether the profile withholds data. Then only JSON passes.
    var withholds = false

    /// Reads the common settings of both commands. `jobs` applies to NDJSON only.
    init(
        _ plan: Plan, _ settings: Settings, operands: [String], of command: Command, jobs: Int = 1
    ) throws(Failure) {
        self.plan = plan
        self.jobs = jobs
        let files = operands.isEmpty ? ["-"] : operands
        guard files.count(where: { $0 == "-" }) < 2 else {
            throw .usage("stdin is named more than once", command: command)
        }
        let format = try settings.format(of: command)
        stream = try settings.streamFraming(of: command, format: format)
        inputs = files.map { Input(file: $0, format: format ?? Self.format(ofFile: $0)) }
        destination = try Self.destination(settings, files: files, of: command)
        try Self.refuseOwnOutput(inputs, destination, of: command)
        isColored = destination == .stdout && TerminalStyle.isWanted(on: .output, settings.environment)
    }

    /// Whether a line end follows each payload that has none.
    var endsWithNewline: Bool { destination != .stdout || inputs.count > 1 || OutputStream.output.isTerminal }

    var hasLines: Bool { stream == nil && inputs.contains { $0.format == .ndjson } }

    /// Converts the inputs in their order. With `--in-place`, the others are converted even if one has an error.
    func run() throws(Failure) -> ExitCode {
        var exitCode = ExitCode.success
        switch destination {
        case .stdout: for input in inputs { try convert(input) }
        case .file(let path):
            var output = try RedirectedOutput.open(path)
            for input in inputs { try convert(input) }
            try output.finish(path)
        case .inPlace:
            for input in inputs {
                do throws(Failure) {
                    var output = try RedirectedOutput.open(input.file, replaces: true)
                    try convert(input)
                    try output.finish(input.file)
                } catch {
                    error.lines.forEach(Console.complain)
                    if exitCode == .success { exitCode = error.exitCode }
                }
            }
        }
        return exitCode
    }

    private func convert(_ input: Input) throws(Failure) {
        guard let stream else { return try PayloadFilter(settings: self, input: input).run() }
        var filter = StreamFilter(plan, stream, file: input.file, withholds: withholds)
        try filter.run()
    }

    /// Refuses an input that is also stdout or another open output, as after `>>`: its end would move on with every write.
    private static func refuseOwnOutput(
        _ inputs: [Input], _ destination: Destination, of command: Command
    ) throws(Failure) {
        let outputPath: String
        switch destination {
        case .stdout: outputPath = "/dev/stdout"
        case .file(let path) where RedirectedOutput.openDescriptor(path) != nil: outputPath = path
        case .file, .inPlace: return
        }
        guard let output = FileIdentity(path: outputPath, followsLinks: true), output.isRegular else { return }
        for input in inputs {
            let path = input.file == "-" ? "/dev/stdin" : input.file
            guard FileIdentity(path: path, followsLinks: true) == output else { continue }
            throw .usage(
                input.file == "-"
                    ? "stdin is the input and the output; write to another file"
                    : "`\(input.file)` is the input and the output; use --in-place, or --output with a file's name",
                command: command)
        }
    }

    /// The format by the file's name.
    static func format(ofFile file: String) -> PayloadFormat {
        [".ndjson", ".jsonl"].contains(where: file.lowercased().hasSuffix) ? .ndjson : .json
    }

    private static func destination(
        _ settings: Settings, files: [String], of command: Command
    ) throws(Failure) -> Destination {
        let output = settings.text(.output)
        guard try settings.isOn(.inPlace) else { return settings.outputPath.map { .file($0) } ?? .stdout }
        guard output == nil else { throw .usage("use either --in-place or --output, not both", command: command) }
        guard !files.contains("-") else { throw .usage("--in-place needs files, not stdin", command: command) }
        return .inPlace
    }
}

/// The values of `--framing`.
enum FramingChoice: String, CaseIterable {
    case sse, seq, lines

    /// Nil for lines, which have nothing around their payloads.
    var stream: StreamFraming? {
        switch self {
        case .sse: .events
        case .seq: .sequence
        case .lines: nil
        }
    }
}

extension Settings {
    /// The format of the options, if there is one. `--ndjson` and `--framing lines` are short for `--input-format ndjson`.
    func format(of command: Command) throws(Failure) -> PayloadFormat? {
        let format = try choice(.inputFormat, of: PayloadFormat.self)
        var isFramed = false
        if command.options.contains(.framing) { isFramed = try choice(.framing, of: FramingChoice.self) == .lines }
        let isSwitched = try isOn(.ndjson)
        guard isSwitched || isFramed else { return format }
        guard format == nil || format == .ndjson else {
            let option = isFramed ? "--framing lines" : "--ndjson"
            throw .usage("\(option) and another --input-format contradict each other", command: command)
        }
        return .ndjson
    }

    /// The framing of a stream with more than payloads, if `--framing` names one.
    func streamFraming(of command: Command, format: PayloadFormat?) throws(Failure) -> StreamFraming? {
        guard let framing = try choice(.framing, of: FramingChoice.self)?.stream else { return nil }
        guard format == nil || format == .json else {
            throw .usage(
                "--framing \(text(.framing) ?? "") is for JSON, without another --input-format", command: command)
        }
        return framing
    }

    /// The file that `--output` names; nil for stdout.
    var outputPath: String? { text(.output).flatMap { $0 == "-" ? nil : $0 } }

    /// The limits of a payload. The ranges are those of `serve`.
    func limits() throws(Failure) -> Limits {
        var limits = Limits()
        if let depth = try integer(.maxDepth, in: Limits.depths) { limits.maxDepth = depth }
        if let bytes = try integer(.maxKeyBytes, in: 1...(1 << 30)) { limits.maxKeyBytes = bytes }
        return limits
    }
}

extension RedirectedOutput {
    static func open(_ path: String, replaces: Bool = false) throws(Failure) -> RedirectedOutput {
        do throws(SystemCallError) {
            return try RedirectedOutput(to: path, replaces: replaces)
        } catch {
            throw .unwritable(path, error)
        }
    }

    mutating func finish(_ path: String) throws(Failure) {
        do throws(SystemCallError) {
            try commit()
        } catch {
            throw .unwritable(path, error)
        }
    }
}
