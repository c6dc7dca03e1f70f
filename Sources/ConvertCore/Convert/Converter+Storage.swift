extension Converter {
    /// Bytes of memory that stay with the converter for its next payload, approximately: what it has learned of keys and
    /// places and the buffers for what it held.
    ///
    /// A payload of many names, or one of which much had to be held, leaves more than the usual behind; `reset()` keeps it.
    public var storedBytes: Int {
        let fates = escapedResolutions.count * MemoryLayout<NameResolution>.stride
        let learned = keyCache.storedBytes + paths.storedBytes + fates
        let buffers = held.capacity + content.capacity + text.capacity + padded.capacity + passed.capacity
        let places = undo.storedBytes + containers.storedBytes + sorting.storedBytes
        let holding = hold.storedBytes
        let inner = (embeddedText?.heldBytes ?? 0) + (laidOutText?.heldBytes ?? 0)
        return learned + buffers + places + holding + inner
    }

    /// Bytes of memory that the converter has at this moment, approximately: `storedBytes`, what waits for an object or a
    /// record to end, and the names of objects that are open.
    public var heldBytes: Int {
        var bytes = storedBytes + seen.storedBytes + waitingInput.count + savepoints.storedBytes + counters.storedBytes
        bytes += hold.openBytes
        switch staged {
        case .some(let output): bytes += output.count
        case .none: break
        }
        return bytes
    }
}
