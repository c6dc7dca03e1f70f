import Foundation
import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct OutputFormatterTests {
    /// Formats a text that is cut at `cuts`, and writes at most about `maxBytes` at a time.
    private static func format(_ text: [UInt8], _ output: OutputOptions, cuts: [Int] = [], maxBytes: Int = .max)
        -> String
    {
        var formatter = OutputFormatter(output)
        var formatted = ByteBuffer()
        var start = 0
        for end in cuts + [text.count] {
            formatter.text.append(text.span.extracting(start..<end))
            repeat { formatter.write(upTo: maxBytes, into: &formatted) } while formatter.isPaused
            start = end
        }
        return String(decoding: [UInt8](formatted), as: UTF8.self)
    }

    @Test func `an indentation that no memory can hold stops the process, before anything is written`() async throws {
        let result = await #expect(processExitsWith: .failure) {
            _ = try Plan.minify(output: OutputOptions(indent: .max)).convert("[1]")
        }
        #expect(try #require(result).exitStatus != .signal(SIGSEGV))
    }

    @Test func `each character and escape is written in each mode, cut at every byte`() {
        for row in SpelledCharacter.all.map({ [$0] }) + SpelledCharacter.rows(60) {
            let text = Array("[\"\(row.map(\.preserve).joined())\"]".utf8)
            for escapes in OutputOptions.Escapes.allCases {
                let content = row.map { $0.text(escapes) }.joined()
                let rows = [(indent: 0, expected: "[\"\(content)\"]"), (2, "[\n  \"\(content)\"\n]")]
                for (indent, expected) in rows {
                    let output = OutputOptions(indent: indent, escapes: escapes)
                    #expect(Self.format(text, output) == expected)
                    #expect(Self.format(text, output, cuts: Array(0..<text.count), maxBytes: 1) == expected)
                    for cut in 0..<text.count {
                        #expect(Self.format(text, output, cuts: [cut]) == expected, "\(expected) cut at \(cut)")
                    }
                }
            }
        }
    }

    @Test func `each member and element begins a line, and empty containers stay on theirs`() {
        let text = Array(#"{"a":[1,[],{"b":{},"{[,":"]}:"},-0.5e+3],"c":true,"d":[[null]]}"#.utf8)
        let expected = """
            {
               "a": [
                  1,
                  [],
                  {
                     "b": {},
                     "{[,": "]}:"
                  },
                  -0.5e+3
               ],
               "c": true,
               "d": [
                  [
                     null
                  ]
               ]
            }
            """
        let output = OutputOptions(indent: 3)
        #expect(Self.format(text, output) == expected)
        for cut in 0...text.count {
            for maxBytes in [1, 7, .max] {
                #expect(Self.format(text, output, cuts: [cut], maxBytes: maxBytes) == expected, "cut at \(cut)")
            }
        }
    }

    @Test func `a short text with much indentation is written in pieces`() throws {
        let depth = 500
        let payload = Array((String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)).utf8)
        let payloads =
            Array("[".utf8) + Array(repeatElement(payload, count: 200).joined(separator: ",".utf8)) + Array("]".utf8)
        var converter = Converter(.minify(output: OutputOptions(indent: 16)))
        var output = ByteBuffer()
        var (total, longest) = (0, 0)
        try converter.begin(payloads.span, into: &output)
        while true {
            (total, longest) = (total + output.count, max(longest, output.count))
            output.removeAll()
            guard converter.isWriting else { break }
            try converter.continueWriting(into: &output)
        }
        try converter.finish(into: &output)
        // A line before each element, before the content of each array, and before each closing bracket.
        let spaces = 16 * (1 + (1...depth).reduce(0) { $0 + 2 * $1 + 1 })
        #expect(output.isEmpty && longest < 300 * 1024)
        #expect(total == 3 + 199 + 200 * (spaces + 4 * depth + 2))
    }

    @Test func `the output before an error is written, however long it is`() throws {
        let line = { (level: Int) in "\n" + String(repeating: " ", count: 16 * level) }
        let elements = Array(repeating: "1", count: 200).joined(separator: "," + line(500))
        let expected = (1...500).map { "[" + line($0) }.joined() + elements
        let payload = String(repeating: "[", count: 500) + String(repeating: "1,", count: 200) + "x"
        let trial = ConverterTrial(.minify(output: OutputOptions(indent: 16)), Array(payload.utf8))
        #expect(trial.error?.offset == 900 && trial.text.hasPrefix(expected))
    }

    @Test func `buffered strings longer than any date are written like all others`() throws {
        let row = Array(SpelledCharacter.rows(400).joined())
        let separated = row.map { $0 } + [SpelledCharacter("end", "end")]
        var kept: [SpelledCharacter] = []
        for atom in separated {
            let isPair =
                kept.last?.preserve == SpelledCharacter.loneHigh.preserve
                && atom.preserve == SpelledCharacter.loneLow.preserve
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
