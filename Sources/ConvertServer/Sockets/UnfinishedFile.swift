import Glibc
import Synchronization

/// The file that is removed if SIGHUP, SIGINT or SIGTERM ends the process.
///
/// Almost nothing is safe in a signal handler, so there is none: a thread of its own waits for the signals.
enum UnfinishedFile {
    /// The file's path. The code that creates or renames the file holds the lock while it does so.
    static let path = Mutex<String?>(nil)

    /// Waits for the signals from now on. Call it before other threads start: they must not get the signals either.
    static func watch() { watching }

    private static let watching: Void = {
        var signals = sigset_t()
        _ = unsafe sigemptyset(&signals)
        for number in [SIGHUP, SIGINT, SIGTERM] where isDeadly(number) { _ = unsafe sigaddset(&signals, number) }
        let awaited = signals
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        do throws(SystemCallError) {
            try SystemThread.start("signals") { end(at: awaited) }
        } catch {
            _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        }
    }()

    /// Whether a signal ends the process. `nohup`, and shells for jobs in the background, ignore some.
    private static func isDeadly(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        return unsafe action.__sigaction_handler.sa_handler == nil
    }

    private static func end(at awaited: sigset_t) {
        var signals = awaited
        var number: Int32 = 0
        guard unsafe sigwait(&signals, &number) == 0 else { return }
        path.withLock { path in
            if let path { _ = unsafe unlink(path) }
            path = nil
        }
        // The process ends by the signal, as its parent expects.
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        _ = raise(number)
    }
}
