package import ConvertCore
import Dispatch
package import HTTPSemantics
import Synchronization

/// Reads and compiles long profiles from requests, one after another, outside the loops. A megabyte takes as long as
/// hundreds of turns of a loop, and cannot be split.
package final class ProfileWorkshop: Sendable {
    /// The work on a profile's document.
    package enum Order: Sendable {
        case compile([UInt8], Profile.Direction, Limits)
        case check([UInt8])

        /// Whether it takes longer than a turn.
        package var isLong: Bool { byteCount > ProfileWorkshop.maxShortBytes }

        package var byteCount: Int {
            switch self {
            case .compile(let document, _, _), .check(let document): document.count
            }
        }

        package func perform() -> Product {
            switch self {
            case .compile(let document, let direction, let limits):
                do throws(Problem) {
                    return .recipe(try Recipe(parsing: document, direction, limits: limits))
                } catch {
                    return .fault(error)
                }
            case .check(let document): return .report(CheckRequest(document).report())
            }
        }
    }

    /// The result.
    package enum Product: Sendable {
        case recipe(Recipe)
        /// The report as JSON.
        case report([UInt8])
        case fault(Problem)
    }

    /// Cancels an order after its client has disconnected.
    package final class Ticket: Sendable {
        private let state = Atomic<Bool>(false)

        var isCancelled: Bool { state.load(ordering: .relaxed) }

        package func cancel() { state.store(true, ordering: .relaxed) }
    }

    /// The longest profile that a loop compiles itself, in some milliseconds at most. Steps with quadratic time are
    /// short here.
    package static let maxShortBytes = 2 * 1024

    /// Bytes of documents that may wait, which take some seconds.
    package static let maxWaitingBytes = 4 * 1024 * 1024

    private let queue = DispatchQueue(label: "profiles")
    private let maxWaitingBytes: Int
    private let waitingBytes = Mutex(0)

    package init(maxWaitingBytes: Int = ProfileWorkshop.maxWaitingBytes) { self.maxWaitingBytes = maxWaitingBytes }

    /// Performs `order`, and calls `take` with the product on the workshop's own thread. If too many orders wait, it
    /// calls `take` at once with a refusal. It does not call `take` if the ticket is cancelled before.
    @discardableResult
    package func perform(_ order: Order, _ take: @escaping @Sendable (Product) -> Void) -> Ticket {
        let ticket = Ticket()
        let count = order.byteCount
        let hasRoom = waitingBytes.withLock { waiting in
            guard count <= maxWaitingBytes - waiting else { return false }
            waiting += count
            return true
        }
        guard hasRoom else {
            take(.fault(.workshopFull))
            return ticket
        }
        queue.async {
            let product = ticket.isCancelled ? nil : order.perform()
            self.waitingBytes.withLock { $0 -= count }
            if let product { take(product) }
        }
        return ticket
    }
}
