import Testing

@testable import HTTPSemantics
@testable import Service

struct EnvelopeTests {
    private static func texts(_ envelope: String) throws -> [String?] {
        let bytes = Array(envelope.utf8)
        var reader = EnvelopeReader()
        reader.read(bytes)
        // The result does not depend on the pieces in which the bytes arrive.
        var slow = EnvelopeReader()
        for count in 0...bytes.count { slow.read(Array(bytes.prefix(count))) }
        let located = try reader.finish(bytes)
        #expect(try slow.finish(bytes) == located)
        return [located.profile, located.direction, located.payload].map { range in
            range.map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    @Test func `members are found at their positions, byte for byte`() throws {
        let rows: [(envelope: String, texts: [String?])] = [
            ("{}", [nil, nil, nil]),
            ("{\"payload\":1}", [nil, nil, "1"]),
            (" {\t\"payload\" : -1.50E+2 \r\n}\n", [nil, nil, "-1.50E+2"]),
            (
                "{\"profile\":{\"keys\":\"a\"},\"direction\":\"inverse\",\"payload\":[ {} , 1.10 ]}",
                ["{\"keys\":\"a\"}", "\"inverse\"", "[ {} , 1.10 ]"]
            ),
            ("{\"payload\":\"}],\\\"{\",\"profile\":\"p\"}", ["\"p\"", nil, "\"}],\\\"{\""]),
            ("{\"pay\\u006coad\":{\"a\":\"\\\\\"}}", [nil, nil, "{\"a\":\"\\\\\"}"]),
            ("\u{FEFF}{\"payload\":null}", [nil, nil, "null"]),
        ]
        for row in rows { #expect(try Self.texts(row.envelope) == row.texts, "\(row.envelope)") }
    }

    @Test func `an invalid envelope is refused with its position`() throws {
        let rows: [(envelope: String, code: String, offset: Int?)] = [
            ("", "json", 0), ("[]", "json", 0), ("{", "json", 1), ("{\"payload\"", "json", 10),
            ("{\"payload\":}", "json", 11), ("{\"payload\":1", "json", 12), ("{\"payload\":[1}", "json", 14),
            ("{\"payload\":1,}", "json", 13), ("{\"payload\":1 2}", "json", 13), ("{\"payload\":1} x", "json", 14),
            ("{\"payload\":\"a}", "json", 14), ("{\"pay\\load\":1}", "json", 1), ("{\"paylod\":1}", "envelope", 1),
            ("{\"payload\":1,\"payload\":2}", "envelope", 13),
        ]
        for row in rows {
            let problem = #expect(throws: Problem.self) { try Self.texts(row.envelope) }
            var slow = EnvelopeReader()
            let bytes = Array(row.envelope.utf8)
            for count in 0...bytes.count { slow.read(Array(bytes.prefix(count))) }
            let slowProblem = #expect(throws: Problem.self) { try slow.finish(bytes) }
            #expect(slowProblem == problem)
            #expect(problem?.status == 400)
            #expect(problem?.code == row.code, "\(row.envelope)")
            #expect(problem?.offset == row.offset, "\(row.envelope)")
            #expect(problem?.detail.matches(of: /envelope/).count == 1, "\(problem?.detail ?? "")")
        }
    }

    @Test func `an unknown or repeated key is reported with its line and column`() {
        for envelope in ["{\"payload\": 1,\n  \"paylod\": 2}", "{\"payload\": 1,\n  \"payload\": 2}"] {
            let problem = #expect(throws: Problem.self) { try Self.texts(envelope) }
            #expect(problem?.line == 2)
            #expect(problem?.column == 3)
            #expect(problem?.offset == 17)
        }
    }

    @Test func `strings are unescaped according to RFC 8259`() {
        let rows: [(text: String, content: String?)] = [
            ("\"\"", ""), ("\"a\"", "a"), ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"),
            ("\"\\u00e9\\uD83D\\uDE00\"", "é😀"), ("\"é😀\"", "é😀"),
            ("\"", nil), ("a", nil), ("\"a", nil), ("\"\\\"", nil), ("\"\\x\"", nil), ("\"\\u12\"", nil),
            ("\"\\uD83D\"", nil), ("\"\\uD83Da\"", nil), ("\"\\uDE00\"", nil), ("\"\n\"", nil), ("\"a\"b\"", nil),
        ]
        for row in rows { #expect(Envelope.string(Array(row.text.utf8)[...]) == row.content, "\(row.text)") }
    }
}
