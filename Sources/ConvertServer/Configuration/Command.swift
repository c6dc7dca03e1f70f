import ConfigurationReading
import ConvertEngine

enum Command: String, Sendable, CaseIterable {
    case serve, convert, minify, check, diff, infer, openapi, health

    /// One line for the list of commands.
    var summary: String {
        switch self {
        case .serve: "serve HTTP requests"
        case .convert: "convert payloads by a profile, from files or stdin"
        case .minify: "minify or indent payloads, from files or stdin"
        case .check: "report the errors of profiles and configurations"
        case .diff: "compare two profiles on payloads"
        case .infer: "propose a profile from payloads and their expected output"
        case .openapi: "rewrite an OpenAPI document as clients see the API behind a profile"
        case .health: "check that a running server is healthy"
        }
    }

    /// The operands after the options.
    var operands: String {
        switch self {
        case .convert, .minify, .diff: "[FILE|-]..."
        case .check: "[PROFILE|DIR|-]..."
        case .openapi: "[FILE|-]"
        case .serve, .infer, .health: ""
        }
    }

    var options: [CommandOption] {
        switch self {
        case .serve: CommandOption.serveOptions
        case .convert:
            [
                .profile, .keys, .dates, .direction, .inputFormat, .ndjson, .framing, .jobs, .onError, .rejects,
                .maxRejects, .output, .inPlace, .maxDepth, .maxKeyBytes,
            ]
        case .minify: [.indent, .escapes, .inputFormat, .ndjson, .framing, .output, .inPlace, .maxDepth, .maxKeyBytes]
        case .check: [.config, .explain, .direction, .inputFormat, .ndjson, .format, .verbose]
        case .diff:
            [
                .comparedProfiles, .direction, .inputFormat, .ndjson, .framing, .comparisonFormat, .maxDepth,
                .maxKeyBytes,
            ]
        case .infer: [.sampleInput, .sampleOutput, .output]
        case .openapi: [.profile, .traffic, .statuses, .config, .route, .keptIndent, .output]
        case .health: [.config, .listen]
        }
    }
}

extension Command {
    /// Command lines to start from, without the program's name.
    var examples: [String] {
        switch self {
        case .serve:
            [
                "serve --profiles profiles",
                "serve --config convert.json --max-body-bytes 10MB",
            ]
        case .convert:
            [
                "convert --keys camelCase --dates rfc3339 order.json",
                "convert -p mobile.json --in-place fixtures/*.json",
            ]
        case .minify: ["minify --indent 2 response.json", "minify events.ndjson -o small.ndjson"]
        case .check:
            ["check profiles/", "check --config convert.json", "check --explain response.json mobile.json"]
        case .diff:
            [
                "diff -p old.json -p new.json order.json",
                "diff -p old.json -p new.json --format json orders.ndjson",
            ]
        case .infer:
            [
                "infer --in order.json --out wanted.json -o profile.json",
                "infer --in a.json --out a2.json --in b.json --out b2.json",
            ]
        case .openapi:
            [
                "openapi -p mobile.json openapi.json -o mobile-openapi.json",
                "openapi --config convert.json --route /shop openapi.json",
            ]
        case .health: ["health", "health --listen unix:/run/convert/convert.sock"]
        }
    }
}

extension CommandOption {
    static let profile = CommandOption("profile", .one("FILE"), "the profile", letter: "p")
    static let direction = CommandOption(
        "direction", .one("forward|inverse"), "forward, or inverse to undo the profile (default forward)")
    static let traffic = CommandOption(
        "direction", .one("response|request"),
        "what the profile converts forward; its inverse converts the other (default response)")
    static let route = CommandOption(
        "route", .one("NAME"), "take profiles, directions, statuses and `query` from this route of --config")
    static let statuses = CommandOption(
        "status", .one("2xx,404"),
        "the responses that are converted, as in a route (default 2xx, or all if the profile withholds data)")
    static let inputFormat = CommandOption(
        "input-format", .one("json|ndjson|form|plist"),
        "the format of the input (default ndjson for files named *.ndjson or *.jsonl, else json)")
    static let ndjson = CommandOption("ndjson", .none, "one JSON value on each line, in and out: --input-format ndjson")
    static let framing = CommandOption(
        "framing", .one("sse|seq|lines"),
        "a stream of payloads: the data of server-sent events, a JSON sequence (RFC 7464), or lines")
    static let jobs = CommandOption(
        "jobs", .one("N"), "with NDJSON, convert lines on N processors, 1 to 256 (default 1)")
    static let onError = CommandOption(
        "on-error", .one("fail|skip|null"), "what happens to a bad record, instead of the profile's `records.onError`")
    static let rejects = CommandOption(
        "rejects", .one("FILE"), "write the bad lines of NDJSON that are skipped to FILE, as they were")
    static let maxRejects = CommandOption(
        "max-rejects", .one("N"), "end with an error after N bad lines (default no limit)")
    static let keys = CommandOption(
        "keys", .one("CASE"), "rewrite keys, instead of the profile's `keys`",
        choices: KeyCase.allCases.map(\.rawValue))
    static let dates = CommandOption(
        "dates", .one("FORMAT"), "rewrite dates, instead of the profile's `dates`; patterns need a profile",
        choices: [
            "rfc3339", "date", "epoch-s", "epoch-ms", "epoch-us", "epoch-ns", "rfc2822", "http-date", "dotnet-json",
            "dotnet-ticks", "filetime", "apple-s",
        ])
    static let output = CommandOption(
        "output", .one("FILE"), "write to FILE, when the command succeeds, with a final newline", letter: "o")
    static let inPlace = CommandOption(
        "in-place", .none, "replace each FILE by its output once it is converted", letter: "i")
    static let maxDepth = CommandOption(
        "max-depth", .one("N"), "open arrays and objects at one time (default \(Limits().maxDepth), 32768 at most)")
    static let maxKeyBytes = CommandOption(
        "max-key-bytes", .one("SIZE"),
        "bytes of one key (default \(Quantity.Unit.bytes.text(Limits().maxKeyBytes)))")
    static let explain = CommandOption(
        "explain", .one("FILE"),
        "show on a payload what each rule does, and why others do nothing; also with --direction and --input-format")
    static let format = CommandOption(
        "format", .one("text|json|sarif|github"), "how the report is written (default text)")
    static let verbose = CommandOption("verbose", .none, "print why each one-way rule cannot be undone", letter: "v")
    static let sampleInput = CommandOption(
        "in", .many("FILE"), "a payload; files named *.ndjson or *.jsonl have one on each line")
    static let sampleOutput = CommandOption(
        "out", .many("FILE"), "the expected output of the --in before it")
    static let indent = CommandOption("indent", .one("N"), "spaces for each level, 0 to 16 (default 0: minified)")
    static let keptIndent = CommandOption(
        "indent", .one("N"), "spaces for each level, 0 to 16 (default those of FILE, 2 for YAML)")
    static let escapes = CommandOption(
        "escapes", .one("preserve|minimal|ascii"), "how strings are written (default preserve)")
    static let config = CommandOption("config", .one("FILE"), "a configuration file (JSON)")
    static let listen = CommandOption(
        "listen", .many("ADDR:PORT|unix:PATH"),
        "an address of the server, or unix:PATH?mode=0660&group=NAME (default 127.0.0.1:8080)")
}
