/// What the operator should know, as lines on stderr. Who speaks here waits for nobody who reads it.
enum ServerLog {
    /// How long the end waits for lines to be taken.
    private static let flushMilliseconds = 100
    private static let sink = LogSink(.standardError)

    static func say(_ message: String) { sink.append(Array("convert-server: \(message)\n".utf8)) }

    /// Returns once all lines are taken, or soon.
    static func flush() { sink.flush(milliseconds: flushMilliseconds) }
}
