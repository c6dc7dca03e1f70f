import TestSupport
import Testing

@testable import ConvertServer

/// Keys and file names with control characters, in what the program writes for people.
struct SingleLineTests {
    /// Whether it has a control character that is not the end of a line.
    private static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" }
    }

    @Test func `each control character becomes the escape of JSON`() {
        let rows: [(text: String, shown: String)] = [
            ("", ""), (#"a "\n" é"#, #"a "\n" é"#), ("\r\n", #"\r\n"#),
            ("\0\u{7}\u{8}\t\n\u{B}\u{C}\r", #"\u0000\u0007\b\t\n\u000b\f\r"#),
            ("\u{1B}[2J\u{1F} ~\u{7F}", #"\u001b[2J\u001f ~\u007f"#), ("\u{80}\u{9F}\u{A0}", "\\u0080\\u009f\u{A0}"),
        ]
        for row in rows { #expect(SingleLine(row.text).text == row.shown) }
    }

    @Test func `an error of a payload is one line, whatever its keys and its file are called`() throws {
        let key = #"\u001b[2J\n\u0085"#
        let payload = #"{"\#(key)":1,"\#(key)":2}"#
        let directory = try TemporaryDirectory()
        let file = try directory.write("a\u{1B}[1m\n.json", payload)
        for arguments in [["convert", "--keys", "camelCase", file], ["check", "--explain", file, "-"]] {
            let outcome = try BuiltProgram.run(arguments: arguments, input: #"{"keys":"camelCase"}"#)
            #expect(outcome.status == 65)
            let report = outcome.text.isEmpty || outcome.text.hasPrefix("{") ? outcome.errors : outcome.text
            #expect(!Self.hasControls(report), "\(report)")
            let lines = report.split(separator: "\n").filter { $0.contains(": duplicateKey: ") }
            #expect(lines.count == 1, "\(report)")
            #expect(lines.first?.contains(#"/a\u001b[1m\n.json:1:"#) == true, "\(report)")
            #expect(lines.first?.contains(#"duplicate key "\#(key)""#) == true, "\(report)")
        }
        let missing = try BuiltProgram.run("minify", "none\n\u{1B}")
        #expect(missing.errors.contains(#"cannot read none\n\u001b: "#) && missing.errorLines.count == 1)
        // The payload is written as it is.
        #expect(try BuiltProgram.run("minify", input: "[\"\u{7F}\u{85}\"]").text == "[\"\u{7F}\u{85}\"]")
    }

    @Test func `tables and reports on profiles have escapes, and JSON has its own`() throws {
        let directory = try TemporaryDirectory()
        let old = try directory.write("old.json", #"{"drop":"/d/x\u0085"}"#)
        let new = try directory.write("new.json", "{}")
        let payload = #"{"d":{"x\u0085":1,"y":2}}"#
        let explained = try BuiltProgram.run("check", "--explain", "-", old, input: payload)
        #expect(!Self.hasControls(explained.text))
        #expect(
            explained.text.hasSuffix(
                #"""
                  IN          OUT  RULE               WHAT
                  /d/x\u0085  -    drop "/d/x\u0085"  drop: discarded with everything below it

                """#), "\(explained.text)")
        let compared = try BuiltProgram.run("diff", "-p", old, "-p", new, input: payload)
        #expect(!Self.hasControls(compared.text))
        #expect(
            compared.text.hasSuffix(
                #"""
                  PATH        DIFFERENCE   OLD RULE           NEW RULE
                  /d/x\u0085  only-in-new  drop "/d/x\u0085"  -

                """#), "\(compared.text)")
        let faulty = try directory.write("faulty.json", #"{"keys":"camelCase","x\u001b\n":1}"#)
        let message = #"unknown key `x\u001b\n`; known keys"#
        let checked = try BuiltProgram.run("check", faulty)
        #expect(checked.text.contains(message) && !Self.hasControls(checked.text), "\(checked.text)")
        let findings = try BuiltProgram.run("check", "--format", "json", faulty).text
        #expect(findings.contains(#"unknown key `x\u001b\u000a`"#), "\(findings)")
        let commands = try BuiltProgram.run("check", "--format", "github", faulty).text
        #expect(commands.contains(#"unknown key `x\u001b%0A`"#) && !Self.hasControls(commands), "\(commands)")
    }
}
