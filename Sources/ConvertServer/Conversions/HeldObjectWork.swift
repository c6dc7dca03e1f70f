package import ConvertEngine
import Dispatch
import Sockets
import Synchronization

/// The work at the end of a large buffered object, which runs outside the loops. It takes up to a second and cannot be
/// split.
///
/// All loops share one queue for it, which handles one object after another.
package final class HeldObjectWork: Sendable {
    private struct State: ~Copyable {
        var work: HeldWork?
        var nanoseconds: Int64 = 0
    }

    /// The most work that a loop does itself, in about a millisecond.
    static let maxOwnWork = 8 * 1024

    private static let queue = DispatchQueue(label: "held objects")

    private let state: Mutex<State>
    private let isCancelled = Atomic<Bool>(false)

    package init(_ work: consuming HeldWork) { state = Mutex(State(work: consume work)) }

    /// Does the work and calls `done` on the queue's own thread. If it is cancelled before, neither happens.
    package func perform(_ done: @escaping @Sendable () -> Void) {
        Self.queue.async {
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
