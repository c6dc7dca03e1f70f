/// What the operator should know, as lines on stderr. Who speaks here waits for nobody who reads it.
enum ServerLog {
    /// How long the end waits for lines to be taken.
    private static let flushMilliseconds = 100
    private static let sink = LogSink(.standardError)

    /// Writes a line, whatever names of files and the like `message` holds: control characters stand in it as `\u{a}`.
    static func say(_ message: String) { sink.append(Array("convert-server: \(escaped(message))\n".utf8)) }

    static func escaped(_ message: String) -> String {
        message.unicodeScalars.reduce(into: "") { line, scalar in
            line += scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
        }
    }

    /// Returns once all lines are taken, or soon.
    static func flush() { sink.flush(milliseconds: flushMilliseconds) }
}
