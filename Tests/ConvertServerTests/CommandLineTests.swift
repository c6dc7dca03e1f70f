import ConvertEngine
import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertServer

/// The built program, as a shell runs it.
struct CommandLineTests {
    @Test func `help and version go to stdout and succeed`() throws {
        let overview = try BuiltProgram.run("--help")
        #expect(overview.status == 0)
        #expect(overview.errors.isEmpty)
        for command in Command.allCases {
            #expect(overview.text.contains("  \(command.rawValue) "))
            let help = try BuiltProgram.run(command.rawValue, "--help")
            #expect(help.status == 0)
            #expect(help.text.hasPrefix("Usage: convert-server \(command.rawValue) "))
            for option in command.options { #expect(help.text.contains("\n  \(option.usage)")) }
            #expect(try BuiltProgram.run("help", command.rawValue).text == help.text)
        }
        for arguments in [["help"], ["help", "help"], ["help", "--help"]] {
            let help = try ChildProcess(program: BuiltProgram.path, arguments: arguments).run()
            #expect(help.status == 0 && help.text == overview.text, "\(arguments)")
        }
        let version = try BuiltProgram.run("--version")
        #expect(version.status == 0)
        #expect(version.text.hasPrefix("convert-server \(Version.current)\n"))
    }

    @Test func `a wrong command line exits with 64 and suggests the nearest word`() throws {
        let rows: [(arguments: [String], message: String)] = [
            ([], "a command is missing"),
            (["mnify"], "there is no command mnify; did you mean minify?"),
            (["help", "mnify"], "there is no command mnify; did you mean minify?"),
            (
                ["a.json"],
                "there is no command a.json; to convert a file: convert-server convert --profile PROFILE a.json"
            ),
            (["serve", "--port", "80"], "serve has no option --port; did you mean --listen?"),
            (["serve", "--host", "::"], "serve has no option --host; did you mean --listen?"),
            (["serve", "--max-body", "1"], "serve has no option --max-body; did you mean --max-body-bytes?"),
            (["serve", "--log", "off"], "serve has no option --log; did you mean --access-log?"),
            (["minify", "-o", ""], "-o needs a value: -o FILE"),
            (["serve", "--access-log", "maybe"], "expected on or off (or true, false, yes, no, 1, 0), found 'maybe'"),
            (["--versoin"], "there is no option --versoin; did you mean --version?"),
            (["minify", "--ident", "2"], "minify has no option --ident; did you mean --indent?"),
            (["minify", "--indent"], "--indent needs a value: --indent N"),
            (["minify", "--indent", "two"], "--indent: expected a whole number from 0 to 16, found 'two'"),
            (["minify", "--indent=99999999999999999999"], "expected a whole number from 0 to 16, found"),
            (["minify", "--indent=-1"], "expected a whole number from 0 to 16, found"),
            (["minify", "--escapes=asci"], "--escapes: 'asci' is not a valid value; did you mean ascii?"),
            (["minify", "--ndjson=yes"], "--ndjson takes no value"),
            (["minify", "--input-format", "from"], "--input-format: 'from' is not a valid value; did you mean form?"),
            (["minify", "--ndjson", "--input-format", "form"], "contradict each other"),
            (["minify", "--bogus"], "minify has no option --bogus\nTry"),
            (["convert", "--keys", "camelcase"], "--keys: 'camelcase' is not a valid value; did you mean camelCase?"),
            (["convert", "--dates", "iso8601"], "`iso8601` is not a valid value; did you mean `rfc3339`?"),
            (["convert", "--dates", "dd.MM.yyyy"], #"write a pattern in a profile as {"pattern": "dd.MM.yyyy"}"#),
            (["convert", "--dates", "%Y-%m-%d"], #"is not a date format; write a pattern in a profile"#),
            (["convert", "--case", "camelCase"], "convert has no option --case; did you mean --keys?"),
            (
                ["convert", "--direction", "backward"],
                "--direction: 'backward' is not a valid value; valid values: forward"
            ),
            (["convert"], "convert needs --profile, --keys, --dates or --on-error"),
            (["convert", "--profile", "-"], "cannot both be stdin"),
            (["check"], "check needs at least one PROFILE"),
            (["serve", "here"], "serve takes files only in options: write --config FILE"),
            (["health", "here"], "health takes files only in options: write --config FILE"),
            (
                ["infer", "here", "--in", "a.json", "--out", "b.json"],
                "infer takes files only in options: write --in FILE --out FILE"
            ),
        ]
        for row in rows {
            let outcome = try ChildProcess(program: BuiltProgram.path, arguments: row.arguments).run()
            #expect(outcome.status == 64, "\(row.arguments)")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains(row.message), "\(outcome.errors)")
        }
    }

    @Test func `a filter reads a file, stdin by default and stdin by name`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("a.json", "[1,2]")
        #expect(try BuiltProgram.run("minify", file).text == "[1,2]")
        #expect(try BuiltProgram.run("minify", input: "[1,2]").text == "[1,2]")
        #expect(try BuiltProgram.run("minify", "-", input: "[1,2]").text == "[1,2]")
        #expect(try BuiltProgram.run("minify", "--", file).text == "[1,2]")
    }

    @Test func `a filter reads forms, property lists and NDJSON`() throws {
        #expect(
            try BuiltProgram.run("minify", "--input-format", "form", input: "a[]=1&a[]=2").text == #"{"a":["1","2"]}"#)
        #expect(try BuiltProgram.run("minify", "--input-format=ndjson", input: "1\n[ ]").text == "1\n[]\n")
        #expect(try BuiltProgram.run("minify", "--input-format=ndjson", "--ndjson", input: "1").text == "1\n")
        let list = "<plist><dict><key>a_b</key><real>1.10</real></dict></plist>"
        let converted = try BuiltProgram.run("convert", "--input-format=plist", "--keys=camelCase", input: list)
        #expect(converted.text == #"{"aB":1.10}"#)
        let broken = try BuiltProgram.run("minify", "--input-format=form", input: "a=1&b=%")
        #expect(broken.status == 65 && broken.errors.hasPrefix("-:1:7: form: "), "\(broken.errors)")
        let collision = try BuiltProgram.run(
            "convert", "--input-format=form", "--keys=camelCase", input: "a_b=1&aB=2")
        #expect(collision.status == 65 && collision.errors.hasPrefix("-: collision: "), "\(collision.errors)")
        #expect(collision.errors.contains("(/aB)"), "\(collision.errors)")
    }

    @Test func `a filter waits for a non-blocking stdin`() throws {
        let numbers = "[" + String(repeating: "1, ", count: 500_000) + "1]"
        let outcome = try ChildProcess(
            program: BuiltProgram.path, arguments: ["minify"], input: .nonBlocking(Array(numbers.utf8))
        ).run()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.count == 1_000_003)
    }

    @Test func `an input that cannot be read exits with 66 and the reason`() throws {
        let directory = try TemporaryDirectory()
        let rows = [
            (["minify", "\(directory.path)/none"], ": No such file or directory"),
            (["minify", directory.path], ": Is a directory"),
            (
                ["convert", "--profile", "\(directory.path)/mobile"],
                ": No such file or directory; a profile is a file such as mobile.json"
            ),
            (["convert", "--keys", "camelCase", directory.path], ": Is a directory"),
            (["convert", "--profile", "\(directory.path)/none"], ": No such file or directory"),
            (["check", "--config", directory.path], ": Is a directory"),
            (["minify", "\(directory.path)/a\u{FFFD}.json"], ": No such file or directory; its name is not UTF-8"),
        ]
        for (arguments, reason) in rows {
            let outcome = try ChildProcess(program: BuiltProgram.path, arguments: arguments).run()
            #expect(outcome.status == 66, "\(arguments)")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains("cannot read \(directory.path)"))
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        }
        let closed = try ChildProcess(program: BuiltProgram.path, arguments: ["minify"], input: .closed).run()
        #expect(closed.status == 66)
        #expect(closed.errors.contains("cannot read -: Bad file descriptor"))
    }

    @Test func `unwritable output exits with 74, without a message if the reader is gone`() throws {
        let json = "[" + String(repeating: "1,", count: 200_000) + "1]"
        let full = try BuiltProgram.run("minify", input: json, output: .file("/dev/full"))
        #expect(full.status == 74)
        #expect(full.errors.contains("cannot write the output: No space left on device"))
        let closed = try BuiltProgram.run("minify", input: json, output: .closed)
        #expect(closed.status == 74)
        #expect(closed.errors.contains("cannot write the output: Bad file descriptor"))
        for arguments in [["minify"], ["--help"], ["minify", "--ndjson"]] {
            let outcome = try ChildProcess(
                program: BuiltProgram.path, arguments: arguments, input: .bytes(Array((json + "\n").utf8)),
                output: .brokenPipe
            ).run()
            #expect(outcome.status == 74, "\(arguments)")
            #expect(outcome.errors.isEmpty)
        }
    }

    @Test func `a file beyond the size limit of the process exits with 74 and leaves nothing`() throws {
        let directory = try TemporaryDirectory()
        let outcome = try ChildProcess(
            program: "/bin/sh",
            arguments: ["-c", "ulimit -f 8; exec \"$0\" minify -o \"$1\"", BuiltProgram.path, "\(directory.path)/out"],
            input: .bytes(Array(("[" + String(repeating: "1,", count: 20_000) + "1]").utf8))
        ).run()
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("cannot write the output: File too large"), "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }

    @Test func `a file opened while stdout is closed is not written to`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("a.json", "[1]")
        let outcome = try ChildProcess(program: BuiltProgram.path, arguments: ["minify", file], output: .closed).run()
        #expect(outcome.status == 74)
        #expect(try BuiltProgram.run("minify", file).text == "[1]")
    }

    @Test func `an option is read from its variable unless a flag sets it`() throws {
        let wrong = ["CONVERT_INDENT": "many"]
        let failed = try BuiltProgram.run("minify", input: "1", environment: wrong)
        #expect(failed.status == 78)
        #expect(failed.errors.contains("CONVERT_INDENT: expected a whole number from 0 to 16, found 'many'"))
        #expect(try BuiltProgram.run("minify", "--indent=0", input: "1", environment: wrong).status == 0)
        let switched = try BuiltProgram.run("minify", input: "1\n2\n", environment: ["CONVERT_NDJSON": "true"])
        #expect(switched.status == 0)
        #expect(switched.text == "1\n2\n")
        #expect(try BuiltProgram.run("minify", input: "1", environment: ["CONVERT_NDJSON": "perhaps"]).status == 78)
    }

    @Test func `minify removes white space and keeps the rest`() throws {
        let rows: [(arguments: [String], input: String, output: String)] = [
            (["minify"], " [ 1.10 , \"a\\/b\", 1E400,{ } ]\n", "[1.10,\"a\\/b\",1E400,{}]"),
            (["minify", "--indent", "2"], "{\"a\":[1,{}]}", "{\n  \"a\": [\n    1,\n    {}\n  ]\n}"),
            (["minify", "--escapes=ascii"], "\"\u{E9}\u{1F600}\"", "\"\\u00e9\\ud83d\\ude00\""),
            (["minify", "--escapes=minimal"], "\"\\u0041\\/\"", "\"A/\""),
            (["minify", "--ndjson"], "{ \"a\": 1 }\r\n\n[ ]", "{\"a\":1}\n[]\n"),
            (["minify", "--ndjson"], "", ""),
        ]
        for row in rows {
            let outcome = try ChildProcess(
                program: BuiltProgram.path, arguments: row.arguments, input: .bytes(Array(row.input.utf8))
            ).run()
            #expect(outcome.status == 0, "\(row.arguments): \(outcome.errors)")
            #expect(outcome.text == row.output)
            #expect(outcome.errors.isEmpty)
        }
    }

    @Test func `convert reads its rules from a profile, from flags, or from both`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write(
            "p.json", "{\"keys\": \"snake_case\", \"rename\": {\"firstName\": \"fn\"}, \"dates\": \"date\"}")
        let input = "{ \"firstName\": \"2024-07-14T18:30:00+02:00\", \"aB\": [ 1.0 ] }"
        let rows = [
            (["--profile", profile], "{\"fn\":\"2024-07-14\",\"a_b\":[1.0]}"),
            (["--profile", profile, "--keys", "kebab-case"], "{\"fn\":\"2024-07-14\",\"a-b\":[1.0]}"),
            (["--profile", profile, "--dates=epoch-s"], "{\"fn\":1720974600,\"a_b\":[1.0]}"),
            (["--keys", "PascalCase"], "{\"FirstName\":\"2024-07-14T18:30:00+02:00\",\"AB\":[1.0]}"),
            (["--dates", "rfc3339"], "{\"firstName\":\"2024-07-14T16:30:00Z\",\"aB\":[1.0]}"),
        ]
        for (arguments, output) in rows {
            let outcome = try ChildProcess(
                program: BuiltProgram.path, arguments: ["convert"] + arguments, input: .bytes(Array(input.utf8))
            ).run()
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            #expect(outcome.text == output)
        }
        let environment = ["CONVERT_PROFILE": profile, "CONVERT_KEYS": "dot.case", "CONVERT_DATES": "rfc3339"]
        let outcome = try BuiltProgram.run("convert", "--keys=flatcase", input: "{\"aB\":1}", environment: environment)
        #expect(outcome.text == "{\"ab\":1}")
    }

    @Test func `an error has the pointer of the rule in the profile`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write(
            "p.json",
            "{\"rename\": {\"a\": \"b\"}, \"dates\": [{\"at\": \"x\"}, {\"at\": \"/d/*\", \"from\": \"rfc3339\"}]}")
        let date = try BuiltProgram.run("convert", "--profile", profile, input: "{\"d\": [null,\n \"never\"]}")
        #expect(date.status == 65)
        #expect(date.errors.hasPrefix("-:2:2: badValue: "))
        #expect(date.errors.hasSuffix(" (/d/1) (rule /dates/1)\n"))
        #expect(!date.errors.contains("never"))
        let collision = try BuiltProgram.run("convert", "--profile", profile, input: "{\"a\": 1, \"b\": 2}")
        #expect(collision.status == 65)
        #expect(collision.errors.hasPrefix("-:1:10: collision: "))
        #expect(collision.errors.contains(" (/b)"))
        let lines = try BuiltProgram.run(
            "convert", "--ndjson", "--profile", profile, input: "{\"a\": 1}\n{\"x\": 2}\n{\"x\": \"no\"}\n{}\n")
        #expect(lines.status == 65)
        #expect(lines.errors.hasPrefix("-:3:7: badValue: "))
        #expect(lines.errors.hasSuffix(" (/x) (rule /dates/0)\n"))
        #expect(lines.text == "{\"b\":1}\n{\"x\":\"1970-01-01T00:00:02Z\"}\n")
    }

    @Test func `a line end is added after a document only on a terminal`() throws {
        let terminal = try Terminal()
        let document = try BuiltProgram.run("minify", input: "[ 1 ]", output: .file(terminal.path))
        #expect(document.status == 0)
        #expect(terminal.text() == "[1]\r\n")
        let broken = try Terminal()
        #expect(try BuiltProgram.run("minify", input: "[1,2", output: .file(broken.path)).status == 65)
        #expect(broken.text() == "[1,2\r\n")
        let lines = try BuiltProgram.run("minify", "--ndjson", input: "[ 1 ]\n", output: .file(terminal.path))
        #expect(lines.status == 0)
        #expect(terminal.text() == "[1]\r\n")
        #expect(try BuiltProgram.run("minify", input: "[ 1 ]").text == "[1]")
    }

    @Test func `an error in the payload exits with 65 and has its full position`() throws {
        let directory = try TemporaryDirectory()
        // The text, and the position of the first byte that is not allowed there; columns count bytes.
        let rows = [
            ("{\"a\": [1, 2,]}", "1:13: json: ", " (/a/2)"),
            ("[1,\n 2,\n  x]", "3:3: json: ", " (/2)"),
            ("[\"\u{E9}\", x]", "1:8: json: ", " (/1)"),
            ("", "1:1: json: ", "expected a JSON document"),
            (String(repeating: "[", count: 100_000), "1:513: limit: ", ")"),
        ]
        for (text, position, pointer) in rows {
            let file = try directory.write("\(text.count).json", text)
            for (name, outcome) in [
                (file, try BuiltProgram.run("minify", file)), ("-", try BuiltProgram.run("minify", input: text)),
            ] {
                #expect(outcome.status == 65)
                #expect(outcome.errorLines.count == 1)
                #expect(outcome.errors.hasPrefix("\(name):\(position)"), "\(outcome.errors)")
                #expect(outcome.errors.hasSuffix("\(pointer)\n"), "\(outcome.errors)")
            }
        }
    }

    @Test func `the lines before an error in NDJSON are written whole`() throws {
        let outcome = try BuiltProgram.run("minify", "--ndjson", input: "[ 1 ]\n[ 2 ]\n[ 3, ]\n[ 4 ]\n")
        #expect(outcome.status == 65)
        #expect(outcome.text == "[1]\n[2]\n")
        #expect(outcome.errors.hasPrefix("-:3:6: json: "))
        // The bad line is longer than many read buffers, so its beginning was converted long before the error.
        let long = "[" + String(repeating: "1,", count: 1_000_000) + "]"
        let late = try BuiltProgram.run("minify", "--ndjson", input: "{ }\n\(long)\n")
        #expect(late.status == 65)
        #expect(late.text == "{}\n")
    }

    @Test func `a long input needs constant memory`() throws {
        let line = "{\"user_id\": 1234567, \"name\": \"somebody\", \"values\": [1.5, true, null, \"\\u00e9\"]}\n"
        let minified = "{\"user_id\":1234567,\"name\":\"somebody\",\"values\":[1.5,true,null,\"\\u00e9\"]}\n"
        let count = 48 * 1024 * 1024 / line.utf8.count
        let outcome = try BuiltProgram.run("minify", "--ndjson", input: String(repeating: line, count: count))
        #expect(outcome.status == 0)
        #expect(outcome.output.count == count * minified.utf8.count)
        #expect(outcome.output.suffix(minified.utf8.count).elementsEqual(minified.utf8))
        let peak = try #require(outcome.peakResidentKilobytes)
        #expect(peak < 32 * 1024 || Sanitizer.isActive)
    }

    @Test func `flags and variables override a configuration file, and all its errors are reported`() throws {
        let directory = try TemporaryDirectory()
        let faulty = try directory.write(
            "faulty.json",
            "{\"listn\": [],\n \"routes\": {},\n \"profiles\": {},\n \"loops\": [1, 2],\n \"maxDepth\": \"deep\"}")
        let outcome = try BuiltProgram.run("serve", "--config", faulty)
        #expect(outcome.status == 78)
        #expect(outcome.errorLines.count == 5)
        for part in [
            "\(faulty):1:2: config: unknown key `listn`; did you mean `listen`? (/listn)",
            "\(faulty):2:12: config: expected an array of routes, found an object; "
                + #"write [{ "match": "/", "upstream": "NAME" }] (/routes)"#,
            "\(faulty):3:14: config: expected a directory, found an object (/profiles)",
            "\(faulty):4:11: config: expected a whole number from 0 to 1024, found an array (/loops)",
            "\(faulty):5:14: config: expected a whole number from 1 to 32768, found a string (/maxDepth)",
        ] {
            #expect(outcome.errors.contains(part), "\(outcome.errors)")
        }
        let unknown = try directory.write(
            "unknown.json",
            #"{"log": true, "zzz": 1, "upstreams": {"u": {"servers": "http://h", "timeout": 1, "zzz": 1}}}"#)
        let reported = try BuiltProgram.run("check", "--config", unknown).text
        for part in [
            "unknown key `log`; did you mean `accessLog`? (/log)",
            "unknown key `zzz`; the keys are the options of `serve --help` in camelCase, `upstreams` and `routes` (/zzz)",
            "unknown key `timeout`; did you mean `responseTimeoutSeconds`? (/upstreams/u/timeout)",
            "unknown key `zzz`; known keys: `servers`, `connectTimeoutSeconds`, ",
        ] {
            #expect(reported.contains(part), "\(reported)")
        }
        let check = try BuiltProgram.run("check", "--config", faulty)
        #expect(check.status == 78)
        #expect(check.text == outcome.errors)
        #expect(try BuiltProgram.run("serve", "--config", "\(directory.path)/none").status == 66)
    }

    @Test func `health fails if no server listens`() throws {
        let directory = try TemporaryDirectory()
        let outcome = try BuiltProgram.run("health", "--listen", "unix:\(directory.path)/none")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(": No such file or directory"))
        let silent = try NarrowListener(at: "\(directory.path)/silent")
        let late = try BuiltProgram.run("health", "--listen", "unix:\(directory.path)/silent")
        #expect(late.status == 1 && late.errors.contains("cannot get a response from "), "\(late.errors)")
        #expect(late.errors.contains("nothing came within 3 s"), "\(late.errors)")
        withExtendedLifetime(silent) {}
        #expect(try BuiltProgram.run("health", "--listen", "nowhere").status == 64)
        #expect(try BuiltProgram.run("health", environment: ["CONVERT_LISTEN": "nowhere"]).status == 78)
    }
}
