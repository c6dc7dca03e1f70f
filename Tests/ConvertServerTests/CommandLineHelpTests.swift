import ConvertEngine
import ConvertFormats
import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPServer
@testable import Sockets

/// `--help`, the manual page and the completions agree with the options that the program accepts.
struct CommandLineHelpTests {
    @Test func `help fits 80 columns`() throws {
        let texts = [Help.overview] + Command.allCases.map { Help.text(for: $0, calledAs: "convert-server \($0)") }
        for text in texts {
            for line in text.split(separator: "\n") { #expect(line.count <= Help.maxColumns, "\(line)") }
        }
    }

    @Test func `help lists the choices of an option and two examples of each command`() throws {
        let help = try BuiltProgram.run("convert", "--help").text.split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        for keyCase in KeyCase.allCases.map(\.rawValue) { #expect(help.contains(keyCase)) }
        for word in ["rfc3339,", "epoch-ms,", "http-date,", "forward|inverse", "json|ndjson|form|plist"] {
            #expect(help.contains(word), "\(help)")
        }
        for command in Command.allCases { #expect(command.examples.count >= 2) }
        let openapi = try BuiltProgram.run("openapi", "--help").text.split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        #expect(openapi.contains("in JSON or YAML"))
        #expect(openapi.contains("default those of FILE"))
    }

    @Test func `every example in help is a valid command line`() throws {
        for command in Command.allCases {
            for example in command.examples {
                let words = example.split(separator: " ").map(String.init)
                #expect(words.first == command.rawValue)
                _ = try Arguments(Array(words.dropFirst()), of: command)
            }
        }
    }

    @Test func `every choice in help is accepted`() throws {
        for keyCase in CommandOption.keys.choices {
            #expect(try BuiltProgram.run("convert", "--keys", keyCase, input: "1").status == 0, "\(keyCase)")
        }
        for format in CommandOption.dates.choices {
            #expect(try BuiltProgram.run("convert", "--dates", format, input: "1").status == 0, "\(format)")
        }
        for mode in CommandOption.escapes.choices {
            #expect(try BuiltProgram.run("minify", "--escapes", mode, input: "1").status == 0, "\(mode)")
        }
        for format in CommandOption.inputFormat.choices {
            #expect(PayloadFormat(rawValue: format) != nil, "\(format)")
        }
    }

    @Test func `every option of serve is in one group`() {
        let text = Help.text(for: .serve, calledAs: "convert-server serve")
        for group in CommandOption.Group.allCases { #expect(text.contains("\n\(group.rawValue):\n")) }
        for option in Command.serve.options {
            let count = text.split(separator: "\n").count { $0.hasPrefix("  \(option.usage)") }
            #expect(count == 1, "\(option.usage)")
        }
        #expect(text.contains("--max-body-bytes SIZE") && text.contains("64MiB"))
    }

    @Test func `the manual page and the completions name every command and every option`() throws {
        let man = try BuiltProgram.run("--generate", "man")
        #expect(man.status == 0)
        for command in Command.allCases {
            #expect(man.text.contains("\n.SS \(command.rawValue)\n"))
            for option in command.options {
                #expect(man.text.contains("\\-\\-\(option.name.split(separator: "-").joined(separator: "\\-"))"))
            }
        }
        // No line of text is read as a roff request.
        let requests = [".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".BR", ".br", ".nf", ".fi", ".RS", ".RE", ".\\\""]
        for line in man.text.split(separator: "\n") where line.hasPrefix(".") {
            #expect(requests.contains { line == $0 || line.hasPrefix("\($0) ") }, "\(line)")
        }
        for shell in ["bash", "zsh", "fish"] {
            let script = try BuiltProgram.run("--generate", shell)
            #expect(script.status == 0)
            for command in Command.allCases {
                #expect(script.text.contains(command.rawValue))
                for option in command.options {
                    #expect(
                        script.text.contains(shell == "fish" ? "-l \(option.name)" : "--\(option.name)"), "\(shell)")
                }
            }
        }
        #expect(try BuiltProgram.run("--generate", "tcsh").status == 64)
    }

    @Test func `the version contains the commit, the compressions and the instruction set`() throws {
        for option in ["--version", "-V"] {
            let lines = try BuiltProgram.run(option).text.split(separator: "\n")
            try #require(lines.count == 4)
            #expect(lines[0] == "convert-server \(Version.current)")
            #expect(lines[1] == "commit: unknown")
            #expect(lines[2].hasPrefix("response compression: ") && lines[2].contains("gzip, deflate"))
            #expect(lines[3].hasPrefix("instruction set: "))
        }
    }

    @Test func `a variable forbids wider vectors than SSE2`() throws {
        let limited = try ChildProcess(
            program: BuiltProgram.path, arguments: ["--version"], environment: ["CONVERT_SIMD": "sse2"]
        ).run()
        #expect(!limited.text.contains("AVX"))
        #expect(limited.text.contains("instruction set: "))
        for (value, count) in [("sse2", 0), ("avx2", 0), ("", 0), ("foo", 1)] {
            let outcome = try BuiltProgram.run("minify", input: "[ ]", environment: ["CONVERT_SIMD": value])
            #expect(outcome.status == 0 && outcome.text == "[]" && outcome.errorLines.count == count)
            #expect(
                outcome.errors.contains("CONVERT_SIMD: 'foo' is not a valid value; valid values: sse2, avx2")
                    == (count == 1))
        }
    }

    @Test func `serve reads sizes and times with units`() throws {
        let settings = Settings(
            flags: ["max-body-bytes": ["10MB"]],
            environment: ProcessEnvironment { ["CONVERT_HEAD_SECONDS": "1m"][$0] })
        let configuration = try ServerConfiguration(settings)
        #expect(configuration.maxBodyBytes == 10_000_000 && configuration.times.headSeconds == 60)
        let wrong = try BuiltProgram.run("serve", "--max-body-bytes", "10XB")
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("--max-body-bytes: expected a size from 0 to "))
        #expect(wrong.errors.contains("such as 10000000, 10MB or 10MiB, found '10XB'"))
    }

    @Test func `a variable without an option causes a warning, unless an orchestrator sets it`() throws {
        let environment = [
            "CONVERT_MAX_BODY_BYTE": "1", "CONVERT_SERVICE_HOST": "10.0.0.1", "CONVERT_PORT_8080_TCP": "x",
            "CONVERT_API_SERVICE_PORT": "1", "CONVERT_CORPUS": "/x", "CONVERT_QQQQQ": "1",
            "CONVERT_API_PORT": "tcp://10.0.0.1:80", "CONVERT_PORT": "9000",
            "HOME": "/",
        ]
        let outcome = try BuiltProgram.run("minify", input: "[ ]", environment: environment)
        #expect(outcome.status == 0 && outcome.text == "[]")
        #expect(
            outcome.errorLines == [
                "convert-server: warning: no option reads the variable CONVERT_MAX_BODY_BYTE; did you mean CONVERT_MAX_BODY_BYTES?",
                "convert-server: warning: no option reads the variable CONVERT_PORT; did you mean CONVERT_LISTEN?",
                "convert-server: warning: no option reads the variable CONVERT_QQQQQ",
            ])
    }

    @Test func `under the name convert-json, the program is the filter`() throws {
        let directory = try TemporaryDirectory()
        let link = try directory.link("convert-json", to: BuiltProgram.path)
        let converted = try ChildProcess(
            program: link, arguments: ["--keys", "camelCase"], input: .bytes(Array(#"{"a_b": 1}"#.utf8))
        ).run()
        #expect(converted.text == #"{"aB":1}"#)
        let help = try ChildProcess(program: link, arguments: ["--help"]).run()
        #expect(help.text.hasPrefix("Usage: convert-json [OPTION...] [FILE|-]..."))
        let wrong = try ChildProcess(program: link, arguments: ["--kyes", "a"]).run()
        #expect(wrong.status == 64)
        #expect(
            wrong.errorLines == [
                "convert-json: convert has no option --kyes; did you mean --keys?", "Try 'convert-json --help'.",
            ])
    }
}
