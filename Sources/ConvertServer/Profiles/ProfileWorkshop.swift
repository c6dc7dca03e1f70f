import ConvertCore
import Dispatch
import HTTPSemantics
import Synchronization

/// Reads and compiles the long profiles that come with requests, one after another beside the loops: a megabyte takes hundreds of
/// a loop's turns, and cannot be done in parts.
final class ProfileWorkshop: Sendable {
    /// What is to be done with a profile's document.
    enum Order: Sendable {
        case compile([UInt8], Profile.Direction, Limits)
        case check([UInt8])

        /// Whether it takes more than a turn.
        var isLong: Bool { byteCount > ProfileWorkshop.maxShortBytes }

        var byteCount: Int {
            switch self {
            case .compile(let document, _, _), .check(let document): document.count
            }
        }

        func perform() -> Product {
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
    enum Product: Sendable {
        case recipe(Recipe)
        /// The report, as JSON.
        case report([UInt8])
        case fault(Problem)
    }

    /// Cancels an order: its client is gone.
    final class Ticket: Sendable {
        private let state = Atomic<Bool>(false)

        var isCancelled: Bool { state.load(ordering: .relaxed) }

        func cancel() { state.store(true, ordering: .relaxed) }
    }

    /// What a loop does itself, in some milliseconds at the most: what takes time by the square of a profile's length is short here.
    static let maxShortBytes = 2 * 1024

    /// Bytes of documents that may wait: some seconds' work.
    static let maxWaitingBytes = 4 * 1024 * 1024

    private let queue = DispatchQueue(label: "profiles")
    private let maxWaitingBytes: Int
    private let waitingBytes = Mutex(0)

    init(maxWaitingBytes: Int = ProfileWorkshop.maxWaitingBytes) { self.maxWaitingBytes = maxWaitingBytes }

    /// Performs `order`, and calls `take` with the product on the workshop's own thread. Calls it at once, with a
    /// refusal, if too many orders wait. Does not call it if the ticket is cancelled before.
    @discardableResult
    func perform(_ order: Order, _ take: @escaping @Sendable (Product) -> Void) -> Ticket {
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
