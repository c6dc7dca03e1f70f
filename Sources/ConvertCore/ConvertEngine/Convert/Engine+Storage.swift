// All of this is inlined: to call a getter of so large a value, the compiler copies the value to the stack first, and a server asks
// for both numbers with each payload.

extension Engine {
    /// See `Converter.storedBytes`.
    @inline(__always) var storedBytes: Int {
        let places = containers.storedBytes + sorting.storedBytes
        let holding = hold.storedBytes
        return keys.storedBytes + values.storedBytes + padded.capacity + places + holding
    }

    /// See `Converter.heldBytes`.
    @inline(__always) var heldBytes: Int {
        var bytes =
            storedBytes + keys.openBytes + waitingInput.count + position.storedBytes + savepoints.storedBytes
            + counters.storedBytes
        bytes += hold.openBytes
        switch staged {
        case .some(let output): bytes += output.count
        case .none: break
        }
        return bytes
    }
}
