import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct StringCopierTests {
    /// One spelling, with the expected text of the other modes (profile format: minimal and ASCII text).
    private struct Atom {
        var preserve: String
        var minimal: String
        var ascii: String

        init(_ preserve: String, _ minimal: String, _ ascii: String? = nil) {
            self.preserve = preserve
            self.minimal = minimal
            self.ascii = ascii ?? minimal
        }

        func text(_ escapes: OutputOptions.Escapes) -> String {
            switch escapes {
            case .preserve: preserve
            case .minimal: minimal
            case .ascii: ascii
            }
        }
    }

    private static let loneHigh = Atom("\\uD83D", "\\ud83d")
    private static let loneLow = Atom("\\uDE00", "\\ude00")
    private static let atoms = [
        Atom("plain", "plain"), Atom("a text longer than one block of bytes", "a text longer than one block of bytes"),
        Atom("\\\"", "\\\""), Atom("\\\\", "\\\\"), Atom("\\/", "/"), Atom("\\b", "\\b"), Atom("\\f", "\\f"),
        Atom("\\n", "\\n"), Atom("\\r", "\\r"), Atom("\\t", "\\t"), Atom("\\u0041", "A"), Atom("\\u000a", "\\n"),
        Atom("\\u0000", "\\u0000"), Atom("\\u001F", "\\u001f"), Atom("\\u0022", "\\\""), Atom("\\u005C", "\\\\"),
        Atom("\\u007f", "\u{7F}"), Atom("\u{7F}", "\u{7F}"), Atom("é", "é", "\\u00e9"), Atom("\\u00E9", "é", "\\u00e9"),
        Atom("語", "語", "\\u8a9e"), Atom("\u{2028}", "\u{2028}", "\\u2028"), Atom("😀", "😀", "\\ud83d\\ude00"),
        Atom("\\uD83D\\uDE00", "😀", "\\ud83d\\ude00"),
        Atom("\\ud83d\\ud83d\\ude00", "\\ud83d😀", "\\ud83d\\ud83d\\ude00"),
        loneHigh, loneLow, Atom("\\udbff\\udfff", "\u{10FFFF}", "\\udbff\\udfff"),
        Atom("\\ud7ff", "\u{D7FF}", "\\ud7ff"),
        Atom("\\ue000", "\u{E000}", "\\ue000"), Atom("/", "/"),
    ]

    private static func copy(_ spelling: [UInt8], _ escapes: OutputOptions.Escapes, cuts: [Int]) -> String? {
        var copier = StringCopier()
        var output = ByteBuffer()
        var start = 0
        var isWhole = false
        for end in cuts + [spelling.count] {
            var reader = ChunkReader(spelling.span.extracting(start..<end))
            do throws(EngineError) { isWhole = try copier.copy(&reader, escapes, into: &output) } catch { return nil }
            start = end
        }
        return isWhole ? String(decoding: [UInt8](output), as: UTF8.self) : nil
    }

    /// Atoms in a row. A high surrogate never comes before a low one, since the two make a pair.
    private static func strings(_ count: Int) -> [[Atom]] {
        var random = SeededGenerator(seed: 83)
        return (0..<count).map { _ in
            var row: [Atom] = []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let atom = atoms.randomElement(using: &random)!
                let isPair = row.last?.preserve == loneHigh.preserve && atom.preserve == loneLow.preserve
                if !isPair { row.append(atom) }
            }
            return row
        }
    }

    @Test func `each character and escape is written in each mode, cut at every byte`() {
        for escapes in OutputOptions.Escapes.allCases {
            for row in Self.atoms.map({ [$0] }) + Self.strings(60) {
                let spelling = Array((row.map(\.preserve).joined() + "\"").utf8)
                let expected = row.map { $0.text(escapes) }.joined() + "\""
                #expect(Self.copy(spelling, escapes, cuts: []) == expected)
                #expect(Self.copy(spelling, escapes, cuts: Array(0..<spelling.count)) == expected)
                for cut in 0..<spelling.count {
                    #expect(Self.copy(spelling, escapes, cuts: [cut]) == expected, "\(expected) cut at \(cut)")
                }
            }
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
            for escapes in OutputOptions.Escapes.allCases {
                for cut in 0...row.inside.utf8.count {
                    var copier = StringCopier()
                    var output = ByteBuffer()
                    var start = 0
                    do throws(EngineError) {
                        for end in [cut, chunk.count] {
                            var reader = ChunkReader(chunk.span.extracting(start..<end))
                            _ = try copier.copy(&reader, escapes, into: &output)
                            start = end
                        }
                        Issue.record("\(row.inside) passed")
                    } catch {
                        #expect(error.kind == row.kind && start + error.position == row.position, "\(row.inside)")
                    }
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
                    let isWhole = try? copier.copy(&reader, .preserve, into: &output)
                    #expect(isWhole == true && [UInt8](output) == spelling && reader.position == spelling.count)
                }
                #expect(Self.copy(spelling, .preserve, cuts: Array(0..<spelling.count)) == run + tail)
                for position in 0..<(6 * count) {
                    // A letter that is not a hexadecimal digit. In place of the backslash it is plain text, and so is the rest.
                    var broken = spelling + [UInt8](repeating: UInt8(ascii: "0"), count: 40)
                    broken[position] = UInt8(ascii: "g")
                    var copier = StringCopier()
                    var output = ByteBuffer()
                    var reader = ChunkReader(broken.span)
                    var thrown: EngineError?
                    do throws(EngineError) { _ = try copier.copy(&reader, .preserve, into: &output) } catch {
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

    @Test func `buffered strings longer than any date are written like all others`() throws {
        let row = Array(Self.strings(400).joined())
        let separated = row.map { $0 } + [Atom("end", "end")]
        var kept: [Atom] = []
        for atom in separated {
            let isPair = kept.last?.preserve == Self.loneHigh.preserve && atom.preserve == Self.loneLow.preserve
            if !isPair { kept.append(atom) }
        }
        let spelling = kept.map(\.preserve).joined()
        try #require(spelling.utf8.count > 1024 * 6)
        for escapes in OutputOptions.Escapes.allCases {
            let expected = "[{\"t\":\"" + kept.map { $0.text(escapes) }.joined() + "\"},1]"
            for dates in [#"[{"at":"t","to":"rfc3339"}]"#, #""rfc3339""#] {
                let plan = try Profile(
                    #"{"dates":\#(dates),"on":{"badValue":"keep"},"output":{"escapes":"\#(escapes.rawValue)"}}"#
                ).compile(.forward)
                // Scanning examines only strings that begin like a day more closely.
                let lead = dates.hasPrefix("[") ? "" : "2024-"
                let payload = Array("[{\"t\":\"\(lead)\(spelling)\"},1]".utf8)
                let text = lead.isEmpty ? expected : expected.replacing("\"t\":\"", with: "\"t\":\"\(lead)")
                #expect(ConverterTrial(plan, payload).text == text)
                #expect(ConverterTrial(plan, payload, cuts: Array(0..<payload.count)).text == text)
                for cut in stride(from: 700, to: payload.count, by: 307) {
                    #expect(
                        ConverterTrial(plan, payload, cuts: [cut, min(cut + 5, payload.count)]).text == text, "\(cut)")
                }
            }
        }
    }
}
