import ConvertEngine
import TestSupport
import Testing

@testable import ContentCodings
@testable import HTTPSemantics

struct InflaterErrorTests {
    private static let singleBytes = (UInt8.min...UInt8.max).map { [$0] }

    @Test func `a content that is cut off anywhere is truncated`() throws {
        for format in PythonCoding.Format.allCases {
            let coded = try PythonCoding.encode(CodingSamples.text, format)
            for length in 0..<coded.count {
                let error = Inflater.error(in: Array(coded[..<length]), format.coding)
                #expect(error?.code == .torn && error?.status == 400, "\(format) cut at \(length)")
            }
        }
    }

    @Test func `a second gzip member that is cut off anywhere is truncated`() throws {
        let member = try PythonCoding.encode(CodingSamples.text, .gzip)
        for length in 1..<member.count {
            #expect(Inflater.error(in: member + member[..<length], .gzip)?.code == .torn)
        }
        #expect(Inflater.error(in: member + member, .gzip) == nil)
    }

    @Test func `bytes after the end are refused`() throws {
        for format in PythonCoding.Format.allCases {
            let coded = try PythonCoding.encode(CodingSamples.text, format)
            for rest in [[0], [0, 0, 0, 0], Array("{}".utf8), [0x78]] as [[UInt8]] {
                let error = Inflater.error(in: coded + rest, format.coding)
                #expect(error?.code == .trailingBytes && error?.status == 400)
            }
        }
        let deflated = try PythonCoding.encode(CodingSamples.text, .deflate)
        #expect(Inflater.error(in: deflated + deflated, .deflate)?.code == .trailingBytes)
    }

    @Test func `a body with another compression than announced is corrupt`() throws {
        let gzip = try PythonCoding.encode(CodingSamples.text, .gzip)
        let deflate = try PythonCoding.encode(CodingSamples.text, .deflate)
        #expect(Inflater.error(in: deflate, .gzip)?.code == .corrupt)
        #expect(Inflater.error(in: gzip, .deflate)?.code == .corrupt)
        #expect(Inflater.error(in: CodingSamples.text, .gzip)?.code == .corrupt)
        #expect(Inflater.error(in: CodingSamples.text, .deflate)?.code == .corrupt)
    }

    @Test func `a wrong checksum or length is found`() throws {
        // The gzip trailer has CRC-32 and length, four bytes each (RFC 1952); the zlib trailer has Adler-32 (RFC 1950).
        for (format, trailer) in [(PythonCoding.Format.gzip, 8), (.deflate, 4)] {
            let coded = try PythonCoding.encode(CodingSamples.text, format)
            for distance in 1...trailer {
                var changed = coded
                changed[coded.count - distance] ^= 1
                #expect(Inflater.error(in: changed, format.coding)?.code == .corrupt)
            }
        }
    }

    @Test func `a preset dictionary is refused`() {
        // FDICT is bit 5 of the second byte; 0x78BB is a multiple of 31 (RFC 1950 §2.2). Four bytes identify the dictionary.
        #expect(Inflater.error(in: [0x78, 0xBB, 0, 0, 0, 1, 3, 0], .deflate)?.code == .corrupt)
    }

    @Test func `an error is final`() throws {
        var inflater = Inflater(.gzip, limits: .init(maxDecodedBytes: nil))
        var output = ByteBuffer()
        let bad = CodingSamples.text
        let good = try PythonCoding.encode(bad, .gzip)
        var errors: [CodingError] = []
        for bytes in [bad, good] {
            var position = 0
            do throws(CodingError) {
                _ = try inflater.decode(bytes.span, at: &position, maxBytes: 100, into: &output)
            } catch {
                errors.append(error)
            }
        }
        do throws(CodingError) { try inflater.finish() } catch { errors.append(error) }
        #expect(errors.count == 3 && Set(errors).count == 1)
        #expect(output.count == 0)
    }

    @Test func `one flipped bit is found or changes nothing`() throws {
        for format in [PythonCoding.Format.gzip, .deflate] {
            let coded = try PythonCoding.encode(CodingSamples.text, format)
            var refused = 0
            for bit in 0..<coded.count * 8 {
                var changed = coded
                changed[bit / 8] ^= 1 << (bit % 8)
                do throws(CodingError) {
                    #expect(try Inflater.decode(changed, format.coding) == CodingSamples.text, "\(format) bit \(bit)")
                } catch {
                    refused += 1
                    #expect(error.status == 400)
                }
            }
            // 49 bits of a gzip header do not affect the content: time, extra flags, system and FTEXT. Nor do the bits that fill the last
            // byte of deflate data: at most 7.
            #expect(refused >= coded.count * 8 - (format == .gzip ? 49 : 0) - 7)
        }
    }

    @Test func `accepted mutated contents agree with Python, whole and in pieces`() throws {
        var numbers = SeededGenerator(seed: 2024)
        for format in PythonCoding.Format.allCases {
            let coded = try PythonCoding.encode(CodingSamples.text, format)
            let damaged = (0..<400).map { _ in numbers.damaged(coded, inserting: Self.singleBytes) }
            let cases = damaged + coded.indices.map { coded + coded[$0...] }
            let results = try PythonCoding.decodeEach(cases, format)
            try #require(results.count == cases.count)
            for (bytes, expected) in zip(cases, results) {
                let whole = try? Inflater.decode(bytes, format.coding)
                let singles = try? Inflater.decode(bytes.singles, format.coding, maxBytes: 3)
                #expect(whole == singles)
                // Bytes that are not a zlib stream may be raw deflate data, and the reverse.
                guard format == .gzip, let whole else { continue }
                #expect(whole == expected)
            }
        }
    }

    @Test func `random bytes never decode endlessly`() throws {
        var numbers = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let bytes = numbers.bytes(Int.random(in: 0...200, using: &numbers))
            #expect(Inflater.error(in: bytes, .gzip) != nil)
            if let content = try? Inflater.decode(bytes, .deflate) {
                // A distance code of a few bits gives at most 258 bytes: deflate reaches at most 1032 to 1.
                #expect(content.count <= bytes.count * 1032)
            }
        }
    }
}
