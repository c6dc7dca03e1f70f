import Testing

@testable import ConvertEngine

struct StringCopierTests {
    private static func copy(_ spelling: [UInt8], cuts: [Int]) -> String? {
        var copier = StringCopier()
        var output = ByteBuffer()
        var start = 0
        var isWhole = false
        for end in cuts + [spelling.count] {
            var reader = ChunkReader(spelling.span.extracting(start..<end))
            do throws(EngineError) { isWhole = try copier.copy(&reader, into: &output) } catch { return nil }
            start = end
        }
        return isWhole ? String(decoding: [UInt8](output), as: UTF8.self) : nil
    }

    @Test func `each character and escape is copied unchanged, cut at every byte`() {
        for row in SpelledCharacter.all.map({ [$0] }) + SpelledCharacter.rows(60) {
            let text = row.map(\.preserve).joined() + "\""
            let spelling = Array(text.utf8)
            #expect(Self.copy(spelling, cuts: []) == text)
            #expect(Self.copy(spelling, cuts: Array(0..<spelling.count)) == text)
            for cut in 0..<spelling.count { #expect(Self.copy(spelling, cuts: [cut]) == text, "\(text) cut at \(cut)") }
        }
    }

    @Test func `an invalid string is refused at the first byte of the bad character`() {
        let rows: [(inside: String, kind: EngineError.Kind, position: Int)] = [
            ("ab\\x", .badEscape, 2), ("\\u12g4", .badEscape, 0), ("\\u123\"", .badEscape, 0),
            ("\\u\u{1}", .badEscape, 0),
            ("a\u{1F}", .controlCharacter, 1), ("aaaaaaaaaaaaaaaaaaaaaaaa\u{1}", .controlCharacter, 24),
            ("aaaaaaaaaaaaaaaaaaaaaaaa\n", .lineFeedInString, 24),
            ("\\\"\\\\\\U0041", .badEscape, 4), ("é\t", .controlCharacter, 2), ("\\ud83d\\ude0x", .badEscape, 6),
        ]
        for row in rows {
            let chunk = Array((row.inside + String(repeating: " ", count: 20)).utf8)
            for cut in 0...row.inside.utf8.count {
                var copier = StringCopier()
                var output = ByteBuffer()
                var start = 0
                do throws(EngineError) {
                    for end in [cut, chunk.count] {
                        var reader = ChunkReader(chunk.span.extracting(start..<end))
                        _ = try copier.copy(&reader, into: &output)
                        start = end
                    }
                    Issue.record("\(row.inside) passed")
                } catch {
                    #expect(error.kind == row.kind && start + error.position == row.position, "\(row.inside)")
                }
            }
        }
    }

    @Test func `a run of escapes is copied whole, or refused at the invalid one`() {
        for count in 1...14 {
            for tail in ["\"", "plain\"", "\\n\\u00e9\"", "é\"", "\\\"\""] {
                let run = (0..<count).map { "\\u" + ["00e9", "30FF", "aBcD", "0041", "fF9e"][$0 % 5] }.joined()
                let spelling = Array((run + tail).utf8)
                // With and without bytes behind the string that the copier can look at.
                for behind in [0, 40] {
                    let chunk = spelling + [UInt8](repeating: UInt8(ascii: "0"), count: behind)
                    var copier = StringCopier()
                    var output = ByteBuffer()
                    var reader = ChunkReader(chunk.span)
                    let isWhole = try? copier.copy(&reader, into: &output)
                    #expect(isWhole == true && [UInt8](output) == spelling && reader.position == spelling.count)
                }
                #expect(Self.copy(spelling, cuts: Array(0..<spelling.count)) == run + tail)
                for position in 0..<(6 * count) {
                    // A letter that is not a hexadecimal digit. In place of the backslash it is plain text, and so is the rest.
                    var broken = spelling + [UInt8](repeating: UInt8(ascii: "0"), count: 40)
                    broken[position] = UInt8(ascii: "g")
                    var copier = StringCopier()
                    var output = ByteBuffer()
                    var reader = ChunkReader(broken.span)
                    var thrown: EngineError?
                    do throws(EngineError) { _ = try copier.copy(&reader, into: &output) } catch {
                        thrown = error
                    }
                    if position % 6 == 0 {
                        #expect(thrown == nil)
                    } else {
                        #expect(
                            thrown?.kind == .badEscape && thrown?.position == position / 6 * 6, "\(run) at \(position)")
                    }
                }
            }
        }
    }
}
