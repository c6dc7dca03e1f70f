import Synchronization

/// The values that one label can have: a list that only configuration can make longer, and only up to a limit.
///
/// Requests carry the small numbers that `intern` gives out; the texts are needed at a scrape and nowhere else. Values are
/// the same when their bytes are.
package final class LabelTable: Sendable {
    private struct State {
        package var values: [String]
        package var places: [[UInt8]: UInt16]
    }

    /// The label for every value beyond the limit.
    package static let overflow = "(other)"

    private let maxValues: Int
    private let overflowIndex: UInt16
    private let state: Mutex<State>

    /// A table that begins with `fixed`, whose numbers are their places; one of them must be `overflow`.
    package init(fixed: [String], maxValues: Int) {
        precondition(maxValues <= Int(UInt16.max) && fixed.count <= maxValues, "a label's number has 16 bits")
        let places = Dictionary(uniqueKeysWithValues: fixed.indices.map { (Array(fixed[$0].utf8), UInt16($0)) })
        guard let place = places[Array(Self.overflow.utf8)] else {
            preconditionFailure("a label has a value for all that is too much")
        }
        self.maxValues = maxValues
        overflowIndex = place
        state = Mutex(State(values: fixed, places: places))
    }

    /// The number of a value, the same for the life of the process; that of `overflow` once the table is full.
    package func intern(_ value: String) -> UInt16 {
        let key = Array(value.utf8)
        return state.withLock { state in
            if let place = state.places[key] { return place }
            guard state.values.count < maxValues else { return overflowIndex }
            let place = UInt16(state.values.count)
            state.values.append(value)
            state.places[key] = place
            return place
        }
    }

    /// All values, each at its number.
    package var values: [String] { state.withLock { $0.values } }
}
