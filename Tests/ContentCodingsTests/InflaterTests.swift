import ConvertEngine
import TestSupport
import Testing

@testable import ContentCodings
@testable import HTTPSemantics

struct InflaterTests {
    @Test func `bodies that Python compressed are decompressed, whole and byte by byte`() throws {
        for format in PythonCoding.Format.allCases {
            for content in CodingSamples.all {
                for level in [0, 6] {
                    let coded = try PythonCoding.encode(content, format, level: level)
                    #expect(try Inflater.decode(coded, format.coding) == content)
                    if level == 6 { #expect(try Inflater.decode(coded.singles, format.coding) == content) }
                }
            }
        }
    }

    @Test func `the output does not depend on the pieces and the space for output`() throws {
        for format in PythonCoding.Format.allCases {
            let coded = try PythonCoding.encode(CodingSamples.text, format)
            for split in 0...coded.count {
                let pieces = [coded[..<split], coded[split...]]
                #expect(try Inflater.decode(pieces, format.coding) == CodingSamples.text, "\(format) split at \(split)")
            }
            for room in 1...20 {
                #expect(try Inflater.decode([coded[...]], format.coding, maxBytes: room) == CodingSamples.text)
                #expect(try Inflater.decode(coded.singles, format.coding, maxBytes: room) == CodingSamples.text)
            }
        }
    }

    @Test func `the members of a gzip content follow each other`() throws {
        let contents = [CodingSamples.text, [], Array("x".utf8), CodingSamples.all[4]]
        let coded = try contents.flatMap { try PythonCoding.encode($0, .gzip) }
        let whole = contents.flatMap { $0 }
        #expect(try Inflater.decode(coded, .gzip) == whole)
        #expect(try Inflater.decode(coded.singles, .gzip) == whole)
        #expect(try PythonCoding.decode(coded, .gzip) == whole)
    }

    @Test func `the optional fields of a gzip header are skipped`() throws {
        let plain = try PythonCoding.encode(CodingSamples.text, .gzip)
        // FLG is the fourth byte; FEXTRA 4, FNAME 8 and FCOMMENT 16 announce what follows the ten bytes of the header (RFC 1952).
        var named = plain
        named[3] = 4 + 8 + 16
        named.insert(contentsOf: [3, 0, 1, 2, 3] + Array("n.json\0".utf8) + Array("a comment\0".utf8), at: 10)
        #expect(try Inflater.decode(named.singles, .gzip) == CodingSamples.text)
    }

    @Test func `no call appends more than its limit, and no byte is lost`() throws {
        let content = [UInt8](repeating: 0, count: 300_000)
        let coded = try PythonCoding.encode(content, .gzip, level: 9)
        var inflater = Inflater(.gzip, limits: .init(maxDecodedBytes: nil))
        var output = ByteBuffer()
        var position = 0
        var calls = 0
        while case .needsRoom = try inflater.decode(coded.span, at: &position, maxBytes: 1000, into: &output) {
            calls += 1
            #expect(output.count == calls * 1000)
        }
        try inflater.finish()
        // The last thousand bytes may arrive together with the end.
        #expect(calls == 299 || calls == 300)
        #expect(output.count == content.count && inflater.decoded == content.count)
        #expect(inflater.taken == coded.count)
    }

    @Test func `a decoder can be stored in an object and freed before the end`() throws {
        final class Owner { var inflater: Inflater? }
        let coded = try PythonCoding.encode(CodingSamples.text, .gzip)
        let owner = Owner()
        var output = ByteBuffer()
        for _ in 0..<2 {
            owner.inflater = Inflater(.gzip, limits: .init(maxDecodedBytes: nil))
            var position = 0
            _ = try owner.inflater?.decode(
                coded.span.extracting(0..<30), at: &position, maxBytes: 100, into: &output)
            #expect(position == 30)
        }
        owner.inflater = nil
    }
}
