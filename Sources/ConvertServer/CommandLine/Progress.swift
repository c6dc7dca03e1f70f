import Sockets

/// The line on stderr that shows how far a long input is.
///
/// It appears after a second, only on a terminal, and not when the output goes to a terminal too, since both would mix.
struct Progress {
    /// The size of the input, if it is known.
    var totalBytes: Int?

    private let isShown = OutputStream.error.isTerminal && !OutputStream.output.isTerminal
    private let start = ContinuousClock.now
    private var nextUpdate = ContinuousClock.now + .seconds(1)
    private var readBytes = 0
    private var isDrawn = false

    mutating func add(_ count: Int) {
        readBytes += count
        guard isShown else { return }
        let now = ContinuousClock.now
        guard now >= nextUpdate else { return }
        nextUpdate = now + .milliseconds(200)
        draw(after: now - start)
    }

    /// Removes the line, so that the next output on stderr starts on an empty line.
    mutating func clear() {
        guard isDrawn else { return }
        isDrawn = false
        try? OutputStream.error.write(Array("\r\u{1B}[K".utf8).span)
    }

    private mutating func draw(after elapsed: Duration) {
        isDrawn = true
        let text = "\r\(Self.line(read: readBytes, of: totalBytes, after: elapsed))\u{1B}[K"
        try? OutputStream.error.write(Array(text.utf8).span)
    }

    /// The line's text, such as `512 MB of 2048 MB (25 %), 256 MB/s`.
    static func line(read: Int, of total: Int?, after elapsed: Duration) -> String {
        let megabyte = 1_000_000
        var text = "\(read / megabyte) MB"
        if let total, total > 0 { text += " of \(total / megabyte) MB (\(min(100, read * 100 / total)) %)" }
        let milliseconds = Int(elapsed / .milliseconds(1))
        if milliseconds > 0 { text += ", \(read / 1000 / milliseconds) MB/s" }
        return text
    }
}
