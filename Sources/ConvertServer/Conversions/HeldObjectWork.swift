package import ConvertEngine
import Dispatch
import Sockets
import Synchronization

/// The work at the end of a large buffered object, which runs outside the loops. It takes up to a second and cannot be
/// split.
///
/// All loops share two queues, each of which handles one object after another. Short work does not wait behind long work.
package final class HeldObjectWork: Sendable {
    private struct State: ~Copyable {
        var work: HeldWork?
        var nanoseconds: Int64 = 0
    }

    /// The most work that a loop does itself, in about a millisecond.
    static let maxOwnWork = 8 * 1024

    /// The most work for the queue of short work, which is done in some 30 milliseconds.
    private static let maxShortWork = 64 * 1024

    private static let shortQueue = DispatchQueue(label: "buffered objects")
    private static let longQueue = DispatchQueue(label: "large buffered objects")

    private let queue: DispatchQueue
    private let state: Mutex<State>
    private let isCancelled = Atomic<Bool>(false)

    /// `amount` is how much work it is, see `Converter.work`.
    package init(_ work: consuming HeldWork, amount: Int) {
        queue = amount > Self.maxShortWork ? Self.longQueue : Self.shortQueue
        state = Mutex(State(work: consume work))
    }

    /// Does the work and calls `done` on the queue's thread. If it is cancelled before, neither happens.
    package func perform(_ done: @escaping @Sendable () -> Void) {
        queue.async {
            guard !self.isCancelled.load(ordering: .relaxed) else { return }
            self.state.withLock { state in
                let start = SystemClock.processor()
                state.work?.perform()
                state.nanoseconds = SystemClock.processor() - start
            }
            done()
        }
    }

    /// Cancels the work, because nobody waits for it.
    package func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// The processor time of the work.
    package var nanoseconds: Int64 { state.withLock { $0.nanoseconds } }

    /// Passes the result to a converter.
    package func finish(_ converter: inout Converter) {
        state.withLock { if let work = $0.work.take() { converter.finish(work) } }
    }
}
