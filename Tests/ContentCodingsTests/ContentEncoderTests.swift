import ConvertEngine
import TestSupport
import Testing

@testable import ContentCodings
@testable import HTTPSemantics

/// Every compression in this build, checked by decoders of other projects.
struct ContentEncoderTests {
    /// Encodes `pieces`, with a flush after each if `flushes` is true.
    private static func encode(
        _ pieces: [ArraySlice<UInt8>], _ coding: ContentCoding, flushes: Bool = false
    ) -> [UInt8] {
        var encoder = ContentEncoder(coding)
        var output = ByteBuffer()
        for piece in pieces {
            encoder.encode(Array(piece).span, into: &output)
            if flushes { encoder.flush(into: &output) }
        }
        encoder.finish(into: &output)
        return [UInt8](output)
    }

    @Test func `content encoded in one piece is decoded`() throws {
        for coding in ContentCoding.applied {
            for content in CodingSamples.all {
                let coded = Self.encode([content[...]], coding)
                #expect(try PythonCoding.decode(coded, coding) == content, "\(coding) of \(content.count) bytes")
            }
        }
    }

    @Test func `content encoded in pieces is decoded, with and without flushes`() throws {
        for coding in ContentCoding.applied {
            for content in CodingSamples.all.dropLast() {
                let pieces = stride(from: 0, to: content.count, by: 1777).map { content[$0...].prefix(1777) }
                for flushes in [false, true] {
                    let coded = Self.encode(pieces, coding, flushes: flushes)
                    #expect(try PythonCoding.decode(coded, coding) == content, "\(coding) of \(content.count) bytes")
                }
            }
            let singles = Self.encode(CodingSamples.text.singles, coding, flushes: true)
            #expect(try PythonCoding.decode(singles, coding) == CodingSamples.text)
        }
    }

    @Test func `a long content can be cut and flushed anywhere, by each encoder`() throws {
        var numbers = SeededGenerator(seed: 12)
        // Regular, random and again regular bytes, so that the encoder's tables are filled and then replaced.
        let regular = (0..<40_000).flatMap { Array(#"{"order_id":\#($0),"is_open":true},"#.utf8) }
        let contents = [regular + numbers.bytes(1 << 20) + regular, regular, CodingSamples.text]
        for coding in ContentCoding.applied {
            var encoder = ContentEncoder(coding)
            for content in contents {
                var output = ByteBuffer()
                var rest = content[...]
                while !rest.isEmpty {
                    let most = 1 << Int.random(in: 1...19, using: &numbers)
                    let piece = rest.prefix(Int.random(in: 1...most, using: &numbers))
                    encoder.encode(Array(piece).span, into: &output)
                    rest = rest.dropFirst(piece.count)
                    if Int.random(in: 0..<4, using: &numbers) == 0 { encoder.flush(into: &output) }
                }
                encoder.finish(into: &output)
                encoder.reset()
                #expect(
                    try PythonCoding.decode([UInt8](output), coding) == content, "\(coding) of \(content.count) bytes")
            }
        }
    }

    @Test func `ten megabytes are encoded and decoded`() throws {
        let record = Array(#"{"first_name":"Ada","born":"1815-12-10"},"#.utf8)
        let content = [UInt8]((0..<250_000).lazy.map { _ in record }.joined())
        #expect(content.count > 10_000_000)
        for coding in ContentCoding.applied {
            let coded = Self.encode([content[...]], coding)
            #expect(coded.count < content.count / 50)
            #expect(try PythonCoding.decode(coded, coding) == content, "\(coding)")
        }
    }

    @Test func `after a flush all input can be read`() throws {
        for coding in ContentCoding.applied {
            var encoder = ContentEncoder(coding)
            var output = ByteBuffer()
            var content: [UInt8] = []
            for piece in CodingSamples.all {
                encoder.encode(piece.span, into: &output)
                encoder.flush(into: &output)
                content += piece
                #expect(
                    try PythonCoding.decode(beginning: [UInt8](output), coding) == content,
                    "\(coding) of \(content.count) bytes")
            }
        }
    }

    @Test func `a flush without new input writes nothing`() {
        let text = CodingSamples.text
        for coding in ContentCoding.applied {
            var encoder = ContentEncoder(coding)
            var output = ByteBuffer()
            encoder.encode(text.span, into: &output)
            encoder.flush(into: &output)
            let count = output.count
            encoder.encode(Span(), into: &output)
            encoder.flush(into: &output)
            encoder.flush(into: &output)
            #expect(output.count == count, "\(coding)")
        }
    }

    @Test func `a reset encoder begins a new content`() {
        let (text, longer) = (CodingSamples.text, CodingSamples.all[4])
        for coding in ContentCoding.applied {
            let expected = Self.encode([text[...]], coding)
            var encoder = ContentEncoder(coding)
            var output = ByteBuffer()
            // A reset before a content, one in the middle of a content, and one after its end.
            encoder.reset()
            encoder.encode(longer.span, into: &output)
            for _ in 0..<2 {
                encoder.reset()
                output.removeAll()
                encoder.encode(text.span, into: &output)
                encoder.finish(into: &output)
                #expect([UInt8](output) == expected, "\(coding)")
            }
        }
    }

    @Test func `repetitive contents become small`() {
        let content = CodingSamples.all[4]
        for coding in ContentCoding.applied {
            #expect(Self.encode([content[...]], coding).count < content.count / 4, "\(coding)")
        }
    }

    @Test func `our decoder reads the output of our encoders`() throws {
        for coding in [ContentCoding.gzip, .deflate] {
            for content in CodingSamples.all {
                let coded = Self.encode([content[...]], coding, flushes: true)
                #expect(try Inflater.decode(coded, coding) == content)
            }
        }
    }
}
