import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertCodable
@testable import ConvertEngine
@testable import ConvertProfiles

/// A patch that is applied before the conversion has the same effect as the converted patch after it.
struct PatchSquareTests {
    private struct Case {
        let label: String
        let document, patch: JSONValue
        let expected: JSONValue?
        let fails: Bool
    }

    /// The cases of json-patch-tests, including those that are disabled there.
    private static func cases() throws -> [Case] {
        try ["tests.json", "spec_tests.json"].flatMap { file in
            let rows = try #require(try JSONValue(parsing: Fixtures.bytes("json-patch/\(file)")).array)
            return try rows.enumerated().map { index, row in
                Case(
                    label: "\(file) \(index)", document: try #require(row["doc"]), patch: try #require(row["patch"]),
                    expected: row["expected"], fails: row["error"] != nil)
            }
        }
    }

    /// Profiles that rename the suite's keys, by name or by path, and that map values behind them.
    private static let profiles = [
        "renames":
            #"{ "rename": { "a_foo": "foo", "a_bar": "bar", "/the_baz": "baz", "/child/grand": "grandchild" } }"#,
        "swapped": #"{ "rename": { "foo": "bar", "bar": "foo", "qux": "baz", "baz": "qux" } }"#,
        "escapes": #"{ "rename": { "a~1b": "foo", "c~0d": "bar", "é\"": "baz" } }"#,
        "cased": #"{ "keys": { "case": "PascalCase", "from": "camelCase" } }"#,
        "opaque": #"{ "keys": { "case": "PascalCase", "from": "camelCase", "opaque": "/foo" } }"#,
        "values":
            #"{ "values": { "at": "baz", "map": { "one": "qux", "two": "bar" } }, "on": { "badValue": "keep" } }"#,
    ]

    /// These profiles and the example profiles, with their names.
    private static func allProfiles() throws -> [(name: String, profile: Profile)] {
        let folder = URL(filePath: BuiltProgram.project + "/examples/profiles")
        let examples = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { file in
            (name: file, document: Array(try Data(contentsOf: folder.appending(path: file))))
        }
        return try (examples + profiles.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) }).map {
            ($0.name, try Profile(parsing: $0.document))
        }
    }

    private static func converted(_ value: JSONValue, _ plan: Plan) throws -> JSONValue {
        try JSONValue(parsing: try plan.convert(value.bytes()))
    }

    private static func convertedPatch(_ patch: JSONValue, _ plan: Plan) throws -> JSONValue {
        var converter = Converter(plan)
        var output = ByteBuffer()
        try converter.convert(patch: patch.bytes(), into: &output)
        return try JSONValue(parsing: Array(output))
    }

    @Test func `the suite has 112 cases, and the patch code of these tests passes them`() throws {
        let cases = try Self.cases()
        #expect(cases.count == 112)
        for test in cases {
            let result = try? PatchedDocument.applying(test.patch, to: test.document)
            // In a disabled case, the key `op` of an operation occurs twice; in the suite's own text it occurs once.
            #expect(
                (result == nil) == test.fails || test.label == "tests.json 82" || test.label.hasSuffix(" 13"),
                "\(test.label)")
            if let expected = test.expected, let result {
                #expect(PatchedDocument.isSame(result, expected), "\(test.label)")
            }
        }
    }

    @Test func `patches of the suite have the same effect before and after the conversion`() throws {
        let cases = try Self.cases()
        var squares: [String: Int] = [:]
        for (name, profile) in try Self.allProfiles() {
            for direction in Profile.Direction.allCases {
                guard let plan = try? profile.compile(direction), plan.patchHindrance == nil else { continue }
                for test in cases {
                    // Some profiles refuse some documents, e.g. because two keys would become one.
                    guard let document = try? Self.converted(test.document, plan) else { continue }
                    let patched = try? PatchedDocument.applying(test.patch, to: test.document)
                    let expected = patched.flatMap { try? Self.converted($0, plan) }
                    if patched != nil, expected == nil { continue }
                    let label = "\(name) \(direction) \(test.label)"
                    let patch: JSONValue
                    do {
                        patch = try Self.convertedPatch(test.patch, plan)
                    } catch {
                        // An operation that cannot be applied, or one that takes a value to a path with other rules.
                        #expect(patched == nil || "\(error)".contains("in different ways"), "\(label): \(error)")
                        continue
                    }
                    let result = try? PatchedDocument.applying(patch, to: document)
                    guard patched != nil else {
                        #expect(result == nil, "\(label)")
                        continue
                    }
                    #expect(
                        result.flatMap { result in expected.map { PatchedDocument.isSame(result, $0) } } == true,
                        "\(label): \(patch)")
                    squares[name, default: 0] += 1
                }
            }
        }
        #expect(squares.keys.count >= 12, "\(squares)")
        for (name, count) in squares { #expect(count >= 50, "\(name)") }
    }

    @Test func `merge patches have the same effect before and after the conversion`() throws {
        // RFC 7396, appendix A: the document, the patch and the result.
        let rows = [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ]
        let own = [
            #"{ "rename": { "x_a": "a", "/a/b": "bee", "b": "y" }, "keys": { "case": "PascalCase", "from": "camelCase" } }"#,
            #"{ "values": { "at": "a", "map": { "b": "c", "x": "foo" } }, "on": { "badValue": "keep" } }"#,
        ].map { Array($0.utf8) }
        let profiles = try own.map { ("own", try Profile(parsing: $0)) } + Self.allProfiles()
        var squares = 0
        for (document, patch, expected) in rows {
            let (document, patch) = (try JSONValue(parsing: document), try JSONValue(parsing: patch))
            let merged = PatchedDocument.merging(patch, into: document)
            #expect(merged == (try JSONValue(parsing: expected)))
            for (name, profile) in profiles {
                for direction in Profile.Direction.allCases {
                    guard let plan = try? profile.compile(direction), plan.patchHindrance == nil else { continue }
                    guard let target = try? Self.converted(document, plan),
                        let whole = try? Self.converted(merged, plan),
                        let change = try? Self.converted(patch, plan)
                    else { continue }
                    #expect(PatchedDocument.merging(change, into: target) == whole, "\(name) \(direction) \(patch)")
                    squares += 1
                }
            }
        }
        #expect(squares >= 300, "\(squares)")
    }
}
