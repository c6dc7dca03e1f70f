extension ByteBuffer {
    /// A seeded 64-bit hash of `length` bytes from `start`.
    ///
    /// Folded 64×64-bit multiplications, as in wyhash: without the seed, nobody can choose keys that share one slot.
    /// Sixteen bytes of capacity must follow the range.
    @inline(__always)
    package func hash(from start: Int, length: Int, seed: UInt64) -> UInt64 {
        precondition(start >= 0 && length >= 0 && start &+ length &+ 16 <= capacity)
        return unsafe Self.hash(UnsafeRawPointer(base + start), length: length, seed: seed)
    }

    /// The same hash for any bytes with seven readable bytes after them.
    @unsafe @inline(__always)
    static func hash(_ raw: UnsafeRawPointer, length: Int, seed: UInt64) -> UInt64 {
        var state = seed
        var offset = 0
        while length &- offset >= 8 {
            let word = unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            state = fold(state ^ word, seed | 1)
            offset &+= 8
        }
        if offset < length {
            let word = unsafe UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- offset))
            state = fold(state ^ (word &<< unused), seed | 1)
        }
        // The length comes last. Combined with the first word, it would let two keys of different lengths collide for every seed.
        return fold(state ^ UInt64(truncatingIfNeeded: length), ~seed | 1)
    }

    @inline(__always)
    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    /// Whether `length` bytes from `start` are those of `other` from `otherStart`.
    package func equals(from start: Int, length: Int, _ other: borrowing ByteBuffer, from otherStart: Int) -> Bool {
        precondition(start >= 0 && length >= 0 && start + length <= count)
        precondition(otherStart >= 0 && otherStart + length <= other.count)
        for index in 0..<length where unsafe base[start &+ index] != other.base[otherStart &+ index] { return false }
        return true
    }
}
