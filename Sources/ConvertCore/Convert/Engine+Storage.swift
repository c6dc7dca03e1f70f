extension Engine {
    /// See `Converter.storedBytes`.
    var storedBytes: Int {
        let fates = escapedResolutions.count * MemoryLayout<NameResolution>.stride
        let learned = keyCache.storedBytes + paths.storedBytes + fates
        let buffers = held.capacity + content.capacity + text.capacity + padded.capacity + passed.capacity
        let places = undo.storedBytes + containers.storedBytes + sorting.storedBytes
        let holding = hold.storedBytes
        let inner = (embeddedText?.heldBytes ?? 0) + (laidOutText?.heldBytes ?? 0)
        return learned + buffers + places + holding + inner
    }

    /// See `Converter.heldBytes`.
    var heldBytes: Int {
        var bytes = storedBytes + seen.storedBytes + waitingInput.count + savepoints.storedBytes + counters.storedBytes
        bytes += hold.openBytes
        switch staged {
        case .some(let output): bytes += output.count
        case .none: break
        }
        return bytes
    }
}
