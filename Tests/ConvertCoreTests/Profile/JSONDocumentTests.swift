import ConvertText
import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct JSONDocumentTests {
    private static func parse(_ text: String) throws(ProfileFault) -> JSONDocument {
        try JSONDocumentParser.parse(Array(text.utf8))
    }

    private static func kind(_ text: String) throws(ProfileFault) -> JSONDocument.Kind {
        try parse(text)[JSONDocument.root].kind
    }

    @Test func `every node has its pointer, line, column and text`() throws {
        let document = try Self.parse("{\n  \"a/b\": [1,\n\t{\"~\": \"é\", \"\": [ ] }],\r\n \"é\": null}")
        let rows: [(pointer: String, line: Int, column: Int, source: String)] = [
            ("", 1, 1, "{\n  \"a/b\": [1,\n\t{\"~\": \"é\", \"\": [ ] }],\r\n \"é\": null}"),
            ("/a~1b", 2, 10, "[1,\n\t{\"~\": \"é\", \"\": [ ] }]"),
            ("/a~1b/0", 2, 11, "1"),
            ("/a~1b/1", 3, 2, "{\"~\": \"é\", \"\": [ ] }"),
            ("/a~1b/1/~0", 3, 8, "\"é\""),
            ("/a~1b/1/", 3, 18, "[ ]"),
            ("/é", 4, 8, "null"),
        ]
        #expect(document.nodes.count == rows.count)
        for (index, row) in rows.enumerated() {
            let id = JSONDocument.NodeID(index: index)
            let position = document.position(of: document[id].start)
            #expect(document.pointer(to: id) == row.pointer)
            #expect(position == .init(line: row.line, column: row.column), "\(row.pointer)")
            #expect(document.source(of: id) == Array(row.source.utf8))
        }
    }

    @Test func `scalars keep their bytes`() throws {
        let rows: [(String, JSONDocument.Kind)] = [
            ("null", .null), ("true", .boolean(true)), (" false\n", .boolean(false)),
            ("-0.0e+10", .number(Array("-0.0e+10".utf8))),
            ("12345678901234567890", .number(Array("12345678901234567890".utf8))),
            (#""\"\\\/\b\f\n\r\t""#, .string([0x22, 0x5C, 0x2F, 8, 0x0C, 0x0A, 0x0D, 9])),
            (#""\u0041\u00e9\u20AC\uD83D\uDE00""#, .string(Array("Aé€😀".utf8))),
            // Lone surrogates give three bytes that are never valid UTF-8.
            (#""\uD83Dx""#, .string([0xED, 0xA0, 0xBD, 0x78])),
            (#""\uDE00\uD83D""#, .string([0xED, 0xB8, 0x80, 0xED, 0xA0, 0xBD])),
            (#""\uD83D\uD83D\uDE00""#, .string([0xED, 0xA0, 0xBD] + Array("😀".utf8))),
            ("[]", .array), ("{}", .object), ("\u{FEFF}{}", .object),
        ]
        for (text, kind) in rows {
            #expect(try Self.kind(text) == kind, "\(text)")
        }
    }

    @Test func `the byte order mark does not count as a column`() throws {
        let document = try Self.parse("\u{FEFF}{}")
        #expect(document.position(of: document[JSONDocument.root].start) == .init(line: 1, column: 1))
    }

    @Test func `malformed documents have one error with its position`() throws {
        let rows: [(text: String, pointer: String)] = [
            ("§", ""), (" \n §", ""), ("§nul", ""), ("§undefined", ""), ("{}§x", ""), ("{}\n§{}", ""),
            ("[1 §2]", ""), ("[1§", ""), ("[1, §]", ""), ("[§,1]", ""), ("[1,§", ""),
            ("{§a: 1}", ""), ("{§'a': 1}", ""), ("{\"a\" §1}", ""), ("{\"a\":§}", ""), ("{\"a\":1, §}", ""),
            ("{\"a\":1§;}", ""),
            ("{\"a\":1,§", ""), ("{\"a\"§", ""), ("{§", ""), ("{\"a\":[1,{\"b\":§.5}]}", "/a/1"),
            ("{\"x~/\":[§'a']}", "/x~0~1"),
            ("§01", ""), ("-§", ""), ("-§a", ""), ("1.§", ""), ("1.§e5", ""), ("1e§", ""), ("1e+§", ""), ("§+1", ""),
            ("0§x1F", ""),
            ("§\"abc", ""), ("§\"abc\\\"", ""), ("\"§\\x\"", ""), ("\"§\\u12G4\"", ""), ("\"§\\u12", ""),
            ("\"a§\tb\"", ""), ("\"a§\nb\"", ""),
            ("§// no\n{}", ""), ("{\"a\": §/* no */ 1}", ""), ("§NaN", ""), ("[\n\n  true,\n  §True]", ""),
            ("§\u{A0}{}", ""),
            ("\"é\" §]", ""), ("{}§\u{0}", ""),
        ]
        for row in rows {
            let document = MarkedDocument(row.text)
            let mark = try #require(document.marks.first)
            let faults = profileFaults(document.bytes)
            #expect(faults.count == 1, "\(row.text)")
            for fault in faults {
                #expect(fault.line == mark.line && fault.column == mark.column, "\(row.text): \(fault)")
                #expect(fault.pointer == row.pointer, "\(row.text): \(fault)")
            }
        }
    }

    @Test func `numbers from other languages and unknown words get a hint`() {
        let rows = [
            ("tru", "did you mean `true`?"), ("name: x", "one JSON object"),
            ("fine", "one JSON object"), (#"{"a": 012}"#, "without it"), (#"{"a": +1}"#, "no plus sign"),
        ]
        for (text, hint) in rows {
            let fault = #expect(throws: ProfileFault.self) { try JSONDocumentParser.parse(Array(text.utf8)) }
            #expect(fault?.hint?.contains(hint) == true, "\(text): \(fault as Any)")
        }
    }

    @Test func `invalid UTF-8 is refused at its byte`() {
        let rows: [(bytes: [UInt8], line: Int, column: Int)] = [
            ([0x22, 0xFF, 0x22], 1, 2),
            ([0x22, 0x0A, 0xC3, 0x22], 2, 1),
            (Array("{\"é\": \"".utf8) + [0xED, 0xA0, 0x80, 0x22, 0x7D], 1, 9),
            ([0xC0, 0x80], 1, 1),
            (Array("{}".utf8).flatMap { [$0, 0] }, 1, 2),
            ([0xFF, 0xFE, 0x7B, 0x00], 1, 4),
        ]
        for row in rows {
            let faults = profileFaults(row.bytes)
            #expect(faults.map(\.line) == [row.line] && faults.map(\.column) == [row.column], "\(row.bytes): \(faults)")
            #expect(faults.first?.hint?.contains("UTF-8") == true)
        }
    }

    @Test func `nesting beyond the limit is an error`() throws {
        let limit = JSONDocument.maxDepth
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(try Self.kind(nested(limit)) == .array)
        for depth in [limit + 1, 100_000] {
            let faults = profileFaults(Array(nested(depth).utf8))
            #expect(faults.map(\.column) == [limit + 1])
            #expect(faults.first?.pointer == String(repeating: "/0", count: limit - 1))
        }
        #expect(profileFaults([UInt8](repeating: ASCII.openBracket, count: 100_000)).count == 1)
    }

    @Test func `an independent parser accepts the same documents`() throws {
        let seeds = [
            #"{"a":[1,-2.5e2,true,null,"x\u00e9\n"],"b":{"c":"é","":[]}}"#,
            #"[{"keys":"camelCase"},0,"\\",1E-2,false]"#,
        ]
        let pool = Array(#"{}[],:"\01-+.eEtfnu/ xé"#.utf8) + [ASCII.lineFeed, ASCII.tab]
        var random = SeededGenerator(seed: 8259)
        var accepted = 0
        for round in 0..<4000 {
            var bytes = Array(seeds[round % seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                let byte = pool[Int.random(in: 0..<pool.count, using: &random)]
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[position] = byte
                case 1: bytes.insert(byte, at: position)
                default: bytes.remove(at: position)
                }
            }
            // Foundation takes a comma before a closing brace, against RFC 8259.
            if String(decoding: bytes, as: UTF8.self).contains(",}") { continue }
            let parsed = (try? JSONDocumentParser.parse(bytes)) != nil
            let expected = (try? JSONDecoder().decode(PermissiveValue.self, from: Data(bytes))) != nil
            accepted += parsed ? 1 : 0
            #expect(parsed == expected, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(accepted > 100)
    }
}
