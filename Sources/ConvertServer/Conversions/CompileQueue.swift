package import ConvertEngine
package import ConvertProfiles
import Dispatch
package import HTTPSemantics
import Sockets
import Synchronization

/// Reads and compiles long profiles from requests, one after another, outside the loops. A megabyte takes as long as
/// hundreds of turns of a loop, and cannot be split.
package final class CompileQueue: Sendable {
    /// The work on a profile's document.
    package enum Job: Sendable {
        case compile([UInt8], Profile.Direction, Limits)
        case check([UInt8])

        /// Whether it takes longer than a turn.
        package var isLong: Bool { byteCount > CompileQueue.maxShortBytes }

        package var byteCount: Int {
            switch self {
            case .compile(let document, _, _), .check(let document): document.count
            }
        }

        package func perform() -> Outcome {
            switch self {
            case .compile(let document, let direction, let limits):
                do throws(Problem) {
                    return .recipe(try Recipe(parsing: document, direction, limits: limits))
                } catch {
                    return .problem(error)
                }
            case .check(let document): return .report(CheckRequest(document).report())
            }
        }
    }

    package enum Outcome: Sendable {
        case recipe(Recipe)
        /// The report as JSON.
        case report([UInt8])
        case problem(Problem)
    }

    /// Cancels a job after its client has disconnected.
    package final class Cancellation: Sendable {
        private let state = Atomic<Bool>(false)

        var isCancelled: Bool { state.load(ordering: .relaxed) }

        package func cancel() { state.store(true, ordering: .relaxed) }
    }

    /// The longest profile that a loop compiles itself, in some milliseconds at most. Steps with quadratic time are
    /// short here.
    package static let maxShortBytes = 2 * 1024

    /// Bytes of documents that may wait, which take some seconds.
    package static let maxWaitingBytes = 4 * 1024 * 1024

    /// The size from which a document leaves so many free pages that returning them is worth the time.
    private static let largeBytes = 64 * 1024

    private let queue = DispatchQueue(label: "profiles")
    private let maxWaitingBytes: Int
    private let waitingBytes = Mutex(0)

    package init(maxWaitingBytes: Int = CompileQueue.maxWaitingBytes) { self.maxWaitingBytes = maxWaitingBytes }

    /// Performs `job`, and calls `take` with the outcome on the compile queue's own thread. If too many jobs wait, it
    /// calls `take` at once with a refusal. It does not call `take` if the cancellation is cancelled before.
    @discardableResult
    package func perform(_ job: Job, _ take: @escaping @Sendable (Outcome) -> Void) -> Cancellation {
        let cancellation = Cancellation()
        let count = job.byteCount
        let hasRoom = waitingBytes.withLock { waiting in
            guard count <= maxWaitingBytes - waiting else { return false }
            waiting += count
            return true
        }
        guard hasRoom else {
            take(.problem(.compileQueueFull))
            return cancellation
        }
        queue.async {
            let outcome = cancellation.isCancelled ? nil : job.perform()
            self.waitingBytes.withLock { $0 -= count }
            guard let outcome else { return }
            take(outcome)
            // Its parts took many times its size, in small pieces.
            if count >= Self.largeBytes { SystemMemory.returnFreePages() }
        }
        return cancellation
    }
}
