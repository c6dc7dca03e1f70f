// Static functions with an `inout` engine, which they do not change. A getter would copy this large value to the stack,
// and a server reads both numbers with each payload.

extension Engine {
    /// See `Converter.storedBytes`.
    static func storedBytes(_ engine: inout Engine) -> Int {
        let containers = engine.containers.storedBytes + engine.sorting.storedBytes + engine.moves.storedBytes
        let holding = engine.hold.storedBytes
        return engine.keys.storedBytes + engine.values.storedBytes + engine.padded.count { $0.capacity } + containers
            + holding
    }

    /// See `Converter.heldBytes`.
    static func heldBytes(_ engine: inout Engine) -> Int {
        storedBytes(&engine) + engine.waitingInput.count + engine.position.storedBytes
            + engine.savepoints.storedBytes + engine.counters.storedBytes + engine.hold.openBytes
            + engine.staged.count { $0.count }
    }
}
