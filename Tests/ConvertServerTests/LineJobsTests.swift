import Sockets
import TestSupport
import Testing

@testable import ConvertServer

/// Lines that are converted in parallel give the same output as one converter.
struct LineJobsTests {
    private static let records = [
        #"{"user_id": 1, "created_at": "2024-03-01T12:00:00+02:00", "tag_list": ["a", "b"]}"#, "[ ]", "",
        #"  {"id": "é語", "nested_value": {"user_id": 1.50}}  "#, "\r", "null", #""text \u00e9""#,
    ]

    /// About `bytes` of records, which become several parts if that is more than one part.
    private static func lines(_ bytes: Int) -> String {
        var text = ""
        var number = 0
        while text.utf8.count < bytes {
            text += records[number % records.count] + "\n"
            number += 1
        }
        return text
    }

    private static func outcome(_ input: String, jobs: Int) throws -> ChildProcess.Outcome {
        try BuiltProgram.run(
            "convert", "--ndjson", "--keys", "camelCase", "--dates", "rfc3339", "--jobs", String(jobs), input: input)
    }

    @Test func `several jobs give the output and the errors of one job`() throws {
        let many = Self.lines(3 * LineJobs.partBytes)
        let long = #"{"long_text": ""# + String(repeating: "x", count: 2 * LineJobs.partBytes) + "\"}\n"
        let inputs = [
            "", "\n\n", "{\"a_b\": 1}", "\u{FEFF}{\"a_b\": 1}\n" + many, many, many + "{\"last_one\": 1}",
            long + many + long,
            many + "{\"a\": 1,}\n" + many, many + "\u{FEFF}[1]\n", many + "{\"a_b\": 1, \"a_b\": 2}",
            many + "{\"open\":\n",
            "\u{FEFF}\u{FEFF}", "[\n" + many, "id: 1\n" + many, many + "id: 1\n", many + "{\"a\": 0x1}\n",
        ]
        for (number, input) in inputs.enumerated() {
            let one = try Self.outcome(input, jobs: 1)
            for jobs in [2, 3] {
                let several = try Self.outcome(input, jobs: jobs)
                #expect(several.status == one.status, "input \(number)")
                #expect(several.output == one.output, "input \(number)")
                #expect(several.errors == one.errors, "input \(number)")
            }
        }
        let failed = try Self.outcome(many + "{\"a\": 1,}\n", jobs: 2)
        #expect(failed.status == 65)
        let line = many.utf8.count { $0 == UInt8(ascii: "\n") } + 1
        #expect(failed.errors.hasPrefix("-:\(line):9: json: "))
    }

    @Test func `without NDJSON, the flag for jobs is refused, and its variable is ignored`() throws {
        let environment = ["CONVERT_JOBS": "2"]
        let document = try BuiltProgram.run(
            "convert", "--keys", "camelCase", input: #"{"a_b": 1}"#, environment: environment)
        #expect(document.status == 0 && document.text == #"{"aB":1}"#, "\(document.errors)")
        let lines = try BuiltProgram.run(
            "convert", "--ndjson", "--keys", "camelCase", input: #"{"a_b": 1}"#, environment: environment)
        #expect(lines.status == 0 && lines.text == "{\"aB\":1}\n")
        #expect(try BuiltProgram.run("convert", "--keys", "camelCase", "--jobs", "2", input: "{}").status == 64)
    }

    @Test func `bad lines are listed with position and code, written, counted, and limited`() throws {
        let directory = try TemporaryDirectory()
        let rejects = "\(directory.path)/bad.ndjson"
        let profile = try directory.write("p.json", #"{"values": {"at": "n", "as": "integer"}}"#)
        // The filler is longer than several parts, so line numbers continue across their ends.
        let filler = String(repeating: "{\"a\": \"\(String(repeating: "x", count: 990))\"}\n", count: 700)
        let input = "{\"n\": 1}\n\n{\"n\": 1.5}\n\(filler){\"n\": \n{\"n\": \"x\"}\n{\"n\": 2}\n no"
        for jobs in ["1", "2", "3"] {
            let outcome = try BuiltProgram.run(
                "convert", "--ndjson", "--profile", profile, "--on-error", "skip", "--rejects", rejects, "--jobs", jobs,
                input: input)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text == "{\"n\":1}\n\(filler.replacing(": ", with: ":")){\"n\":2}\n", "\(jobs)")
            let prefixes = outcome.errorLines.map { $0.split(separator: ": ").prefix(2).joined(separator: " ") }
            #expect(
                prefixes == ["-:3:7 badValue", "-:704:7 json", "-:705:7 badValue", "-:707:3 json", "- note"], "\(jobs)")
            #expect(outcome.errorLines.last == "-: note: 4 bad records left out (badValue 2, json 2)")
            let written = try InputFile(path: rejects).readAll(maxBytes: .max)
            #expect(
                String(decoding: written, as: UTF8.self) == "{\"n\": 1.5}\n{\"n\": \n{\"n\": \"x\"}\n no\n", "\(jobs)")
        }
        // A line that ends too early always gives the same reason. In a document the reason is another one.
        let broken = try BuiltProgram.run(
            "convert", "--ndjson", "--on-error", "skip", input: "{\"a\n{\"a\": \"x\n{\"a\": [\n")
        #expect(broken.errorLines.count == 4)
        #expect(broken.errorLines.prefix(3).allSatisfy { $0.contains("the line ends inside a JSON document") })
        let document = try BuiltProgram.run("convert", "--keys", "camelCase", input: "[\"x\n\"]")
        #expect(document.errors.contains("a control character below U+0020 must be written as an escape"))
        let foreign = try BuiltProgram.run("convert", "--ndjson", "--on-error", "skip", input: "<a>1</a>\n")
        #expect(foreign.errorLines.first?.contains("looks like XML") == true)
        let nulls = try BuiltProgram.run("convert", "--ndjson", "--on-error", "null", input: "{}\nno\n")
        #expect(nulls.status == 0 && nulls.text == "{}\nnull\n", "\(nulls.errors)")
        let limited = try BuiltProgram.run(
            "convert", "--ndjson", "--on-error", "skip", "--max-rejects", "1", input: "{}\nno\n[]\nno\n")
        #expect(limited.status == 65)
        #expect(limited.errorLines.last == "convert-server: more bad records than --max-rejects 1")
        let many = try BuiltProgram.run(
            "convert", "--ndjson", "--on-error", "skip", input: String(repeating: "no\n", count: 12))
        #expect(many.errorLines.count == 11 && many.errorLines.last?.hasSuffix("(json 12)") == true)
    }

    @Test func `bad lines are not written over a file that the run reads or writes`() throws {
        let directory = try TemporaryDirectory()
        let input = try directory.write("in.ndjson", "{}\nno\n")
        let profile = try directory.write("p.json", #"{"keys": "camelCase"}"#)
        let output = "\(directory.path)/out.ndjson"
        let words = ["convert", "--profile", profile, "--on-error", "skip", "--rejects"]
        for (rejects, others) in [
            (input, [input]), (input, [input, "-o", output]), (input, ["-i", input]), (profile, [input]),
            ("\(directory.path)/./in.ndjson", [input]), (output, [input, "-o", output]),
            ("\(directory.path)/./out.ndjson", [input, "-o", output]),
        ] {
            let outcome = try BuiltProgram.run(arguments: words + [rejects] + others, input: "")
            #expect(outcome.status == 64, "\(rejects) \(others): \(outcome.errors)")
            #expect(outcome.errors.contains("--rejects would overwrite `"))
            #expect(try InputFile(path: input).readAll(maxBytes: .max) == Array("{}\nno\n".utf8))
        }
        let stdin = try ChildProcess(
            program: BuiltProgram.path,
            arguments: ["convert", "--profile", "-", "--on-error", "skip", "--rejects", profile, input],
            input: .file(profile)
        ).run()
        #expect(
            stdin.status == 64 && stdin.errors.contains("--rejects would overwrite `/dev/stdin`"), "\(stdin.errors)")
        // The variable is the default only for runs that can have rejects.
        let other = try BuiltProgram.run(
            "convert", "--keys", "camelCase", input, input: "", environment: ["CONVERT_REJECTS": input])
        #expect(!other.errors.contains("--rejects"), "\(other.errors)")
        let fine = try BuiltProgram.run(arguments: words + ["/dev/null", input, "-o", output], input: "")
        #expect(fine.status == 0, "\(fine.errors)")
    }

    @Test func `options for bad lines are refused without lines`() throws {
        for words in [["--keys", "camelCase", "--ndjson"], ["--on-error", "skip"]] {
            for option in [["--rejects", "/nowhere/x"], ["--max-rejects", "1"]] {
                let outcome = try BuiltProgram.run(arguments: ["convert"] + words + option, input: "{}")
                #expect(outcome.status == 64, "\(words) \(option): \(outcome.errors)")
                #expect(outcome.text.isEmpty)
            }
        }
    }

    @Test func `the lines before a bad one are written, whatever the rules and however many jobs`() throws {
        let directory = try TemporaryDirectory()
        for rules in [
            #""defaults":{"/z":1}"#, #""prune":{"null":true}"#, #""move":{"/a":"/b"}"#, #""rename":{"a":"b"}"#,
            #""flatten":"/x/y/z""#,
        ] {
            let profile = try directory.write("\(rules.utf8.count).json", "{\(rules)}")
            let lines = String(repeating: "{\"a\":1,\"n\":[2]}\n", count: LineJobs.partBytes / 10)
            for (good, rest) in [("{\"a\":1}\n{\"b\":2}\n", ""), (lines, lines)] {
                let expected = try BuiltProgram.run("convert", "--ndjson", "--profile", profile, input: good)
                for jobs in ["1", "2"] {
                    let outcome = try BuiltProgram.run(
                        "convert", "--ndjson", "--jobs", jobs, "--profile", profile,
                        input: good + "{\"b\":[2,x}\n" + rest)
                    #expect(outcome.status == 65 && outcome.output == expected.output, "\(rules) \(jobs)")
                }
            }
        }
    }

    @Test func `memory is limited by the number of parts in progress`() throws {
        let outcome = try Self.outcome(Self.lines(48 * 1024 * 1024), jobs: 2)
        #expect(outcome.status == 0)
        let peak = try #require(outcome.peakResidentKilobytes)
        #expect(peak < 40 * 1024 || Sanitizer.isActive)
    }

    @Test func `jobs need lines and a number of at least one`() throws {
        for (arguments, message) in [
            (["--jobs", "2"], "--jobs: works with NDJSON only; add --ndjson"),
            (["--ndjson", "--jobs", "0"], "--jobs: expected a whole number from 1 to 256, found '0'"),
            (["--ndjson", "--jobs", "257"], "--jobs: expected a whole number from 1 to 256, found '257'"),
        ] {
            let outcome = try ChildProcess(
                program: BuiltProgram.path, arguments: ["convert", "--keys", "camelCase"] + arguments, environment: [:],
                input: .bytes([]), output: .pipe
            ).run()
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
        }
        let one = try BuiltProgram.run("convert", "--keys", "camelCase", "--jobs", "1", input: "{\"a_b\":1}")
        #expect(one.text == "{\"aB\":1}")
    }
}
