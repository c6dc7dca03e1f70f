/// What the fast lane does for members that may be taken back, where the plan elaborates.
extension Converter {
    /// Where a member or element begins, in the output and in the payload.
    struct MemberPlace {
        var mark: Int
        var offset: Int
    }

    @inline(__always)
    func place(
        of cursor: borrowing TokenCursor, _ reader: borrowing ChunkReader, _ output: borrowing ByteBuffer,
        after distance: Int = 0
    ) -> MemberPlace {
        MemberPlace(
            mark: cursor.written(in: output), offset: payload.chunkOffset &+ cursor.place(in: reader) &+ distance)
    }

    /// As `beginMember`, for a member or an element whose value has no traits.
    @inline(__always)
    mutating func beginPlainMember(_ place: MemberPlace) {
        beginMember(mark: place.mark, offset: place.offset)
        valueTraits = PathStates.Traits()
    }

    /// As `weighValue`, for a value without traits; false when the general machine must.
    @inline(__always)
    mutating func weighPlainValue(
        _ byte: UInt8, _ cursor: borrowing TokenCursor, _ output: borrowing ByteBuffer
    ) -> Bool {
        let depth = frames.depth
        // What follows the chunk is padding, and white space where the room ended: no value is known to come, and nothing may be
        // settled by it.
        if byte <= ASCII.space || holdsObjects || quotes || !valueTraits.isEmpty || payload.records.isRecord(at: depth)
        {
            return false
        }
        levels[depth].valueMark = cursor.written(in: output)
        levels[depth].isTentative = false
        guard prunes, frames.top.kind == .object || (prunesElements && frames.top.kind == .array) else {
            payload.uncommittedDepth = Self.settled
            return true
        }
        switch byte {
        case ASCII.openBrace where plan.prune.emptyObject, ASCII.openBracket where plan.prune.emptyArray:
            levels[depth].isTentative = true
        case ASCII.quote where plan.prune.emptyString && mayEndString(cursor.byte(1)): return false
        case ASCII.n where plan.prune.null: return false
        // A rule may yet make of it what goes.
        default: if valueRule < 0 { payload.uncommittedDepth = Self.settled }
        }
        return true
    }

    /// Whether a string may end at a byte, which the padding behind a chunk stands for, too.
    @inline(__always)
    private func mayEndString(_ byte: UInt8) -> Bool { byte == ASCII.quote || byte == ASCII.null }

    /// Whether the general machine must decide on the member whose value just ended.
    @inline(__always)
    var needsSettling: Bool {
        let depth = frames.depth
        return payload.uncommittedDepth <= depth || payload.records.isRecord(at: depth) || levels[depth].collides
            || levels[depth].isRemoved
            || levels[depth].badRule >= 0 || frames.top.kind == .payload
    }

    /// Whether nothing is to be judged about the container that ends.
    @inline(__always)
    var endsPlainly: Bool { !frames.top.isEmpty && !frames.top.endsSlowly }
}
