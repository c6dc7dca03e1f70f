import ConvertCore
import Testing

@testable import ConvertServer

/// The built program, as a shell sees it.
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
        }
        let version = try BuiltProgram.run("--version")
        #expect(version.status == 0)
        #expect(version.text == "convert-server \(Version.current)\n")
    }

    @Test func `a wrong command line exits 64 and names the nearest right word`() throws {
        let rows: [(arguments: [String], message: String)] = [
            ([], "a command is missing"),
            (["mnify"], "there is no command mnify; did you mean minify?"),
            (["--versoin"], "there is no option --versoin; did you mean --version?"),
            (["minify", "--ident", "2"], "minify has no option --ident; did you mean --indent?"),
            (["minify", "--indent"], "--indent needs a value: --indent N"),
            (["minify", "--indent", "two"], "--indent: 'two' is no whole number from 0 to 16"),
            (["minify", "--indent=99999999999999999999"], "is no whole number from 0 to 16"),
            (["minify", "--indent=-1"], "is no whole number from 0 to 16"),
            (["minify", "--escapes=asci"], "--escapes: 'asci' is not known; did you mean ascii?"),
            (["minify", "--ndjson=yes"], "--ndjson takes no value"),
            (["minify", "a", "b"], "minify reads one file, and 2 are given"),
            (["convert", "--keys", "camelcase"], "--keys: 'camelcase' is not known; did you mean camelCase?"),
            (["convert", "--direction", "backward"], "--direction: 'backward' is not known"),
            (["convert"], "convert needs --profile, --keys or --dates"),
            (["convert", "--profile", "-"], "cannot both be stdin"),
            (["check"], "check needs at least one PROFILE"),
            (["serve", "here"], "serve takes no operands"),
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

    @Test func `an input that cannot be read exits 66 with the call and the reason`() throws {
        let directory = try TemporaryDirectory()
        let rows = [
            (["minify", "\(directory.path)/none"], "open: No such file or directory"),
            (["minify", directory.path], "read: Is a directory"),
            (["convert", "--keys", "camelCase", directory.path], "read: Is a directory"),
            (["convert", "--profile", "\(directory.path)/none"], "open: No such file or directory"),
            (["check", directory.path], "read: Is a directory"),
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
        #expect(closed.errors.contains("read: Bad file descriptor"))
    }

    @Test func `an output that cannot be written exits 74, quietly when the reader has gone`() throws {
        let json = "[" + String(repeating: "1,", count: 200_000) + "1]"
        let full = try BuiltProgram.run("minify", input: json, output: .file("/dev/full"))
        #expect(full.status == 74)
        #expect(full.errors.contains("write: No space left on device"))
        let closed = try BuiltProgram.run("minify", input: json, output: .closed)
        #expect(closed.status == 74)
        #expect(closed.errors.contains("write: Bad file descriptor"))
        for arguments in [["minify"], ["--help"], ["minify", "--ndjson"]] {
            let outcome = try ChildProcess(
                program: BuiltProgram.path, arguments: arguments, input: .bytes(Array((json + "\n").utf8)),
                output: .brokenPipe
            ).run()
            #expect(outcome.status == 74, "\(arguments)")
            #expect(outcome.errors.isEmpty)
        }
    }

    @Test func `a file opened while stdout is closed is not written to`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("a.json", "[1]")
        let outcome = try ChildProcess(program: BuiltProgram.path, arguments: ["minify", file], output: .closed).run()
        #expect(outcome.status == 74)
        #expect(try BuiltProgram.run("minify", file).text == "[1]")
    }

    @Test func `an option comes from its variable unless a flag says otherwise`() throws {
        let wrong = ["CONVERT_INDENT": "many"]
        let failed = try BuiltProgram.run("minify", input: "1", environment: wrong)
        #expect(failed.status == 78)
        #expect(failed.errors.contains("CONVERT_INDENT: 'many' is no whole number"))
        #expect(try BuiltProgram.run("minify", "--indent=0", input: "1", environment: wrong).status == 0)
        let switched = try BuiltProgram.run("minify", input: "1\n2\n", environment: ["CONVERT_NDJSON": "true"])
        #expect(switched.status == 0)
        #expect(switched.text == "1\n2\n")
        #expect(try BuiltProgram.run("minify", input: "1", environment: ["CONVERT_NDJSON": "perhaps"]).status == 78)
    }
}
