import ConvertCore
import TestSupport
import Testing

/// The engine converts real documents to the same bytes as the reference.
@Suite(
    .enabled(if: Corpus.isAvailable, "needs the corpus: set CONVERT_CORPUS"),
    .enabled(if: PythonReference.isAvailable, "needs python3"))
struct CorpusTests {
    private static let normalize = #"{"keys": "camelCase", "dates": "rfc3339"}"#

    private static let renames = #"""
        {"keys": {"case": "snake_case", "acronyms": ["URL", "ID"], "opaque": ["/areaNames", "/**/entities"], "except": ["type"]},
         "rename": {"created_at": "ca", "/statuses/*/user": "u", "/**/actor/login": "who", "*_count": "n_~2"},
         "dates": [{"at": ["/**/created_at", "start"], "to": "epoch-ms", "from": ["auto", {"pattern": "EEE MMM dd HH:mm:ss Z yyyy"}]}],
         "on": {"collision": "keep", "badValue": "keep"}, "output": {"escapes": "ascii"}}
        """#

    @Test func `every document is normalised like the reference`() throws {
        for name in Corpus.documents { try compare(name, profile: Self.normalize) }
        try compare(Corpus.lines, profile: Self.normalize, lines: true)
    }

    @Test func `the other key cases agree with the reference`() throws {
        for keyCase in KeyCase.allCases where keyCase != .camelCase {
            let profile = #"{"keys": "\#(keyCase.rawValue)", "on": {"collision": "keep"}}"#
            for name in ["payload_7944.json", "github_events.json"] { try compare(name, profile: profile) }
            try compare(Corpus.lines, profile: profile, lines: true)
        }
    }

    @Test func `renames, opaque paths and named dates agree with the reference`() throws {
        for name in ["payload_7944.json", "github_events.json", "twitter.json"] {
            try compare(name, profile: Self.renames)
        }
        try compare(Corpus.lines, profile: Self.renames, lines: true)
    }

    @Test func `minifying agrees with the reference`() throws {
        for name in Corpus.documents {
            let payload = try Corpus.bytes(name)
            let expected = try PythonReference.convert(.bytes(payload), profile: "{}", lines: false)
            let isSame = ConverterTrial(.minify(), payload).wholeOutput == expected
            #expect(isSame, "\(name)")
        }
    }

    private func compare(_ name: String, profile: String, lines: Bool = false) throws {
        let payload = try Corpus.bytes(name)
        let expected = try PythonReference.convert(.bytes(payload), profile: profile, lines: lines)
        let run = ConverterTrial(try .forward(profile), payload, framing: lines ? .lines : .document)
        guard let output = run.wholeOutput else {
            Issue.record("\(name) with \(profile): \(run)")
            return
        }
        if output == expected { return }
        let position =
            zip(output, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            ?? min(output.count, expected.count)
        let around = max(0, position - 80)..<max(0, position + 40)
        Issue.record(
            """
            \(name) with \(profile) differs at byte \(position):
            engine    \(String(decoding: output[around.clamped(to: output.indices)], as: UTF8.self))
            reference \(String(decoding: expected[around.clamped(to: expected.indices)], as: UTF8.self))
            """)
    }
}
