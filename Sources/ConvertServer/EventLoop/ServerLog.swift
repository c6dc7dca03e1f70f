/// What the operator should know, as lines on stderr.
enum ServerLog {
    /// How long a line waits for whoever reads stderr. Who speaks here is also who listens to signals.
    private static let maxWaitMilliseconds: Int32 = 100

    /// Writes a line, unless nobody takes it in time.
    static func say(_ message: String) {
        guard OutputStream.error.isWritable(withinMilliseconds: maxWaitMilliseconds) else { return }
        try? OutputStream.error.write(Array("convert-server: \(message)\n".utf8).span)
    }
}
