/// What the operator should know, as lines on stderr.
enum ServerLog {
    static func say(_ message: String) {
        try? OutputStream.error.write(Array("convert-server: \(message)\n".utf8).span)
    }
}
