package import Sockets

/// The shared state of the channels of one loop: its clocks, and the channels that need a turn without an event.
package final class LoopContext {
    /// The longest turn of one channel. Others wait this long for each busy channel.
    private static let turnNanoseconds: Int64 = 1_000_000

    /// Read for durations only; deadlines use the moments that are passed in.
    package let clock: () -> MonotonicTime
    /// Nanoseconds since 1970, read once in each turn of the loop.
    package internal(set) var wallNanoseconds: Int64 = 0
    /// Channels that must be updated although they had no event of their own.
    private var touched: [PollToken] = []
    /// The last of them: one channel is often touched several times in a row.
    private var lastTouched: PollToken?
    /// New channels that the loop does not watch yet.
    private var opened: [any Channel] = []

    package init(clock: @escaping () -> MonotonicTime = SystemClock.monotonic) { self.clock = clock }

    /// Seconds since 1970.
    package var wallSeconds: Int64 { wallNanoseconds / 1_000_000_000 }

    /// Whether the work of an event since `start` has used up a turn, so that others come first.
    package func isTurnOver(_ start: MonotonicTime) -> Bool {
        clock().nanoseconds - start.nanoseconds > Self.turnNanoseconds
    }

    /// Makes the loop update a channel after the current event.
    package func touch(_ token: PollToken) {
        guard token != lastTouched else { return }
        lastTouched = token
        // One event touches few channels.
        if !touched.contains(token) { touched.append(token) }
    }

    /// Makes the loop watch a channel that has begun to connect.
    package func open(_ channel: any Channel) { opened.append(channel) }

    /// Whether there is a channel to update or to watch.
    var hasOthers: Bool { !touched.isEmpty || !opened.isEmpty }

    /// Moves the channels that must be updated into `tokens`, which is empty.
    func takeTouched(into tokens: inout [PollToken]) {
        swap(&touched, &tokens)
        lastTouched = nil
    }

    func takeOpened() -> [any Channel] {
        if opened.isEmpty { return [] }
        defer { opened = [] }
        return opened
    }
}
