import ConvertCore
import Dispatch
import Sockets
import Synchronization

/// The work that a large held object needs when it ends, done beside the loops: it takes up to a second, and nothing in it can wait.
///
/// One queue for all loops does it, one object after another.
final class HeldObjectWork: Sendable {
    private struct State: ~Copyable {
        var work: HeldWork?
        var nanoseconds: Int64 = 0
    }

    /// What a loop does itself, in about a millisecond.
    static let maxOwnWork = 8 * 1024

    private static let queue = DispatchQueue(label: "held objects")

    private let state: Mutex<State>
    private let isCancelled = Atomic<Bool>(false)

    init(_ work: consuming HeldWork) { state = Mutex(State(work: consume work)) }

    /// Has the work done, and `done` called on the queue's own thread; neither, if it is cancelled before.
    func perform(_ done: @escaping @Sendable () -> Void) {
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

    /// Says that nobody waits any more.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// How long a processor took.
    var nanoseconds: Int64 { state.withLock { $0.nanoseconds } }

    /// Gives what was done to a converter.
    func finish(_ converter: inout Converter) {
        state.withLock { if let work = $0.work.take() { converter.finish(work) } }
    }
}
