import ConvertEngine

/// `convert-server minify`: removes white space, or indents.
struct MinifyCommand {
    /// Enough for every style, and small enough to limit the output of deep nesting.
    static let indents = 0...16

    private let filter: FilterRun

    init(_ settings: Settings, operands: [String]) throws(Failure) {
        let output = OutputOptions(
            indent: try settings.integer(.indent, in: Self.indents) ?? 0,
            escapes: try settings.choice(.escapes, of: OutputOptions.Escapes.self) ?? .preserve)
        filter = try FilterRun(
            .minify(output: output, limits: try settings.limits()), settings, operands: operands, of: .minify)
    }

    func run() throws(Failure) -> ExitCode { try filter.run() }
}
