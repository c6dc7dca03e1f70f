import Testing

@testable import YAMLText

/// Expected values are from YAML 1.2.2: its core schema (§10.3) and its examples.
@Suite(.enabled(if: YAMLDocument.isReadable, "built without libyaml"))
struct YAMLDocumentTests {
    private static func json(_ text: String, maxBytes: Int = 1_000_000) throws -> String {
        String(decoding: try YAMLDocument.json(of: Array(text.utf8), maxBytes: maxBytes, maxDepth: 50), as: UTF8.self)
    }

    private static func refusal(_ text: String, maxBytes: Int = 1_000_000) -> String? {
        do {
            return "no error: " + (try json(text, maxBytes: maxBytes))
        } catch let error as YAMLError {
            return "\(error.line):\(error.column): \(error.message)"
        } catch {
            return nil
        }
    }

    @Test(arguments: [
        ("", "null"), ("~", "null"), ("Null", "null"), ("nULL", #""nULL""#), ("true", "true"), ("False", "false"),
        ("yes", #""yes""#), ("on", #""on""#), ("0", "0"), ("-0", "-0"), ("+12", "12"), ("007", "7"), ("-012", "-12"),
        ("0o14", "12"), ("0xC", "12"), ("0xfg", #""0xfg""#), ("0o8", #""0o8""#), ("1_000", #""1_000""#),
        ("123456789012345678901234567890", "123456789012345678901234567890"), ("1.50", "1.50"), ("-.5", "-0.5"),
        ("1.", "1"), ("12e03", "12e03"), ("-2E+05", "-2E+05"), ("1.e2", "1e2"), (".", #"".""#), ("-", "[null]"),
        ("1e", #""1e""#), ("e3", #""e3""#), ("3.0.0", #""3.0.0""#), ("2001-12-14", #""2001-12-14""#),
        ("12:30", #""12:30""#),
        ("'1'", #""1""#), (#""\u00e9\n""#, #""é\n""#), ("!!str 1", #""1""#), ("! 1", #""1""#), ("!!int '7'", "7"),
        ("!!null ''", "null"), ("été", #""été""#),
    ])
    func `scalars have the values of the core schema`(scalar: String, expected: String) throws {
        #expect(try Self.json("- " + scalar) == "[\(expected)]", "\(scalar)")
    }

    @Test func `collections keep their order, and keys are strings`() throws {
        let text = """
            # A comment.
            responses:
              200: {description: OK}
              '404': {}
              default:
                enum: [a, "b", 1, ~]
                empty: []
            null: |
              two
              lines
            folded: >-
              one
              line

            """
        #expect(
            try Self.json(text) == """
                {"responses":{"200":{"description":"OK"},"404":{},"default":{"enum":["a","b",1,null],"empty":[]}},\
                "null":"two\\nlines\\n","folded":"one line"}
                """)
    }

    @Test func `an alias is replaced by its value`() throws {
        #expect(
            try Self.json("a: &x {b: [1]}\nc: *x\nd: &y 2\ne: [*y, *x]")
                == #"{"a":{"b":[1]},"c":{"b":[1]},"d":2,"e":[2,{"b":[1]}]}"#)
        #expect(try Self.json("[&x 1, *x, &x 2, *x]") == "[1,1,2,2]")
    }

    @Test func `JSON is YAML`() throws {
        let text = #"{"a":[1,-2.5e3,true,null,"é\"\\/"],"b":{}}"#
        #expect(try Self.json(text) == text)
        #expect(try Self.json("\u{FEFF}" + text) == text)
    }

    @Test(arguments: [
        ("", "1:1: expected a document, and there is none"),
        ("a: 1\n---\nb: 2", "2:1: a second document begins; expected one"),
        ("a: 1\na: 2", "2:1: the key `a` occurs twice in one mapping"),
        ("1: a\n'1': b", "2:1: the key `1` occurs twice in one mapping"),
        ("a: &x\n  b: *x", "2:6: the alias `x` has no complete value before it"),
        ("a: *x", "1:4: the alias `x` has no complete value before it"),
        ("a: &x b\n*x : 1", "2:1: an alias cannot be a key"),
        ("&x a: 1", "1:1: a key cannot have an anchor"),
        ("a: &x {b: 1}\nc: {<<: *x}", "2:5: merge keys (`<<`) are not in YAML 1.2; write the members out"),
        ("? [a]\n: b", "1:3: a key is a mapping or a sequence; expected a string"),
        ("a: .inf", "1:4: JSON has no number `.inf`"), ("a: -.INF", "1:4: JSON has no number `-.INF`"),
        ("a: .NaN", "1:4: JSON has no number `.NaN`"),
        ("a: !mine b", "1:4: the tag `!mine` has no counterpart in JSON"),
        ("a: !!set {b}", "1:4: the tag `tag:yaml.org,2002:set` has no counterpart in JSON"),
        ("!mine a: 1", "1:1: the tag `!mine` has no counterpart in JSON"),
        ("a: !!int b", "1:4: `b` is not what the tag `tag:yaml.org,2002:int` says"),
        ("é: .inf", "1:5: JSON has no number `.inf`"),
        (
            "a:\n  " + String(repeating: "[", count: 60) + String(repeating: "]", count: 60),
            "2:52: more than 50 nested mappings and sequences"
        ),
        ("a: !!binary aGk=", "1:4: the tag `tag:yaml.org,2002:binary` has no counterpart in JSON"),
    ])
    func `YAML without a counterpart in JSON is an error with its position`(text: String, expected: String) {
        #expect(Self.refusal(text) == expected)
    }

    @Test func `text that is not YAML is an error with its position`() {
        #expect(Self.refusal("a: 'b")?.hasPrefix("1:6: ") == true, "\(Self.refusal("a: 'b") ?? "")")
        #expect(Self.refusal("a: 1\n\tb: 2")?.hasPrefix("2:") == true)
        #expect(Self.refusal("a: [1, 2")?.hasPrefix("2:1: ") == true)
        let invalid = Array(String(repeating: "- é\n", count: 100).utf8) + [0x2D, 0x20, 0xC3, 0xA9, 0xFF]
        #expect(throws: YAMLError.self) { try YAMLDocument.json(of: invalid, maxBytes: 1000, maxDepth: 50) }
        do throws(YAMLError) {
            _ = try YAMLDocument.json(of: invalid, maxBytes: 1000, maxDepth: 50)
        } catch {
            #expect(error.line == 101 && error.column == 5 && error.message.contains("UTF-8"))
        }
        #expect((try? YAMLDocument.json(of: [0x61, 0x3A, 0x20, 0xFF], maxBytes: 100, maxDepth: 50)) == nil)
        #expect((try? YAMLDocument.json(of: [0x61, 0x3A, 0x20, 0x00], maxBytes: 100, maxDepth: 50)) == nil)
    }

    @Test func `the size of a text with its aliases replaced is limited`() {
        var text = "a0: &a0 [xxxxxxxxxx]\n"
        for level in 1...40 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        #expect(
            Self.refusal(text, maxBytes: 100_000)?.hasSuffix("more than 100000 bytes with its aliases replaced") == true
        )
    }
}
