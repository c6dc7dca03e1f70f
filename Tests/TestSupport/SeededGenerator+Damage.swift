extension SeededGenerator {
    /// The bytes with damage at one to three positions: a bit or a byte is changed, a few bytes are removed or repeated, or one of
    /// `pieces` is inserted.
    package mutating func damaged(_ bytes: [UInt8], inserting pieces: [[UInt8]]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            let index = Int.random(in: 0...bytes.count, using: &self)
            let end = min(bytes.count, index + Int.random(in: 0...6, using: &self))
            switch Int.random(in: 0..<5, using: &self) {
            case 0 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1 where index < bytes.count: bytes[index] = UInt8.random(in: 0...255, using: &self)
            case 2: bytes.removeSubrange(index..<end)
            case 3: bytes.insert(contentsOf: bytes[index..<end], at: index)
            default: bytes.insert(contentsOf: pieces.randomElement(using: &self) ?? [], at: index)
            }
        }
        return bytes
    }
}
