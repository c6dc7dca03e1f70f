extension ByteBuffer {
    /// Combines every byte from `start` on with a byte of the key, which repeats: the byte at `start` with the first one (XOR).
    package mutating func mask(from start: Int, with key: InlineArray<4, UInt8>) {
        precondition(start >= 0 && start <= count)
        var words = SIMD16<UInt8>()
        for lane in 0..<16 { words[lane] = key[lane & 3] }
        var index = start
        while index <= count - 16 {
            let word = unsafe UnsafeMutableRawPointer(base + index)
            let masked = unsafe word.loadUnaligned(as: SIMD16<UInt8>.self) ^ words
            unsafe word.storeBytes(of: masked, as: SIMD16<UInt8>.self)
            index += 16
        }
        while index < count {
            unsafe base[index] ^= key[(index - start) & 3]
            index += 1
        }
    }

    /// Writes `other` in place of every `byte` from `start` on.
    package mutating func replace(_ byte: UInt8, with other: UInt8, from start: Int) {
        precondition(start >= 0 && start <= count)
        for index in start..<count { unsafe base[index] = unsafe base[index] == byte ? other : base[index] }
    }
}
