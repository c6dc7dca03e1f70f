/// What the program can be told to do.
enum Command: String, Sendable, CaseIterable {
    case serve, convert, minify, check, health

    /// One line for the list of commands.
    var summary: String {
        switch self {
        case .serve: "answer HTTP requests"
        case .convert: "convert a payload by a profile, from a file or stdin to stdout"
        case .minify: "minify or indent a payload, from a file or stdin to stdout"
        case .check: "report the faults of profiles and configurations, and run examples"
        case .health: "ask a running server whether it is alive"
        }
    }

    /// What may follow the options.
    var operands: String {
        switch self {
        case .convert, .minify: "[FILE|-]"
        case .check: "[PROFILE...]"
        case .serve, .health: ""
        }
    }

    var options: [CommandOption] {
        switch self {
        case .serve: CommandOption.serveOptions
        case .convert: [.profile, .direction, .inputFormat, .ndjson, .jobs, .keys, .dates]
        case .minify: [.indent, .escapes, .inputFormat, .ndjson]
        case .check: [.config, .explain]
        case .health: [.config, .listen]
        }
    }
}

extension CommandOption {
    static let profile = CommandOption("profile", .one("FILE"), "the mapping profile")
    static let direction = CommandOption(
        "direction", .one("forward|inverse"), "where to convert to (default forward)")
    static let inputFormat = CommandOption(
        "input-format", .one("json|ndjson|form|plist"), "what the input is written in (default json)")
    static let ndjson = CommandOption("ndjson", .none, "one JSON value a line, in and out: --input-format ndjson")
    static let jobs = CommandOption(
        "jobs", .one("N"), "with --ndjson, lines converted side by side, 1 to 256 (default 1)")
    static let keys = CommandOption(
        "keys", .one("CASE"), "rewrite keys, such as camelCase, in place of the profile's keys")
    static let dates = CommandOption(
        "dates", .one("FORMAT"), "rewrite dates, such as rfc3339, in place of the profile's dates")
    static let explain = CommandOption(
        "explain", .one("FILE"), "show on a JSON payload which rule touches which place, and how")
    static let indent = CommandOption("indent", .one("N"), "spaces a level, 0 to 16 (default 0: minified)")
    static let escapes = CommandOption(
        "escapes", .one("preserve|minimal|ascii"), "how strings are written (default preserve)")
    static let config = CommandOption("config", .one("FILE"), "a configuration file (JSON)")
    static let listen = CommandOption(
        "listen", .many("ADDR:PORT|unix:PATH"), "an address of the server (default 127.0.0.1:8080)")
}
