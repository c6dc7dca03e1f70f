import Synchronization

/// The values of one label. Only configuration can add to the list, and only up to a limit.
///
/// Requests carry the small numbers of `intern`. The texts are needed only at a scrape. Values are equal if their bytes
/// are.
package final class LabelTable: Sendable {
    private struct State {
        var values: [String]
        var indices: [[UInt8]: UInt16]
    }

    /// The label for every value beyond the limit.
    package static let overflow = "(other)"

    private let maxValues: Int
    private let overflowIndex: UInt16
    private let state: Mutex<State>

    /// A table that begins with `fixed`, whose numbers are their indices. One of them must be `overflow`.
    package init(fixed: [String], maxValues: Int) {
        precondition(maxValues <= Int(UInt16.max) && fixed.count <= maxValues, "a label's number has 16 bits")
        let indices = Dictionary(uniqueKeysWithValues: fixed.indices.map { (Array(fixed[$0].utf8), UInt16($0)) })
        guard let index = indices[Array(Self.overflow.utf8)] else {
            preconditionFailure("a label has a value for all that is too much")
        }
        self.maxValues = maxValues
        overflowIndex = index
        state = Mutex(State(values: fixed, indices: indices))
    }

    /// The number of a value, which never changes in the process. If the table is full, it is that of `overflow`.
    package func intern(_ value: String) -> UInt16 {
        let key = Array(value.utf8)
        return state.withLock { state in
            if let index = state.indices[key] { return index }
            guard state.values.count < maxValues else { return overflowIndex }
            let index = UInt16(state.values.count)
            state.values.append(value)
            state.indices[key] = index
            return index
        }
    }

    /// All values, by their numbers.
    package var values: [String] { state.withLock { $0.values } }
}
