/// SHA-256 (FIPS 180-4) of data in pieces.
package struct SHA256: Sendable {
    package static let digestBytes = 32
    static let blockBytes = 64

    /// The fractional parts of the cube roots of the first 64 primes (section 4.2.2).
    private static let constants: InlineArray<64, UInt32> = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]

    /// The fractional parts of the square roots of the first 8 primes (section 5.3.3).
    private var state: InlineArray<8, UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var block = InlineArray<64, UInt8>(repeating: 0)
    private var byteCount = 0

    mutating func update(_ bytes: Span<UInt8>) {
        for index in 0..<bytes.count { update(bytes[index]) }
    }

    /// The digest of all bytes so far.
    consuming func finish() -> [UInt8] {
        let bitCount = UInt64(byteCount) * 8
        update(0x80)
        while byteCount % Self.blockBytes != Self.blockBytes - 8 { update(0) }
        for shift in stride(from: 56, through: 0, by: -8) { update(UInt8(truncatingIfNeeded: bitCount >> shift)) }
        var digest: [UInt8] = []
        digest.reserveCapacity(Self.digestBytes)
        for index in state.indices {
            for shift in stride(from: 24, through: 0, by: -8) {
                digest.append(UInt8(truncatingIfNeeded: state[index] >> shift))
            }
        }
        return digest
    }

    @inline(__always)
    private mutating func update(_ byte: UInt8) {
        block[byteCount % Self.blockBytes] = byte
        byteCount += 1
        if byteCount % Self.blockBytes == 0 { compress() }
    }

    /// Section 6.2.2.
    private mutating func compress() {
        var schedule = InlineArray<64, UInt32>(repeating: 0)
        for index in 0..<16 {
            for byte in 0..<4 { schedule[index] = schedule[index] << 8 | UInt32(block[4 * index + byte]) }
        }
        for index in 16..<64 {
            let (early, late) = (schedule[index - 15], schedule[index - 2])
            let small = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ early >> 3
            let large = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ late >> 10
            schedule[index] = schedule[index - 16] &+ small &+ schedule[index - 7] &+ large
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let sum1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum1 &+ choice &+ Self.constants[index] &+ schedule[index]
            let sum0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
        }
        let words: InlineArray<8, UInt32> = [a, b, c, d, e, f, g, h]
        for index in words.indices { state[index] &+= words[index] }
    }

    @inline(__always)
    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
}

/// HMAC-SHA-256 (RFC 2104) with one key, of data in pieces.
struct HMACSHA256: Sendable {
    private static let innerPad: UInt8 = 0x36
    private static let outerPad: UInt8 = 0x5c

    private var inner = SHA256()
    private var outer = SHA256()

    init(key: [UInt8]) {
        var block = key
        if block.count > SHA256.blockBytes {
            var digest = SHA256()
            digest.update(key.span)
            block = digest.finish()
        }
        block += [UInt8](repeating: 0, count: SHA256.blockBytes - block.count)
        let (innerBlock, outerBlock) = (block.map { $0 ^ Self.innerPad }, block.map { $0 ^ Self.outerPad })
        inner.update(innerBlock.span)
        outer.update(outerBlock.span)
    }

    mutating func update(_ bytes: Span<UInt8>) { inner.update(bytes) }

    /// The code of all bytes so far.
    consuming func finish() -> [UInt8] {
        let digest = inner.finish()
        outer.update(digest.span)
        return outer.finish()
    }
}
