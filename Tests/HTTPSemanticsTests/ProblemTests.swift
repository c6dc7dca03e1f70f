import ConvertEngine
import ConvertProfiles
import HTTPWire
import Testing

@testable import HTTPSemantics
@testable import Text

struct ProblemTests {
    private static func text(_ problem: Problem, _ id: String? = nil) -> String {
        String(decoding: problem.json(requestID: id), as: UTF8.self)
    }

    @Test func `an error in a payload becomes a problem with its whole position`() {
        let error = ConversionError(
            code: .badValue, message: "no \"date\"", offset: 7, line: 2, column: 3, pointer: "/a/0", rule: "/dates/0")
        #expect(
            Self.text(Problem(error), "id-1") == """
                {"type":"tag:convert-server,2026:error/badValue","title":"Unprocessable Content","status":422,"detail":"no \\"date\\"",\
                "code":"badValue","pointer":"/a/0","line":2,"column":3,"offset":7,"rule":"/dates/0","requestId":"id-1"}
                """)
    }

    @Test func `malformed payloads and limits are 400, broken rules are 422`() {
        for code in ConversionError.Code.allCases {
            let error = ConversionError(code: code, message: "", offset: 0, line: 1, column: 1, pointer: "")
            let isMalformed = [.json, .form, .plist, .limit].contains(code)
            #expect(Problem(error).status == (isMalformed ? 400 : 422), "\(code)")
        }
    }

    @Test func `unknown positions are omitted, and control characters are escaped`() {
        #expect(
            Self.text(Problem(404, "a\u{1}\nb\\ü")) == """
                {"type":"about:blank","title":"Not Found","status":404,"detail":"a\\u0001\\u000ab\\\\ü"}
                """)
    }

    @Test func `all errors of a profile are reported, the first of them as the problem's detail`() {
        let error = ProfileError(faults: [
            ProfileFault(pointer: "/a", line: 1, column: 2, message: "m", hint: "h"),
            ProfileFault(pointer: "/b", line: 3, column: 4, message: "n"),
        ])
        #expect(
            Self.text(Problem(error)) == """
                {"type":"tag:convert-server,2026:error/profile","title":"Unprocessable Content","status":422,\
                "detail":"m","code":"profile",\
                "line":1,"column":2,"rule":"/a","hint":"h","faults":[\
                {"pointer":"/a","line":1,"column":2,"message":"m","hint":"h"},\
                {"pointer":"/b","line":3,"column":4,"message":"n"}]}
                """)
    }

    @Test func `long texts are cut between scalars and escapes, with a mark`() {
        let rows: [(text: String, maxBytes: Int, expected: String)] = [
            ("/abcdef", 7, "/abcdef"), ("/abcdefg", 7, "/abc…"), ("/äöüß", 9, "/äöüß"), ("/äöüßx", 9, "/äö…"),
            ("/äöüßx", 8, "/äö…"), ("/äöüßx", 7, "/ä…"), ("/e\u{301}\u{301}\u{301}", 7, "/e\u{301}…"),
            ("/👩‍👩‍👧/x", 12, "/👩\u{200D}…"), ("/a~1b~0c", 6, "/a…"), ("/a~1b~0c", 7, "/a~1…"), ("aaaa", 3, "…"),
            ("", 3, ""),
        ]
        for row in rows {
            let short = ShortText(row.text, maxBytes: row.maxBytes).text
            #expect(Array(short.utf8) == Array(row.expected.utf8), "\(row.text) \(row.maxBytes)")
        }
    }

    @Test func `errors of the protocol keep their status and offset`() {
        for code in WireError.Code.allCases {
            let error = WireError(code, at: 5)
            #expect(Problem(error).status == error.status && Problem(error).offset == 5)
            #expect(Problem(error).code == code.rawValue)
        }
    }
}
