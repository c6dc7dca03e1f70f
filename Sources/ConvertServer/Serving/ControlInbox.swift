import Dispatch
import Synchronization

/// The events for the thread that controls the server.
enum ControlEvent: Sendable {
    /// SIGTERM or SIGINT.
    case terminate
    /// SIGHUP.
    case reload
    case reloaded(Reload)
    /// A loop has its system resources and can start to listen.
    case loopReady
    /// A loop has ended, with its error if that was not planned.
    case loopEnded(error: String?)
}

/// Events for the controlling thread, from signals and loops.
final class ControlInbox: Sendable {
    private let events = Mutex<[ControlEvent]>([])
    private let arrived = DispatchSemaphore(value: 0)

    func send(_ event: ControlEvent) {
        events.withLock { $0.append(event) }
        arrived.signal()
    }

    /// The next event; nil after the timeout.
    func next(milliseconds: Int) -> ControlEvent? {
        guard arrived.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        return events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
