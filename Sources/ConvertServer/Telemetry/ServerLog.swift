import HTTPSemantics
package import Sockets
import Text

/// What the operator should know, as lines of JSON on stderr. Who speaks here waits for nobody who reads it.
package enum ServerLog {
    package enum Level: String, Sendable {
        case info, warning, error
    }

    /// How long the end waits for lines to be taken.
    private static let flushMilliseconds = 100
    private static let sink = LogSink(.standardError)

    /// Writes a line, whatever names of files and the like `message` holds.
    package static func say(_ message: String, _ level: Level = .warning) {
        sink.append(line(message, level, wallNanoseconds: SystemClock.wall()))
    }

    /// `{"time":…,"level":…,"message":…}` with its line feed, and `address` where there is one.
    package static func line(
        _ message: String, _ level: Level, address: ListenAddress? = nil, wallNanoseconds: Int64
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.openObject()
        writer.member("time", HTTPDate.rfc3339(nanoseconds: wallNanoseconds))
        writer.member("level", level.rawValue)
        writer.member("message", untrusted: message, maxBytes: maxMessageBytes)
        writer.member("address", address?.description)
        writer.closeObject()
        writer.endLine()
        return writer.bytes
    }

    /// A profile may have many errors.
    private static let maxMessageBytes = 64 * 1024

    /// Returns once all lines are taken, or soon.
    package static func flush() { sink.flush(milliseconds: flushMilliseconds) }
}
