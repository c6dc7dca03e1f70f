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
        unsafe forEachWord(raw, length: length) { state = fold(state ^ $0, seed | 1) }
        return finish(state, length, seed)
    }

    /// The same hashes for two seeds, in one pass.
    @unsafe @inline(__always)
    static func hashes(_ raw: UnsafeRawPointer, length: Int, seeds: (UInt64, UInt64)) -> (UInt64, UInt64) {
        var states = seeds
        unsafe forEachWord(raw, length: length) { word in
            states = (fold(states.0 ^ word, seeds.0 | 1), fold(states.1 ^ word, seeds.1 | 1))
        }
        return (finish(states.0, length, seeds.0), finish(states.1, length, seeds.1))
    }

    /// Calls `body` with each eight bytes; the bytes of an incomplete last word are its highest ones.
    @unsafe @inline(__always)
    private static func forEachWord(_ raw: UnsafeRawPointer, length: Int, _ body: (UInt64) -> Void) {
        var offset = 0
        while length &- offset >= 8 {
            unsafe body(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        guard offset < length else { return }
        let word = unsafe UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- offset))
        body(word &<< unused)
    }

    /// The length comes last. Combined with the first word, it would let two keys of different lengths collide for every seed.
    @inline(__always)
    private static func finish(_ state: UInt64, _ length: Int, _ seed: UInt64) -> UInt64 {
        fold(state ^ UInt64(truncatingIfNeeded: length), ~seed | 1)
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
