import ConvertCore
import Dispatch

/// Reads and compiles the long profiles that come with requests, one after another beside the loops: a megabyte takes hundreds of
/// a loop's turns, and cannot be done in parts.
final class ProfileWorkshop: Sendable {
    /// What is to be done with a profile's document.
    enum Order: Sendable {
        case compile([UInt8], Profile.Direction, Limits)
        case check([UInt8])

        /// Whether it takes more than a turn.
        var isLong: Bool { byteCount > ProfileWorkshop.maxShortBytes }

        private var byteCount: Int {
            switch self {
            case .compile(let document, _, _), .check(let document): document.count
            }
        }

        func perform() -> Product {
            switch self {
            case .compile(let document, let direction, let limits):
                do throws(ProfileError) {
                    return .recipe(
                        try Recipe(try Profile(parsing: document), direction, limits: limits, comesAgain: false))
                } catch {
                    return .fault(Problem(error))
                }
            case .check(let document): return .report(ProfileReport(checking: document).json())
            }
        }
    }

    /// What came of it.
    enum Product: Sendable {
        case recipe(Recipe)
        /// The report, as JSON.
        case report([UInt8])
        case fault(Problem)
    }

    /// What a loop does itself, in some five milliseconds at the most.
    static let maxShortBytes = 16 * 1024

    private let queue = DispatchQueue(label: "profiles")

    /// Has `order` performed, and `take` called with the product on the workshop's own thread.
    func perform(_ order: Order, _ take: @escaping @Sendable (Product) -> Void) {
        queue.async { take(order.perform()) }
    }
}
