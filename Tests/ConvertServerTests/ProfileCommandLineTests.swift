import ConvertEngine
import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertServer

/// The messages of the built program about profiles, as a shell gets them.
struct ProfileCommandLineTests {
    @Test func `a profile with errors exits 78 with every error, its position and a hint`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write(
            "p.json", "{\n  \"kees\": \"camelCase\",\n  \"on\": {\"collision\": \"eror\"}\n}")
        let convert = try BuiltProgram.run("convert", "--profile", profile, input: "{}")
        #expect(convert.status == 78)
        #expect(convert.output.isEmpty)
        #expect(convert.errorLines.count == 2)
        #expect(convert.errors.contains("\(profile):2:3: profile: "))
        #expect(convert.errors.contains("did you mean `keys`? (/kees)"))
        #expect(convert.errors.contains("\(profile):3:23: profile: "))
        #expect(convert.errors.contains("did you mean `error`?"))
        let check = try BuiltProgram.run("check", profile)
        #expect(check.status == 78)
        #expect(check.text == convert.errors)
        let cut = try directory.write("cut.json", "{\"keys\": ")
        #expect(
            try BuiltProgram.run("convert", "--profile", cut, input: "{}").errors.hasPrefix("\(cut):1:10: profile: "))
    }

    @Test func `an error outside of files is reported without a position`() throws {
        let lone = try BuiltProgram.run("convert", "--keys", "camelCase", "--direction", "inverse", input: "{}")
        #expect(lone.status == 78)
        #expect(lone.errors.hasPrefix("convert-server: profile: `keys` is one way without `from`"))
        #expect(lone.errorLines.count == 1)
        let directory = try TemporaryDirectory()
        let profile = try directory.write("p.json", "{\"keys\": {\"case\": \"camelCase\", \"from\": \"snake_case\"}}")
        let replaced = try BuiltProgram.run(
            "convert", "--profile", profile, "--keys", "kebab-case", "--direction", "inverse", input: "{}")
        #expect(replaced.status == 78)
        #expect(replaced.errors.hasPrefix("convert-server: profile: `keys` is one way without `from`"))
        #expect(replaced.errors.hasSuffix(" (--keys)\n"))
        let unreadable = try directory.write("q.json", "{\"keys\": \"camelCase\"}")
        let filed = try BuiltProgram.run("convert", "--profile", unreadable, "--direction", "inverse", input: "{}")
        #expect(filed.status == 78)
        #expect(filed.errors.hasPrefix("\(unreadable):1:10: profile: `keys` is one way without `from`"))
        let large = try directory.write("large.json", String(repeating: " ", count: ProfileFile.maxBytes + 1))
        #expect(
            try BuiltProgram.run("convert", "--profile", large, input: "{}").errors
                == "convert-server: \(large) is larger than \(ProfileFile.maxBytes) bytes\n")
    }

    @Test func `check explains a profile on a payload`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("p.json", "{\"rename\": {\"a\": \"b\"}, \"drop\": \"/c\"}")
        let outcome = try BuiltProgram.run("check", "--explain", "-", profile, input: "{\"a\": 1, \"c\": 2}")
        #expect(outcome.status == 0)
        #expect(
            outcome.text.hasSuffix(
                """
                \(profile): -: 2 effects
                  IN  OUT  RULE        WHAT
                  /a  /b   rename "a"  rename: `a` -> `b`
                  /c  -    drop "/c"   drop: discarded with everything below it

                """), "\(outcome.text)")
        let broken = try BuiltProgram.run("check", "--explain", "-", profile, input: "{\"a\": 1, \"b\": 2}")
        #expect(broken.status == 65)
        #expect(broken.text.contains("\n-:1:10: collision: "), "\(broken.text)")
        #expect(try BuiltProgram.run("check", "--explain", "-", "-").status == 64)
        #expect(try BuiltProgram.run("check", "--direction", "inverse", profile).status == 64)
        #expect(try BuiltProgram.run("check", "--explain", "\(directory.path)/none", profile).status == 66)
    }

    @Test func `an explanation takes little memory, however long the indented output is`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("indented.json", #"{"output": {"indent": 16}}"#)
        // Each of 20,000 elements is on a line with 16 spaces for each of 500 levels: 160 MB.
        let (opening, closing) = (String(repeating: "[", count: 500), String(repeating: "]", count: 500))
        let payload = opening + String(repeating: "1,", count: 20_000) + "1" + closing
        let outcome = try BuiltProgram.run("check", "--explain", "-", profile, input: payload)
        #expect(outcome.status == 0)
        let peak = try #require(outcome.peakResidentKilobytes)
        #expect(peak < 100 * 1024 || Sanitizer.isActive, "\(peak) kB")
    }

    @Test func `check explains rules without effect, the inverse direction, NDJSON and other formats`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write(
            "p.json", #"{"rename": {"/user/a": "b", "/c": "d"}, "keys": {"case": "camelCase", "from": "snake_case"}}"#)
        func table(_ input: String, _ options: String...) throws -> [Substring] {
            let outcome = try BuiltProgram.run(
                arguments: ["check", "--explain", "-"] + options + [profile], input: input)
            let lines = outcome.text.split(separator: "\n")
            return Array(lines.drop { !$0.contains(" effect") }.dropFirst())
        }
        #expect(
            try table("{\"user\": {\"a\": 1, \"c\": 2}}") == [
                "  IN       OUT      RULE              WHAT",
                "  /user/a  /user/b  rename \"/user/a\"  rename: `a` -> `b`",
                "  NO EFFECT", "  rename \"/c\"  `c` is at /user/c",
                "  keys         every key is written in this case already, or is never converted",
            ])
        #expect(
            try table("{\"user\": {\"b\": 1}, \"xY\": 1}", "--direction", "inverse").prefix(3) == [
                "  IN       OUT      RULE              WHAT",
                "  /user/b  /user/a  rename \"/user/a\"  rename: `b` -> `a`",
                "  /xY      /x_y     keys              key: `xY` -> `x_y`",
            ])
        #expect(
            try table("{\"x_y\": 1}\n{\"x_y\": 2}\n", "--ndjson").prefix(2) == [
                "  IN       OUT  RULE  WHAT", "  /x_y ×2  /xY  keys  key: `x_y` -> `xY`",
            ])
        #expect(
            try table("x_y=1", "--input-format", "form").dropFirst().first == "  /x_y  /xY  keys  key: `x_y` -> `xY`")
        let lines = try BuiltProgram.run(arguments: ["check", "--explain", "-", profile], input: "{}\n{}\n")
        #expect(lines.status == 65 && lines.text.contains("add --ndjson"))
    }

    @Test func `check reports on every file and ends with the worst finding`() throws {
        let directory = try TemporaryDirectory()
        let good = try directory.write("good.json", "{\"examples\": [{\"in\": [ 1 ], \"out\": [1]}]}")
        let plain = try directory.write("plain.json", "{}")
        let wrong = try directory.write("wrong.json", "{\"examples\": [{\"in\": [1], \"out\": [2]}]}")
        let faulty = try directory.write("faulty.json", "[]")
        let missing = "\(directory.path)/missing.json"
        let sound = try BuiltProgram.run("check", good, plain)
        #expect(sound.status == 0)
        #expect(
            sound.text
                == "\(good): ok, 1 example holds\n\(good): reversible\n\(plain): ok, no examples\n\(plain): reversible\n"
        )
        let lossy = try directory.write("lossy.json", "{\n  \"keys\": \"camelCase\", \"drop\": [\"/a\"]}")
        let oneWay = try BuiltProgram.run("check", lossy).text.split(separator: "\n")
        #expect(oneWay == ["\(lossy): ok, no examples", "\(lossy): one way: keys, drop"])
        let detailed = try BuiltProgram.run("check", "--verbose", lossy).text.split(separator: "\n")
        #expect(
            detailed.dropFirst().map { $0.prefix { $0 != ";" } } == [
                "\(lossy):2:11: one-way: `keys` is one way without `from`, the case of the input's keys",
                "\(lossy):2:33: one-way: dropped values cannot come back",
            ])
        let backwards = try directory.write(
            "backwards.json", #"{"rename": {"a": "b"}, "examples": [{"in": {"b": 1}, "out": {"b": 1}}]}"#)
        let broken = try BuiltProgram.run("check", backwards)
        #expect(broken.status == 65)
        #expect(broken.text.contains(#"example: the example gives back {"a":1}, not {"b":1} (/examples/0)"#))
        let failed = try BuiltProgram.run("check", good, wrong)
        #expect(failed.status == 65)
        #expect(failed.text.contains("\(wrong):1:15: example: the example gives [1], not [2] (/examples/0)\n"))
        let unread = try BuiltProgram.run("check", wrong, missing, good)
        #expect(unread.status == 66)
        #expect(unread.errors.contains("cannot read \(missing): No such file"))
        #expect(unread.text.contains("\(good): ok"))
        let all = try BuiltProgram.run("check", faulty, wrong, missing, good)
        #expect(all.status == 78)
        #expect(all.text.contains("\(faulty):1:1: profile: "))
    }

    @Test func `check writes its findings as JSON, SARIF and commands for GitHub Actions`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("p.json", "{\n  \"rename\": {\"$.a\": \"b\"}, \"kees\": 1}")
        func report(_ format: String) throws -> String {
            let outcome = try BuiltProgram.run("check", "--format", format, profile)
            #expect(outcome.status == 78, "\(outcome.errors)")
            return outcome.text
        }
        let json = try JSONDecoder().decode(Findings.self, from: Data(try report("json").utf8))
        #expect(json.findings.map(\.file) == [profile, profile])
        #expect(json.findings.map { [$0.line, $0.column] } == [[2, 27], [2, 14]])
        #expect(json.findings.map(\.level) == ["error", "warning"])
        #expect(json.findings.map(\.code) == ["profile", "warning"])
        let sarif = try report("sarif")
        #expect(sarif.hasPrefix(#"{"version":"2.1.0","$schema":"#))
        #expect(sarif.contains(#""region":{"startLine":2,"startColumn":27}"#))
        let commands = try report("github").split(separator: "\n")
        #expect(
            commands.first?.hasPrefix("::error file=\(profile),line=2,col=27,title=profile::unknown key `kees`") == true
        )
        #expect(
            commands.last?.hasPrefix("::warning file=\(profile),line=2,col=14,title=warning::`$.a` matches only")
                == true)
    }

    @Test func `SARIF names files by URI references`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("a b:é%#~.json", #"{"kees": 1}"#)
        let text = try BuiltProgram.run("check", "--format", "sarif", profile).text
        #expect(text.contains(#""uri":"\#(directory.path)/a%20b%3A%C3%A9%25%23~.json""#), "\(text)")
    }

    @Test func `keys and file names cannot add commands for GitHub Actions`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write(
            "a,b:\n::error::%.json", #"{"keys": "camelCase", "x\n::error::owned\r": 1, "y\r\n::notice::50%": 1}"#)
        let outcome = try BuiltProgram.run("check", "--format", "github", profile)
        #expect(outcome.status == 78)
        let lines = outcome.text.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
        #expect(lines.count == 2, "\(lines)")
        let file = "\(directory.path)/a%2Cb%3A%0A%3A%3Aerror%3A%3A%25.json"
        for (line, key) in zip(lines, ["x%0A::error::owned%0D", "y%0D%0A::notice::50%25"]) {
            #expect(line.hasPrefix("::error file=\(file),line=1,col="), "\(line)")
            #expect(line.contains(",title=profile::unknown key `\(key)`"), "\(line)")
            #expect(!line.utf8.contains(UInt8(ascii: "\r")))
        }
    }

    private struct Findings: Decodable {
        struct Finding: Decodable {
            var file: String
            var line: Int
            var column: Int
            var level: String
            var code: String
        }
        var findings: [Finding]
    }

    @Test func `findings keep their position in a file whose path has colons`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("a: 1:2: b.json", #"{"version":1,"kees":{}}"#)
        let outcome = try BuiltProgram.run("check", "--format", "json", profile)
        let json = try JSONDecoder().decode(Findings.self, from: Data(outcome.text.utf8))
        #expect(json.findings.map(\.file) == [profile])
        #expect(json.findings.map { [$0.line, $0.column] } == [[1, 14]])
    }

    @Test func `check of a configuration runs examples and prints the losses of inverse profiles`() throws {
        let directory = try TemporaryDirectory()
        func check(_ profile: String) throws -> ChildProcess.Outcome {
            _ = try directory.write("p.json", profile)
            let configuration = try directory.write(
                "../\(directory.path.split(separator: "/").last ?? "").config",
                """
                {"profiles": "\(directory.path)", "upstreams": {"u": {"servers": "http://127.0.0.1:1"}}, "admin": "127.0.0.1:2",
                 "routes": [{"match": "/", "upstream": "u", "request": {"profile": "p", "direction": "inverse"}}]}
                """)
            return try BuiltProgram.run("check", "--config", configuration)
        }
        let twice = try check(#"{"rename": {"a": "x", "b": "x"}}"#)
        #expect(twice.status == 78)
        #expect(
            twice.text.contains(
                "p.json:1:23: profile: `a` on line 1 also becomes `x`, and a route uses the profile backwards;"))
        let condition = try check(#"{"keys": {"case": "camelCase", "from": "snake_case"}}"#)
        #expect(condition.status == 0)
        #expect(condition.text.contains("p.json:1:10: condition: reversible, except keys"))
        let loss = try check(#"{"drop": "/password"}"#)
        #expect(loss.status == 0)
        #expect(loss.text.contains("p.json:1:10: one-way: dropped values cannot come back"))
        let example = try check(#"{"rename": {"a": "b"}, "examples": [{"in": {"a": 1}, "out": {"c": 1}}]}"#)
        #expect(example.status == 65)
        #expect(example.text.contains(#"p.json:1:37: example: the example gives {"b":1}, not {"c":1}"#))
    }

    @Test func `an excerpt shows the line with a caret below the column`() {
        let text = Array("{\n\t\"kees\": 1\n}".utf8)
        #expect(SourceExcerpt(text, line: 2, column: 2).lines == ["  2 |  \"kees\": 1", "       ^"])
        #expect(SourceExcerpt(text, line: 9, column: 1).lines == [])
        let long = Array(String(repeating: "a", count: 500).utf8)
        let lines = SourceExcerpt(long, line: 1, column: 401).lines
        #expect(lines.map(\.count) == [106, 67] && lines.last?.last == "^")
    }
}
