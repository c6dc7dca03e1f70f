import Testing

@testable import HTTPServer

struct MemorySharesTests {
    private static let mebibyte = 1024 * 1024

    @Test func `the shares of the worst case fit into the memory`() {
        for mebibytes in [64, 96, 256, 320, 1024, 4096] {
            for loops in [1, 2, 8] {
                let shares = MemoryShares(limitBytes: mebibytes * Self.mebibyte, loops: loops)
                let available = Double(mebibytes - 24 - loops) * Double(Self.mebibyte)
                let usual = shares.maxBufferedBytes(standard: .max)
                for buffered in [usual, Int(available) / 5 * 2] {
                    #expect(shares.warnings(buffered: buffered).isEmpty, "\(mebibytes) \(loops)")
                    let kept = Double(buffered) * 2 / 3 + Double(shares.maxMessageBytes(buffered: buffered))
                    let all = kept + Double(buffered) / 2 + Double(shares.maxPooledBytes * loops)
                    #expect(all <= available, "\(mebibytes) \(loops) \(buffered)")
                }
            }
        }
    }

    @Test func `options that exceed the memory limit cause a warning`() {
        let shares = MemoryShares(limitBytes: 226 * Self.mebibyte, loops: 2)
        // Two fifths of the remaining 200 MiB.
        let most = 80 * Self.mebibyte
        #expect(shares.warnings(buffered: most).isEmpty)
        #expect(
            shares.warnings(buffered: most + 1) == [
                "`maxBufferedBytes` is 83886081, and the memory limit of 236978176 bytes allows 83886080"
            ])
        #expect(
            MemoryShares(limitBytes: 40 * Self.mebibyte, loops: 2).warnings(buffered: 1) == [
                "the memory limit is 41943040 bytes, and 2 event loops need 44040192"
            ])
        #expect(MemoryShares(limitBytes: nil, loops: 2).warnings(buffered: .max).isEmpty)
    }
}
