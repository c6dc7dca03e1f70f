import Dispatch
import Glibc

/// Turns the signals of a server into events, as long as the object exists.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// Ignores SIGHUP until there are handlers. Otherwise a reload during the start would end the process.
    ///
    /// The server notices changes of the configuration and the profiles without a signal. A new `openapi` document of a
    /// route needs another reload after the start.
    static func ignoreReloads() { _ = signal(SIGHUP, SIG_IGN) }

    /// Returns when every handler is in place.
    init(_ inbox: ControlInbox) {
        _ = signal(SIGPIPE, SIG_IGN)
        let queue = DispatchQueue(label: "signals")
        let installed = DispatchSemaphore(value: 0)
        let events: [(Int32, ControlEvent)] = [(SIGTERM, .terminate), (SIGINT, .terminate), (SIGHUP, .reload)]
        sources = events.map { number, event in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { inbox.send(event) }
            source.setRegistrationHandler { installed.signal() }
            source.activate()
            return source
        }
        for _ in events { installed.wait() }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
