extension Engine {
    /// See `Converter.storedBytes`.
    var storedBytes: Int {
        let places = containers.storedBytes + sorting.storedBytes
        let holding = hold.storedBytes
        return keys.storedBytes + values.storedBytes + padded.capacity + places + holding
    }

    /// See `Converter.heldBytes`.
    var heldBytes: Int {
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
