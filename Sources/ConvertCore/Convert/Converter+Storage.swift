extension Converter {
    /// Bytes of memory that stay with the converter for its next payload, approximately: what it has learned of keys and
    /// places and the buffers for what it held.
    ///
    /// A payload of many names, or one of which much had to be held, leaves more than the usual behind; `reset()` keeps it.
    public var storedBytes: Int {
        let learned = memo.storedBytes + paths.storedBytes
        let buffers = held.capacity + content.capacity + text.capacity + padded.capacity + passed.capacity
        let places = undo.storedBytes + frames.storedBytes + memberMarks.storedBytes
        let holding = scope.storedBytes + sorter.storedBytes + settling.storedBytes + writer.storedBytes
        return learned + buffers + places + holding
    }

    /// Bytes of memory that the converter has at this moment, approximately: `storedBytes`, what waits for an object or a
    /// record to end, and the names of objects that are open.
    public var heldBytes: Int {
        var bytes = storedBytes + shown.storedBytes + waitingInput.count + levels.storedBytes + presence.storedBytes
        bytes += longString?.heldBytes ?? 0
        bytes += deferredFaults.count * MemoryLayout<DeferredFault>.stride
        bytes += metRequirements.count * MemoryLayout<MetRequirement>.stride
        switch staged {
        case .some(let output): bytes += output.count
        case .none: break
        }
        return bytes
    }
}
