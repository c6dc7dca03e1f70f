import TestSupport
import Testing

/// `infer` on the command line.
struct InferCommandTests {
    @Test func `infer writes a profile that check accepts and convert applies`() throws {
        let directory = try TemporaryDirectory()
        let payload = try directory.write("a.json", #"{"user_name": "Ada", "created_at": "2024-07-14T18:30:00+02:00"}"#)
        let wanted = try directory.write("b.json", #"{"userName": "Ada", "createdAt": 1720974600}"#)
        let profile = "\(directory.path)/profile.json"
        let inferred = try BuiltProgram.run("infer", "--in", payload, "--out", wanted, "-o", profile)
        #expect(inferred.status == 0, "\(inferred.errors)")
        #expect(inferred.text.isEmpty)
        let checked = try BuiltProgram.run("check", profile)
        #expect(checked.status == 0 && checked.text.hasPrefix("\(profile): ok"), "\(checked.text)")
        let other = try directory.write("c.json", #"{"last_login":1,"created_at":"1970-01-01T00:00:05Z"}"#)
        let converted = try BuiltProgram.run("convert", "-p", profile, other)
        #expect(converted.text == #"{"lastLogin":1,"createdAt":5}"#)
    }

    @Test func `a sample that does not come back is no example of a reversible profile`() throws {
        let directory = try TemporaryDirectory()
        let arguments = try [
            (
                #"{"user":{"title":"Dr"},"name":"x","pet":{"name":"y"}}"#,
                #"{"user":{"title":"Dr"},"title":"x","pet":{"title":"y"}}"#
            ),
            (#"{"pet":{"name":"z"}}"#, #"{"pet":{"title":"z"}}"#),
        ].enumerated().flatMap { index, sample in
            [
                "--in", try directory.write("i\(index).json", sample.0),
                "--out", try directory.write("o\(index).json", sample.1),
            ]
        }
        let profile = "\(directory.path)/profile.json"
        #expect(try BuiltProgram.run(arguments: ["infer"] + arguments + ["-o", profile]).status == 0)
        let checked = try BuiltProgram.run("check", profile)
        #expect(checked.status == 0 && checked.text.hasPrefix("\(profile): ok, 1 example holds"), "\(checked.text)")
        #expect(checked.text.contains("\(profile): reversible"))
    }

    @Test func `each line of NDJSON is a separate sample`() throws {
        let directory = try TemporaryDirectory()
        let payloads = try directory.write("a.ndjson", "{\"s\":0}\n{\"s\":1}\n{\"s\":0}\n")
        let wanted = try directory.write("b.ndjson", "{\"s\":\"off\"}\n{\"s\":\"on\"}\n{\"s\":\"off\"}\n")
        let inferred = try BuiltProgram.run("infer", "--in", payloads, "--out", wanted)
        #expect(inferred.status == 0, "\(inferred.errors)")
        #expect(inferred.text.contains(#""0": "off""#) && inferred.text.contains(#""1": "on""#))
        let short = try directory.write("c.ndjson", "{}\n")
        let uneven = try BuiltProgram.run("infer", "--in", payloads, "--out", short)
        #expect(uneven.status == 65)
        #expect(uneven.errors.contains("\(payloads) has 3 payloads, and \(short) has 1"))
        let misnamed = try directory.write("d.json", "{}\n{}\n")
        let unread = try BuiltProgram.run("infer", "--in", misnamed, "--out", misnamed)
        #expect(unread.status == 65 && unread.errors.contains("name the file *.ndjson"), "\(unread.errors)")
    }

    @Test func `samples without a profile are reported, and nothing is written`() throws {
        let directory = try TemporaryDirectory()
        let payload = try directory.write("a.json", #"{"a":1}"#)
        let one = try directory.write("b.json", #"{"a":2}"#)
        let other = try directory.write("c.json", #"{"a":3}"#)
        let profile = try directory.write("profile.json", "{}")
        let failed = try BuiltProgram.run(
            "infer", "--in", payload, "--out", one, "--in", payload, "--out", other, "-o", profile)
        #expect(failed.status == 65)
        #expect(failed.errors.contains("no profile was found that explains all samples"))
        #expect(failed.errors.contains("\(payload) -> "))
        #expect(try BuiltProgram.run("check", profile).status == 0)
        let kept = try BuiltProgram.run("minify", profile)
        #expect(kept.text == "{}")
    }

    @Test(arguments: [
        (["infer"], 64, "infer needs --in FILE and --out FILE"),
        (["infer", "--in", "a.json"], 64, "not 0 for 1"),
        (["infer", "--in", "/nowhere/a", "--out", "/nowhere/b"], 66, "cannot read /nowhere/a"),
    ])
    func `infer reports missing arguments`(words: [String], status: Int32, message: String) throws {
        let outcome = try BuiltProgram.run(arguments: words)
        #expect(outcome.status == status)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func `a sample that is not JSON is reported with its position`() throws {
        let directory = try TemporaryDirectory()
        let payload = try directory.write("a.json", "{\"a\":\n1,}")
        let outcome = try BuiltProgram.run("infer", "--in", payload, "--out", payload)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("\(payload):2:3: json: "), "\(outcome.errors)")
    }
}
