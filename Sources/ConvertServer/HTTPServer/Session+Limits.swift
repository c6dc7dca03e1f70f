import Conversions
import HTTPSemantics
import HTTPWire
import Sockets

// MARK: - If much is buffered overall

extension Session {
    /// The most bytes that wait for one peer while the bytes that wait for all exceed half of the limit.
    private static let crowdedBytes = 64 * 1024
    /// The same while all connections together exceed the limit.
    private static let leastBytes = 16 * 1024

    /// Whether this number of bytes exceeds the limit for a peer: the client or its upstream. The limit is lower if
    /// much is buffered overall.
    func isTooMuchWaiting(_ count: Int) -> Bool {
        if count > context.configuration.highWaterBytes { return true }
        if count > Self.crowdedBytes, reservation.areAllWaiting { return true }
        return count > Self.leastBytes && reservation.areAllCrowded
    }

    /// Refuses a request with a long unfinished head while all connections together exceed the limit.
    func refuseLongHead(at now: MonotonicTime) {
        guard reservation.areAllCrowded, wire.waitingFor == .head, wire.headBytes >= Reservation.stepBytes else {
            return
        }
        refuse(.buffersFull, at: now)
    }
}
