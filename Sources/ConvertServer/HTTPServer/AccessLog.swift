import HTTPSemantics
import Observability
import Sockets
import Telemetry

/// Counts the requests of one loop that have ended, and writes a line for each.
final class AccessLog {
    /// The most bytes of lines that wait for the end of the turn.
    private static let maxLineBytes = 64 * 1024

    /// Whether there are lines.
    let isWritten: Bool
    /// Requests that ended in this event and are not counted and logged yet.
    private(set) var ended: [AccessRecord] = []
    /// Lines from this turn of the loop.
    private(set) var lines: [UInt8] = []
    /// The time of the turn as in a line, and its milliseconds since 1970.
    private var time: (milliseconds: Int64, text: String) = (-1, "")
    private let metrics: LoopMetrics
    private let sink: LogSink

    init(_ metrics: LoopMetrics, _ sink: LogSink, isWritten: Bool) {
        self.metrics = metrics
        self.sink = sink
        self.isWritten = isWritten
    }

    /// Begins a turn of the loop.
    func setWallTime(nanoseconds: Int64) {
        let milliseconds = nanoseconds / 1_000_000
        guard isWritten, milliseconds != time.milliseconds else { return }
        time = (milliseconds, HTTPDate.rfc3339(nanoseconds: nanoseconds))
    }

    func note(_ record: AccessRecord) { ended.append(record) }

    /// Counts the requests that ended in the last event, and writes their lines.
    func recordEnds(at now: () -> MonotonicTime = SystemClock.monotonic) {
        guard !ended.isEmpty else { return }
        let now = now()
        for record in ended {
            metrics.requestEnded(
                route: record.route, profile: record.profileLabel, status: record.status,
                bytesIn: record.bytesIn, bytesOut: record.bytesOut,
                nanoseconds: now.nanoseconds - record.started.nanoseconds)
            guard isWritten else { continue }
            record.write(
                to: &lines, time: time.text, durationMicroseconds: Int(now.microseconds(since: record.started)))
        }
        ended.removeAll(keepingCapacity: true)
        // The log's writer can start during the turn.
        if lines.count > Self.maxLineBytes { flush() }
    }

    func flush() {
        guard !lines.isEmpty else { return }
        sink.append(lines)
        lines.removeAll(keepingCapacity: true)
    }
}
