import Dispatch
import Sockets
import Synchronization
import Text

// The lines of all loops go through one buffer of limited size to a queue of its own. Only this queue waits for the reader
// of the log. A loop holds the lock while it copies its lines, and the queue while it swaps an array. Nobody holds it
// while writing. These must stay in step: `waitingBytes` counts what waits and what is being written, so that the limit
// holds for both together. A write is scheduled or running exactly while `isScheduled`.

/// Takes log lines from any thread without waiting. If they arrive faster than they are read, it drops and counts them.
package final class LogSink: Sendable {
    /// Lines that were lost.
    package struct Drops: Sendable, Hashable {
        /// Because the buffer was full.
        package var overflow: UInt64 = 0
        /// Because the system refused to write them, for example on a full disk.
        package var failure: UInt64 = 0
    }

    private struct State {
        var waiting: [UInt8] = []
        var waitingBytes = 0
        var isScheduled = false
        var drops = Drops()
    }

    /// 4 MiB: some twenty thousand lines.
    package static let maxWaitingBytes = 4 * 1024 * 1024

    /// Another owner keeps it open.
    private let descriptor: Int32
    private let maxWaitingBytes: Int
    private let state = Mutex(State())
    /// Only the queue uses it. The `Mutex` is never contended.
    private let seam = Mutex(LogSeam())
    private let queue = DispatchQueue(label: "log")

    package init(descriptor: Int32 = OutputStream.output.rawValue, maxWaitingBytes: Int = LogSink.maxWaitingBytes) {
        self.descriptor = descriptor
        self.maxWaitingBytes = maxWaitingBytes
    }

    /// Takes whole lines, each with its line feed, as many of the first ones as fit.
    package func append(_ lines: [UInt8]) {
        guard !lines.isEmpty else { return }
        let mustSchedule = state.withLock { state in
            let fitting = LogSeam.wholeLines(of: lines, upTo: maxWaitingBytes - state.waitingBytes)
            state.drops.overflow += LogSeam.lineCount(lines[fitting.count...])
            guard !fitting.isEmpty else { return false }
            state.waiting += fitting
            state.waitingBytes += fitting.count
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { queue.async { self.write() } }
    }

    /// The lines that were dropped since the start.
    package var drops: Drops { state.withLock { $0.drops } }

    /// Returns after all lines so far are written, or after `milliseconds`.
    package func flush(milliseconds: Int) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// Writes the waiting lines until there are none.
    private func write() {
        while true {
            let lines = state.withLock { state in
                let lines = state.waiting
                state.waiting = []
                if lines.isEmpty { state.isScheduled = false }
                return lines
            }
            guard !lines.isEmpty else { return }
            let lost = seam.withLock { seam in
                let bytes = seam.repair + lines
                return seam.wrote(OutputStream.writtenBytes(of: bytes.span, to: descriptor), of: bytes)
            }
            state.withLock { state in
                state.waitingBytes -= lines.count
                state.drops.failure += lost
            }
        }
    }
}

/// The boundary between two writes to a log. A line that was cut off is ended before another begins. So a full disk
/// loses only the lines that did not fit, and not the next one.
struct LogSeam: Sendable, Hashable {
    private var isMidLine = false

    /// The bytes to write before the next line.
    var repair: [UInt8] { isMidLine ? [ASCII.lineFeed] : [] }

    /// Records that the first `count` bytes of the repair and the lines were written. Returns the number of lines that
    /// were not.
    mutating func wrote(_ count: Int, of bytes: [UInt8]) -> UInt64 {
        let repaired = repair.count
        if count > 0 { isMidLine = bytes[count - 1] != ASCII.lineFeed }
        return Self.lineCount(bytes[max(count, repaired)...])
    }

    /// The first lines that fit into `maxBytes` bytes.
    static func wholeLines(of lines: [UInt8], upTo maxBytes: Int) -> ArraySlice<UInt8> {
        guard lines.count > maxBytes else { return lines[...] }
        let end = lines[..<max(0, maxBytes)].lastIndex(of: ASCII.lineFeed)
        return lines[..<(end.map { $0 + 1 } ?? 0)]
    }

    static func lineCount(_ bytes: ArraySlice<UInt8>) -> UInt64 { UInt64(bytes.count { $0 == ASCII.lineFeed }) }
}
