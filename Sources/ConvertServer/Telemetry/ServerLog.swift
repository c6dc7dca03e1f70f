import HTTPSemantics
package import Sockets
import Text

/// Messages for the operator, as lines of JSON on stderr. The caller never waits for the reader.
package enum ServerLog {
    package enum Level: String, Sendable {
        case info, warning, error
    }

    /// How long the program's end waits for the lines to be written.
    private static let flushMilliseconds = 100
    private static let sink = LogSink(descriptor: OutputStream.error.rawValue)

    /// Writes a line. `message` may contain any text, such as file names.
    package static func say(_ message: String, _ level: Level = .warning) {
        sink.append(line(message, level, wallNanoseconds: SystemClock.wall()))
    }

    /// `{"time":…,"level":…,"message":…}` with its line feed, and `address` if there is one.
    package static func line(
        _ message: String, _ level: Level, address: ListenAddress? = nil, wallNanoseconds: Int64
    ) -> [UInt8] {
        let line = JSONWriter.object { writer in
            writer.member("time", HTTPDate.rfc3339(nanoseconds: wallNanoseconds))
            writer.member("level", level.rawValue)
            writer.member("message", untrusted: message, maxBytes: maxMessageBytes)
            writer.member("address", address?.description)
        }
        return line + [ASCII.lineFeed]
    }

    /// Long enough for a profile with many errors.
    private static let maxMessageBytes = 64 * 1024

    /// Returns after all lines are written, or after a short time.
    package static func flush() { sink.flush(milliseconds: flushMilliseconds) }
}
