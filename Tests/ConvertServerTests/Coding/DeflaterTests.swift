import ConvertCore
import Testing

@testable import ConvertServer

struct DeflaterTests {
    private static let codings: [ContentCoding] = [.gzip, .deflate]

    /// Encodes `pieces`, flushing after each if asked to.
    private static func encode(
        _ pieces: [ArraySlice<UInt8>], _ coding: ContentCoding, level: Int = Deflater.defaultLevel,
        flushes: Bool = false
    ) -> [UInt8] {
        var deflater = Deflater(coding, level: level)
        var output = ByteBuffer()
        for piece in pieces {
            deflater.encode(Array(piece).span, into: &output)
            if flushes { deflater.flush(into: &output) }
        }
        deflater.finish(into: &output)
        return [UInt8](output)
    }

    @Test func `Python decodes what was encoded at every level`() throws {
        for coding in Self.codings {
            for content in CodingSamples.all {
                for level in [1, 9] {
                    let coded = Self.encode([content[...]], coding, level: level)
                    #expect(try PythonCoding.decode(coded, coding) == content)
                }
            }
        }
    }

    @Test func `Python decodes what was encoded in pieces, flushed or not`() throws {
        for coding in Self.codings {
            for content in CodingSamples.all.dropLast() {
                let pieces = stride(from: 0, to: content.count, by: 1777).map { content[$0...].prefix(1777) }
                for flushes in [false, true] {
                    let coded = Self.encode(pieces, coding, flushes: flushes)
                    #expect(try PythonCoding.decode(coded, coding) == content)
                }
            }
            let singles = Self.encode(CodingSamples.text.singles, coding, flushes: true)
            #expect(try PythonCoding.decode(singles, coding) == CodingSamples.text)
        }
    }

    @Test func `after a flush all input can be read`() throws {
        for coding in Self.codings {
            var deflater = Deflater(coding)
            var output = ByteBuffer()
            var content: [UInt8] = []
            for piece in CodingSamples.all {
                deflater.encode(piece.span, into: &output)
                deflater.flush(into: &output)
                content += piece
                #expect(try PythonCoding.decode(beginning: [UInt8](output), coding) == content)
            }
        }
    }

    @Test func `a flush without new input writes nothing`() {
        let text = CodingSamples.text
        var deflater = Deflater(.gzip)
        var output = ByteBuffer()
        deflater.encode(text.span, into: &output)
        deflater.flush(into: &output)
        let count = output.count
        deflater.encode(Span(), into: &output)
        deflater.flush(into: &output)
        deflater.flush(into: &output)
        #expect(output.count == count)
    }

    @Test func `a reset deflater begins anew`() {
        let (text, longer) = (CodingSamples.text, CodingSamples.all[4])
        for coding in Self.codings {
            let expected = Self.encode([text[...]], coding)
            var deflater = Deflater(coding)
            var output = ByteBuffer()
            // Once in the middle of a content, once after its end.
            deflater.encode(longer.span, into: &output)
            for _ in 0..<2 {
                deflater.reset()
                output.removeAll()
                deflater.encode(text.span, into: &output)
                deflater.finish(into: &output)
                #expect([UInt8](output) == expected)
            }
        }
    }

    @Test func `regular contents become small`() {
        let content = CodingSamples.all[4]
        for coding in Self.codings {
            let fast = Self.encode([content[...]], coding, level: 1).count
            let small = Self.encode([content[...]], coding, level: 9).count
            #expect(small <= fast && fast < content.count / 4)
        }
    }

    @Test func `what was encoded is decoded again`() throws {
        for coding in Self.codings {
            for content in CodingSamples.all {
                let coded = Self.encode([content[...]], coding, flushes: true)
                #expect(try Inflater.decode(coded, coding) == content)
            }
        }
    }
}
