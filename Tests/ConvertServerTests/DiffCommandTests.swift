import TestSupport
import Testing

/// `diff` on the command line.
struct DiffCommandTests {
    private let directory: TemporaryDirectory
    private let old: String
    private let new: String

    init() throws {
        directory = try TemporaryDirectory()
        old = try directory.write("old.json", #"{ "rename": { "first_name": "fn" } }"#)
        new = try directory.write("new.json", #"{ "rename": { "first_name": "first" }, "drop": "/orders/*/secret" }"#)
    }

    private func diff(_ words: String..., input: String = "") throws -> ChildProcess.Outcome {
        try BuiltProgram.run(arguments: ["diff", "-p", old, "-p", new] + words, input: input)
    }

    @Test func `differences are grouped by path and kind, and values are not shown`() throws {
        let payload = try directory.write(
            "a.json", #"{"first_name":"Ada","orders":[{"secret":"hunter2"},{"secret":"hunter3"},{"id":4711}]}"#)
        let outcome = try diff(payload)
        #expect(outcome.status == 1 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(
            outcome.text == """
                1 payload: 1 different, 0 the same
                  PATH                 DIFFERENCE   OLD RULE             NEW RULE
                  /fn                  only-in-old  rename "first_name"  rename "first_name"
                  /first               only-in-new  rename "first_name"  rename "first_name"
                  /orders/*/secret ×2  only-in-old  -                    drop "/orders/*/secret"

                """)
        let report = try diff("--format", "json", payload)
        #expect(report.status == 1)
        #expect(
            report.text
                == #"{"payloads":1,"different":1,"same":0,"failed":0,"notJSON":0,"differences":["#
                + #"{"path":"/fn","kind":"only-in-old","count":1,"oldRule":"rename \"first_name\"","newRule":"rename \"first_name\""},"#
                + #"{"path":"/first","kind":"only-in-new","count":1,"oldRule":"rename \"first_name\"","newRule":"rename \"first_name\""},"#
                + #"{"path":"/orders/*/secret","kind":"only-in-old","count":2,"newRule":"drop \"/orders/*/secret\""}],"others":0}"#
                + "\n")
        for text in [outcome.text, report.text] {
            for value in ["Ada", "hunter", "4711"] { #expect(!text.contains(value)) }
        }
    }

    @Test func `the exit code is 0 without a difference, 1 with one, and 65 if neither profile converts a payload`()
        throws
    {
        let same = try diff(input: #"{"orders":[]}"#)
        #expect(same.status == 0 && same.text == "1 payload: 0 different, 1 the same\n", "\(same.text)\(same.errors)")
        let lines = try diff("--ndjson", input: "{\"a\":1}\n\n{\"first_name\":1}\n")
        #expect(lines.status == 1 && lines.text.hasPrefix("2 payloads: 1 different, 1 the same\n"), "\(lines.text)")
        let bad = try diff("--ndjson", input: "{\"a\":1}\n\n{\"first_name\":1,}\n{\"first_name\":1}\n")
        #expect(bad.status == 65)
        #expect(
            bad.text.hasPrefix("3 payloads: 1 different, 1 the same, 1 that neither profile converts\n"), "\(bad.text)")
        #expect(bad.errors.hasPrefix("-:3:17: json: "), "\(bad.errors)")
        let unnamed = try diff(input: "{}\n{}\n")
        #expect(unnamed.status == 65 && unnamed.errors.contains("add --ndjson"), "\(unnamed.errors)")
    }

    @Test func `events, sequences, forms and the inverse direction are compared`() throws {
        let events = try diff("--framing", "sse", input: ": c\n\ndata: {\"first_name\":\ndata: 1}\n\ndata: [DONE]\n\n")
        #expect(events.status == 1)
        #expect(events.text.hasPrefix("2 payloads: 1 different, 0 the same, 1 not JSON\n"), "\(events.text)")
        let texts = try diff("--framing", "seq", input: "\u{1E}{\"a\":1}\n\u{1E}{\"first_name\":2}\n")
        #expect(texts.text.hasPrefix("2 payloads: 1 different, 1 the same\n"), "\(texts.text)")
        let form = try diff("--input-format", "form", input: "first_name=Ada")
        #expect(form.status == 1 && form.text.contains("/fn "), "\(form.text)")
        let back = try diff("--direction", "inverse", input: #"{"fn":1}"#)
        #expect(back.status == 1 && back.text.contains("/first_name"), "\(back.text)")
    }

    @Test func `wrong uses are reported`() throws {
        for (words, status, message) in [
            (["diff", "-p", old], 64, "diff needs --profile twice"), (["diff"], 64, "diff needs --profile twice"),
            (["diff", "-p", old, "-p", new, "-", "-"], 64, "stdin is named more than once"),
            (["diff", "-p", "-", "-p", new], 64, "stdin is named more than once"),
            (["diff", "-p", old, "-p", "/nowhere"], 66, "cannot read /nowhere"),
            (["diff", "-p", old, "-p", new, "/nowhere"], 66, "cannot read /nowhere"),
            (["diff", "-p", old, "-p", new, "--format", "sarif"], 64, "valid values: text, json"),
        ] as [([String], Int32, String)] {
            let outcome = try BuiltProgram.run(arguments: words)
            #expect(outcome.status == status && outcome.errors.contains(message), "\(words): \(outcome.errors)")
        }
        let broken = try directory.write("broken.json", #"{ "renme": 1 }"#)
        let outcome = try BuiltProgram.run(arguments: ["diff", "-p", old, "-p", broken])
        #expect(outcome.status == 78 && outcome.errors.contains("did you mean `rename`?"), "\(outcome.errors)")
    }
}
