import Dispatch
import Synchronization

/// What reaches the thread that controls the server.
enum ControlEvent: Sendable {
    /// SIGTERM or SIGINT.
    case terminate
    /// SIGHUP.
    case reload
    /// A reload has come to its end.
    case reloaded(Reload)
    /// A loop has all that it needs from the system before it can listen.
    case loopReady
    /// A loop has ended, with its fault if it did not do so by plan.
    case loopEnded(fault: String?)
}

/// Events for the controlling thread, from signals and loops.
final class ControlInbox: Sendable {
    private let events = Mutex<[ControlEvent]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func send(_ event: ControlEvent) {
        events.withLock { $0.append(event) }
        arrived.signal()
    }

    /// The next event, or nil when none has come for so long.
    func next(milliseconds: Int) -> ControlEvent? {
        guard arrived.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        return events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
