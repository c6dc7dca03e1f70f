import Glibc
import TestSupport
import Testing
import Text

@testable import ConvertServer
@testable import Sockets

/// The inputs and outputs of `convert` and `minify`, and their errors about inputs that are not JSON.
struct FilterRunTests {
    private func text(_ path: String) throws -> String {
        String(decoding: try InputFile(path: path).readAll(maxBytes: .max), as: UTF8.self)
    }

    @Test func `an output file gets the whole output and a final newline`() throws {
        let directory = try TemporaryDirectory()
        let input = try directory.write("in.json", "[ 1 ]")
        let output = directory.file("out.json")
        for option in [["-o", output], ["--output", output], ["--output=\(output)"]] {
            let outcome = try ChildProcess(program: BuiltProgram.path, arguments: ["minify", input] + option).run()
            #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
            #expect(try text(output) == "[1]\n")
        }
        // The output file may be the input file.
        #expect(try BuiltProgram.run("minify", input, "-o", input).status == 0)
        #expect(try text(input) == "[1]\n")
        #expect(try BuiltProgram.run("minify", "-o", "-", input: "[ 2 ]").text == "[2]")
        #expect(try BuiltProgram.run("minify", "-o", "/dev/null", input: "[ 2 ]").status == 0)
    }

    @Test func `text with invalid UTF-8 exits with 65, and minified text stays unchanged`() throws {
        for (name, bytes) in try Fixtures.files(in: "json", ending: ".json") where name.hasPrefix("n_utf8") {
            let outcome = try ChildProcess(program: BuiltProgram.path, arguments: ["minify"], input: .bytes(bytes))
                .run()
            #expect(outcome.status == 65 && outcome.errors.contains(": json: "), "\(name): \(outcome.errors)")
        }
        for (name, bytes) in try Fixtures.files(in: "json-minified", ending: ".json") where name.hasPrefix("y_string") {
            let outcome = try ChildProcess(program: BuiltProgram.path, arguments: ["minify"], input: .bytes(bytes))
                .run()
            #expect(outcome.status == 0 && outcome.output == bytes, "\(name): \(outcome.errors)")
        }
    }

    @Test func `a file stays unchanged when its conversion fails`() throws {
        let directory = try TemporaryDirectory()
        let output = try directory.write("out.json", "old")
        let bad = try directory.write("bad.json", "[ 1, ]")
        let good = try directory.write("good.json", "[ 2 ]")
        #expect(try BuiltProgram.run("minify", bad, "-o", output).status == 65)
        #expect(try text(output) == "old")
        let outcome = try BuiltProgram.run("minify", "-i", bad, good)
        #expect(outcome.status == 65 && outcome.errorLines.count == 1)
        #expect(try text(bad) == "[ 1, ]" && text(good) == "[2]\n")
        let names = try DirectoryListing(path: directory.path, suffix: "").entries.map(\.name.text)
        #expect(names == ["bad.json", "good.json", "out.json"])
        let missing = try BuiltProgram.run("minify", "-o", "\(directory.path)/none/out.json", input: "1")
        #expect(missing.status == 74)
        #expect(missing.errors.contains("cannot write \(directory.path)/none/out.json: No such file or directory"))
    }

    @Test func `in place, links are followed and permissions are kept`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("a.json", #"{ "a_b": 1 }"#)
        #expect(unsafe chmod(file, 0o640) == 0)
        let link = try directory.link("link.json", to: file)
        #expect(try BuiltProgram.run("convert", "--keys=camelCase", "--in-place", link).status == 0)
        #expect(try text(file) == "{\"aB\":1}\n")
        var status = stat()
        #expect(unsafe lstat(file, &status) == 0 && status.st_mode & 0o777 == 0o640)
        #expect(unsafe lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func `an output that is an open descriptor keeps what its file has`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("out.txt")
        for name in ["/dev/stdout", "/dev/stderr", "/dev/fd/1", "/proc/self/fd/3"] {
            let script = #"{ echo a; "$PROGRAM" minify -o "$NAME"; echo z; } >"$FILE" 2>&1 3>&1"#
            let environment = ["PROGRAM": BuiltProgram.path, "NAME": name, "FILE": file]
            let shell = ChildProcess(
                program: "/bin/sh", arguments: ["-c", script], environment: environment,
                input: .bytes(Array("[ 1 ]".utf8)))
            #expect(try shell.run().status == 0)
            #expect(try text(file) == "a\n[1]\nz\n", "\(name)")
        }
    }

    @Test func `an output that is a link to no file is refused`() throws {
        let directory = try TemporaryDirectory()
        let link = try directory.link("link.json", to: "none.json")
        let outcome = try BuiltProgram.run("minify", "-o", link, input: "1")
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("cannot write \(link): this is a link to a file that does not exist"))
        var status = stat()
        #expect(unsafe lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
    func `a signal that ends the program leaves no file behind`(signal: Int32) throws {
        let directory = try TemporaryDirectory()
        let output = try directory.write("out.json", "old")
        let input = directory.file("in.json")
        // The program waits for a writer of the named pipe.
        #expect(unsafe mkfifo(input, 0o600) == 0)
        func names() throws -> [String] {
            try DirectoryListing(path: directory.path, suffix: "").entries.map(\.name.text)
        }
        // A shell that ignores signals passes that on, as `nohup` does.
        let script = "trap '' $2; exec $0 convert --keys camelCase --output $1 $3"
        for (ignored, ending) in [("WINCH", signal), (signal == SIGINT ? "HUP" : "INT", signal)] {
            let child = try ChildProcess(
                program: "/bin/sh", arguments: ["-c", script, BuiltProgram.path, output, ignored, input],
                output: .file("/dev/null")
            ).launch()
            #expect(try waits { try names().count == 3 })
            if ignored != "WINCH" {
                kill(child, ignored == "HUP" ? SIGHUP : SIGINT)
                usleep(100_000)
                #expect(!ChildProcess.hasEnded(child))
            }
            kill(child, ending)
            #expect(waits { ChildProcess.hasEnded(child) })
            #expect(ChildProcess.end(child) == -ending)
            #expect(try names() == ["in.json", "out.json"])
            #expect(try text(output) == "old")
        }
    }

    @Test func `several files are written one after the other, each with a newline`() throws {
        let directory = try TemporaryDirectory()
        let a = try directory.write("a.json", "[ 1 ]")
        let b = try directory.write("b.json", "[ 2 ]")
        let outcome = try BuiltProgram.run("minify", a, "-", b, input: "[ 3 ]")
        #expect(outcome.text == "[1]\n[3]\n[2]\n")
        for arguments in [["-", "-"], ["-i"], ["-i", "-"], ["-i", "-o", "x", a]] {
            let outcome = try ChildProcess(program: BuiltProgram.path, arguments: ["minify"] + arguments).run()
            #expect(outcome.status == 64, "\(arguments) \(outcome.errors)")
        }
    }

    @Test func `a file named as NDJSON is read as NDJSON`() throws {
        let directory = try TemporaryDirectory()
        for name in ["a.ndjson", "a.jsonl", "A.JSONL"] {
            let file = try directory.write(name, "{ }\n[ ]\n")
            #expect(try BuiltProgram.run("minify", file).text == "{}\n[]\n")
            #expect(try BuiltProgram.run("convert", "--keys=camelCase", "--jobs=2", file).text == "{}\n[]\n")
            #expect(try BuiltProgram.run("minify", "--input-format=json", file).status == 65)
        }
    }

    @Test func `the limits of depth and keys are options`() throws {
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let refused = try BuiltProgram.run("minify", input: deep)
        #expect(refused.status == 65 && refused.errors.contains("; --max-depth sets the limit ("))
        #expect(try BuiltProgram.run("minify", "--max-depth", "600", input: deep).status == 0)
        #expect(try BuiltProgram.run("convert", "--keys=preserve", "--max-depth=599", input: deep).status == 65)
        let key = "{\"\(String(repeating: "k", count: 70_000))\":1}"
        let long = try BuiltProgram.run("minify", input: key)
        #expect(long.status == 65 && long.errors.contains("; --max-key-bytes sets the limit"), "\(long.errors)")
        #expect(!long.errors.contains("--max-depth"))
        #expect(try BuiltProgram.run("minify", "--max-key-bytes", "70KB", input: key).status == 0)
        #expect(try BuiltProgram.run("convert", "--keys=preserve", "--max-key-bytes=69999", input: key).status == 65)
    }

    @Test func `a long pointer is cut in the middle, and the root has none`() throws {
        let outcome = try BuiltProgram.run("minify", input: String(repeating: "[", count: 600))
        let pointer = try #require(outcome.errorLines.first?.split(separator: " ").last)
        #expect(pointer == "(" + String(repeating: "/0", count: 30) + "…" + String(repeating: "/0", count: 30) + ")")
        #expect(try !BuiltProgram.run("minify", input: "").errors.contains("()"))
    }

    @Test func `the command of a hint can be pasted into a shell`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("it's a.json.gz")
        let shell = { (command: String) in
            try ChildProcess(program: "/bin/sh", arguments: ["-c", command], environment: ["FILE": file]).run()
        }
        #expect(try shell(#"printf '[1]' | gzip >"$FILE""#).status == 0)
        let error = try BuiltProgram.run("minify", file).errors
        let hint = try #require(error.firstRange(of: "gunzip ")?.lowerBound)
        let end = try #require(error.firstRange(of: " | ...")?.lowerBound)
        #expect(try shell(String(error[hint..<end])).text == "[1]", "\(error)")
    }

    @Test func `an input in another format gets a hint`() throws {
        let rows: [(input: [UInt8], hint: String?)] = [
            ([0x1F, 0x8B, 0x08, 0x00], "gunzip -c | ..."), ([0x28, 0xB5, 0x2F, 0xFD, 0x00], "zstd -dc | ..."),
            (Array("\n<!DOCTYPE html><html>".utf8), "looks like HTML"),
            (Array("<?xml version=\"1.0\"?><plist>".utf8), "--input-format plist"),
            (Array("bplist00".utf8), "--input-format plist"), (Array("{}\n{}\n".utf8), "--ndjson"),
            (Array("1\n2\n".utf8), "--ndjson"), (Array("\"a,b\"\n\"c,d\"\n".utf8), "--ndjson"),
            (Array("{}}".utf8), nil), (Array("{'a': 1}".utf8), "double quotes"),
            (Array("\nname: x\nb: 2\n".utf8), "looks like YAML"), (Array("---\nkey: 1\n".utf8), "looks like YAML"),
            (Array("- a\n- b\n".utf8), "looks like YAML"), (Array("key:\n  - a".utf8), "looks like YAML"),
            (Array("id,name\n1,Ada\n".utf8), "looks like CSV"), (Array("\"a\";\"b\"\n1;2\n".utf8), "looks like CSV"),
            (Array("data: {\"a\":1}\n\n".utf8), "--framing sse"), (Array("\u{1E}{}\n".utf8), "--framing seq"),
            (Array("[\"caf".utf8) + [0xE9] + Array("\"]".utf8), "iconv -f CP1252 -t UTF-8 | ..."),
            (Array("name=Ada&x=1".utf8), "--input-format form"),
            (Array("HTTP/1.1 200 OK\r\nServer: x\r\n\r\n{}".utf8), "leave out -i"),
            (Array("<note><to>x</to></note>".utf8), "looks like XML"),
            (Array("Error: connection refused".utf8), nil), (Array("Hello, world\nand you\n".utf8), nil),
            (Array("{\"a\": 0x1F}".utf8), "decimal"),
            (Array("[+1]".utf8), "plus sign"), (Array("[a, b]".utf8), nil), (Array("-x".utf8), nil),
            (Array("http://x".utf8), nil), (Array("[{}, x, y: 1]".utf8), nil), (Array("[10, \"0\"x]".utf8), nil),
        ]
        for row in rows {
            let outcome = try ChildProcess(
                program: BuiltProgram.path, arguments: ["minify"], input: .bytes(row.input)
            ).run()
            #expect(outcome.status == 65)
            if let hint = row.hint {
                #expect(outcome.errors.contains("; ") && outcome.errors.contains(hint), "\(outcome.errors)")
            } else {
                #expect(!outcome.errors.contains("; "), "\(outcome.errors)")
            }
        }
    }

    @Test func `NDJSON that is one text on several lines, and a byte order mark between lines, get a hint`() throws {
        for (input, hint) in [("{\n\"a\": 1\n}\n", "leave out --ndjson"), ("{}\n\u{FEFF}{}\n", "byte order mark")] {
            let outcome = try BuiltProgram.run("minify", "--ndjson", input: input)
            #expect(outcome.status == 65 && outcome.errors.contains(hint), "\(outcome.errors)")
        }
        let torn = try BuiltProgram.run("minify", "--ndjson", input: "{}\n{\"a\":\n{}\n")
        #expect(torn.status == 65 && !torn.errors.contains("--ndjson"), "\(torn.errors)")
    }

    @Test func `a file that is read and is also stdout is refused`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("a.ndjson", "{ }\n")
        // Without the check, the program reads what it has written, up to the limit of the file's size. ThreadSanitizer needs larger files.
        let limit = Sanitizer.isActive ? "" : "ulimit -f 64; "
        for command in [
            #"minify "$1" >>"$1""#, #"minify --ndjson <"$1" >>"$1""#, #"convert --keys camelCase "$1" 1<>"$1""#,
            #"minify "$1" -o /dev/stdout >>"$1""#, #"minify "$1" -o /dev/fd/3 3>>"$1""#,
        ] {
            let script = "\(limit)$0 \(command)"
            let outcome = try ChildProcess(
                program: "/bin/sh", arguments: ["-c", script, BuiltProgram.path, file], input: .bytes([])
            ).run()
            #expect(outcome.status == 64 && outcome.errors.contains("is the input and the output"), "\(outcome.errors)")
            #expect(try text(file) == "{ }\n", "\(command)")
        }
    }

    @Test func `check accepts a directory of profiles`() throws {
        let directory = try TemporaryDirectory()
        let good = try directory.write("a.json", #"{"keys": "camelCase"}"#)
        let bad = try directory.write("b.json", #"{"kyes": "camelCase"}"#)
        _ = try directory.write("notes.txt", "none")
        for path in [directory.path, directory.path + "/"] {
            let outcome = try BuiltProgram.run("check", path)
            #expect(outcome.status == 78)
            #expect(outcome.text.contains("\(good): ok") && outcome.text.contains("\(bad):1:2: profile: "))
        }
        let empty = try TemporaryDirectory()
        let outcome = try BuiltProgram.run("check", empty.path)
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("\(empty.path) has no files named *.json"))
    }

    @Test func `JSON and messages have colours on a terminal with colours`() throws {
        let terminal = try Terminal()
        let colors = ["TERM": "xterm"]
        let output = ChildProcess.Output.file(terminal.path)
        _ = try BuiltProgram.run("minify", input: #"{"a": ["b", null]}"#, environment: colors, output: output)
        #expect(
            terminal.text()
                == "{\u{1B}[34;1m\"a\"\u{1B}[0m:[\u{1B}[32m\"b\"\u{1B}[0m,\u{1B}[90mnull\u{1B}[0m]}\r\n")
        for plain in [["TERM": "dumb"], ["TERM": "xterm", "NO_COLOR": "1"], [:]] {
            _ = try BuiltProgram.run("minify", input: "[null]", environment: plain, output: output)
            #expect(terminal.text() == "[null]\r\n")
        }
        #expect(try BuiltProgram.run("minify", input: "[null]", environment: colors).text == "[null]")
        #expect(
            TerminalStyle.painted("a:1:2: json: no: good (/a)")
                == "\u{1B}[1ma:1:2:\u{1B}[0m \u{1B}[31mjson:\u{1B}[0m no: good (/a)")
        #expect(TerminalStyle.painted("convert-server: no (a: b)") == "\u{1B}[1mconvert-server:\u{1B}[0m no (a: b)")
        #expect(TerminalStyle.painted("Try 'x'.") == "Try 'x'.")
    }

    @Test func `the report of check has colours on a terminal, except the file's lines`() throws {
        let directory = try TemporaryDirectory()
        let bold = { (text: String) in "\u{1B}[1m\(text):\u{1B}[0m" }
        let wrong = try directory.write("a.json", #"{"kees": 1}"#)
        let idle = try directory.write("b.json", #"{"keys": {"case": "preserve", "digits": "word"}}"#)
        let rows: [(file: String, start: String)] = [
            (wrong, "\(bold("\(wrong):1:2")) \u{1B}[31mprofile:\u{1B}[0m unknown key"),
            (idle, "\(bold("\(idle):1:31")) \u{1B}[33mwarning:\u{1B}[0m `digits` does nothing"),
        ]
        for row in rows {
            let terminal = try Terminal()
            let output = ChildProcess.Output.file(terminal.path)
            let colors = ["TERM": "xterm"]
            _ = try BuiltProgram.run("check", row.file, environment: colors, output: output)
            let text = terminal.text()
            #expect(text.hasPrefix(row.start), "\(text)")
            #expect(text.contains("\r\n  1 | {\""), "\(text)")
            for plain in [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb"]] {
                _ = try BuiltProgram.run("check", row.file, environment: plain, output: output)
                #expect(!terminal.text().contains("\u{1B}"))
            }
            let json = try BuiltProgram.run(
                "check", "--format", "json", row.file, environment: colors, output: output)
            #expect(json.status == 78 || json.status == 0)
            #expect(!terminal.text().contains("\u{1B}"))
            #expect(try !BuiltProgram.run("check", row.file, environment: colors).text.contains("\u{1B}"))
        }
        for note in ["-: note: 1 event", "a:1:2: condition: x", "a:1:2: one-way: x"] {
            #expect(!TerminalStyle.painted(note).contains("\u{1B}[31m"), "\(note)")
        }
    }

    @Test func `colours do not depend on cuts, and removing them restores the JSON`() {
        let text = #"{"a\"b": {"c": [1, -2.5e3, true, null, "d\\"]}, "e": [], "f": "\u0041"}"# + "\n3\n"
        let bytes = Array(text.utf8)
        var whole = JSONPainter()
        let expected = whole.paint(bytes.span)
        var pieces = JSONPainter()
        #expect(bytes.flatMap { byte in pieces.paint([byte].span) } == expected)
        var plain = String(decoding: expected, as: UTF8.self)
        for code in ["34;1", "32", "90", "33", "0"] {
            plain = plain.split(separator: "\u{1B}[\(code)m", omittingEmptySubsequences: false).joined()
        }
        #expect(plain == text)
    }
}
