import Dispatch
import Synchronization

/// Writes the lines of all loops to stdout, from a queue of its own, so that a slow reader of the log holds up no request.
final class AccessLog: Sendable {
    /// Bytes that may wait; lines beyond are dropped and counted.
    private static let maxWaitingBytes = 4 * 1024 * 1024

    private struct State {
        var waiting: [UInt8] = []
        var droppedLines = 0
        var isScheduled = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "access log")

    /// Takes whole lines.
    func append(_ lines: [UInt8]) {
        let mustSchedule = state.withLock { state in
            if state.waiting.count + lines.count > Self.maxWaitingBytes {
                state.droppedLines += lines.count { $0 == ASCII.lineFeed }
            } else {
                state.waiting += lines
            }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { queue.async { self.write() } }
    }

    /// Returns once everything that was appended so far has been written, or waits no longer than `milliseconds`.
    func flush(milliseconds: Int) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    private func write() {
        let (lines, dropped) = state.withLock { state in
            let taken = (state.waiting, state.droppedLines)
            state = State()
            return taken
        }
        // A stdout that is gone leaves nobody to tell.
        try? OutputStream.output.write(lines.span)
        if dropped > 0 { ServerLog.say("the access log was read too slowly: \(dropped) lines were dropped") }
    }
}
