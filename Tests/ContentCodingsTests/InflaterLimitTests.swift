import ConvertEngine
import TestSupport
import Testing

@testable import ContentCodings
@testable import HTTPSemantics

struct InflaterLimitTests {
    private static let mebibyte = 1024 * 1024

    @Test func `a bomb is stopped by its ratio, soon after the first check`() throws {
        let zeros = [UInt8](repeating: 0, count: 10 * Self.mebibyte)
        for format in PythonCoding.Format.allCases {
            let bomb = try PythonCoding.encode(zeros, format, level: 9)
            var inflater = Inflater(format.coding, limits: .init(maxDecodedBytes: 64 * Self.mebibyte))
            var output = ByteBuffer()
            var most = 0
            var position = 0
            var thrown: CodingError?
            do throws(CodingError) {
                while case .needsRoom = try inflater.decode(
                    bomb.span, at: &position, maxBytes: 64 * 1024, into: &output)
                {
                    most = max(most, output.count)
                    output.removeAll()
                }
            } catch {
                thrown = error
            }
            #expect(thrown?.code == .tooDense && thrown?.status == 413)
            #expect(most <= 64 * 1024)
            #expect(inflater.decoded > Self.mebibyte && inflater.decoded <= Self.mebibyte + ZlibStream.maxPortionBytes)
        }
    }

    @Test func `the ratio is not checked up to one mebibyte`() throws {
        let limits = Inflater.Limits(maxDecodedBytes: nil)
        for (count, isRefused) in [(Self.mebibyte, false), (Self.mebibyte + 1, true)] {
            let coded = try PythonCoding.encode([UInt8](repeating: 0, count: count), .gzip, level: 9)
            #expect((Inflater.error(in: coded, .gzip, limits: limits)?.code == .tooDense) == isRefused, "\(count)")
        }
    }

    @Test func `a long content with a normal ratio is accepted`() throws {
        var numbers = SeededGenerator(seed: 3)
        // A kilobyte of random bytes takes at least a kilobyte, so the compressed size is at least a fiftieth of the content.
        let content = (0..<60).flatMap { _ in numbers.bytes(1000) + [UInt8](repeating: 32, count: 49_000) }
        let coded = try PythonCoding.encode(content, .gzip, level: 9)
        #expect(try Inflater.decode(coded, .gzip) == content)
    }

    @Test func `a bomb in many members is a bomb`() throws {
        let member = try PythonCoding.encode([UInt8](repeating: 0, count: 64 * 1024), .gzip, level: 9)
        let bomb = [[UInt8]](repeating: member, count: 20).flatMap { $0 }
        #expect(Inflater.error(in: bomb, .gzip)?.code == .tooDense)
    }

    @Test func `the ratio is exact`() throws {
        // Level 0 stores: zlib adds 5 bytes for the block and 6 around it (RFC 1950, RFC 1951 §3.2.4), so 89 bytes become 100.
        let content = [UInt8](repeating: 1, count: 89)
        let coded = try PythonCoding.encode(content, .deflate, level: 0)
        try #require(coded.count == 100)
        var limits = Inflater.Limits(maxDecodedBytes: nil)
        limits.minRatioBytes = 0
        limits.maxRatio = 1
        #expect(Inflater.error(in: coded, .deflate, limits: limits) == nil)
        // At level 9, 200 zeros become at least 2 and at most 20 bytes.
        let dense = try PythonCoding.encode([UInt8](repeating: 0, count: 200), .deflate, level: 9)
        limits.maxRatio = 200 / dense.count
        #expect(Inflater.error(in: dense, .deflate, limits: limits)?.code == .tooDense)
        limits.maxRatio = 200
        #expect(Inflater.error(in: dense, .deflate, limits: limits) == nil)
    }

    @Test func `the limit of the content length is exact`() throws {
        for count in [1, 1000, ZlibStream.maxPortionBytes, 100_000] {
            var numbers = SeededGenerator(seed: UInt64(count))
            let coded = try PythonCoding.encode(numbers.bytes(count), .gzip)
            #expect(Inflater.error(in: coded, .gzip, limits: .init(maxDecodedBytes: count)) == nil)
            let error = Inflater.error(in: coded, .gzip, limits: .init(maxDecodedBytes: count - 1))
            #expect(error?.code == .tooLong && error?.status == 413)
        }
    }
}
