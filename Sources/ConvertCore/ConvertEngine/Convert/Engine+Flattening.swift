import ConvertText

/// Flattened objects that are written as they come, see `Plan.streamsFlattened`.
///
/// The member's key is removed again if the value is an object. From there to the object's end, the containers have one more level, which
/// writes into the object around it. It takes over `isEmpty` and the tag, by which keys are found again. So members of both objects have
/// one record of output keys. Their input keys differ by the path state, which no two of the objects share.
extension Engine {
    /// Decides that the object that comes next is flattened. Until something is written in it, it counts as empty.
    mutating func beginFlattened(at depth: Int) {
        savepoints[depth].isFlattened = true
        savepoints[depth].isTentative = true
        savepoints[depth].isSearched = valueTraits.contains(.searched)
    }

    /// Opens a flattened object, whose key was already written.
    @inline(never)
    mutating func enterFlattened(_ output: inout ByteBuffer) {
        let depth = containers.depth
        output.truncate(to: savepoints[depth].mark)
        savepoints[depth].valueMark = savepoints[depth].mark
        containers.top.isEmpty = savepoints[depth].wasEmpty
        if payload.uncommittedDepth == depth { payload.uncommittedDepth = Self.allCommitted }
        // The key is not in the output, so it collides with none.
        pendingErrors.forgetCollision(at: depth)
        savepoints[depth].isRemoved = false
        if payload.collidedDepth == depth { payload.collidedDepth = -1 }
        keys.forgetMember(hasKey: true, &containers)
        savepoints[depth].isFirst = false

        var object = containers.top
        (object.isFlattened, object.state, object.entry, object.keyPosition) = (true, valueState, -1, -1)
        containers.push(object)
        containerOpens(.object)
    }

    /// Leaves a flattened object. Its keys remain keys of the object around it.
    mutating func leaveFlattened() {
        let isEmpty = containers.top.isEmpty
        containers.pop()
        containers.top.isEmpty = isEmpty
    }

    // MARK: Errors

    /// Reports that the value that was just read cannot be flattened, if it is written and not as null.
    mutating func refuseUnlessNull(_ output: borrowing ByteBuffer) throws(EngineError) {
        let mark = savepoints[containers.depth].valueMark
        // Null is never handed on before its member ends.
        if mark >= 0, output.bytes.extracting(mark...).equals(Array("null".utf8).span) { return }
        try reportMisplaced()
    }

    /// Reports that the value of the current member or element cannot be flattened.
    mutating func reportMisplaced() throws(EngineError) {
        let offset = savepoints[containers.depth].offset
        try report(EngineError(kind: .flatten, position: position.position(of: offset), entry: containers.top.entry))
    }

    /// The move that flattens the member or element that was just read.
    mutating func flatteningOfMember() -> Int {
        guard containers.top.kind == .array else { return Int(keys[Int(containers.top.entry)].move) }
        return Int(keys.paths.namedElement(containers.top.index, of: containers.top.state)?.move ?? -1)
    }
}
