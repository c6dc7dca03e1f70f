import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Members that a rule may still remove, in payloads that are cut anywhere inside them.
struct MemberSettlingTests {
    private static let profiles = [
        #"{"prune":{"null":true,"emptyString":true,"emptyArray":true,"emptyObject":true,"inArrays":true}}"#,
        #"{"prune":{"null":true,"emptyString":true,"emptyArray":true,"emptyObject":true,"inArrays":false}}"#,
        #"{"prune":{"emptyArray":true,"emptyObject":true},"keep":["kept","/list/*/kept","/deep/**/kept"]}"#,
        #"{"keep":["*ept"],"on":{"duplicateKey":"keep"}}"#,
        #"{"keep":["*ept"],"on":{"duplicateKey":"last"},"output":{"sortKeys":true}}"#,
        #"{"keep":["*ept"],"prune":{"null":true},"on":{"duplicateKey":"keep"},"output":{"sortKeys":true,"indent":1}}"#,
        #"{"rename":{"first":"second"},"on":{"collision":"first"},"move":{"/moved/from":"/moved/to"}}"#,
        #"{"records":{"at":"/list/*","onError":"skip"},"dates":{"at":"when","to":"epoch-s"},"keep":["/list","/deep"]}"#,
    ]

    /// Each form of value that a rule may remove, behind usual members, which the fast path takes.
    private static let payload = #"""
        {"a":{"b":[0],"c":"text"},"none":null,"text":"","e":[ ],"f":{ },"g":1,"kept":[ [ ], { } , "" , null ],
        "second":1,"first":{"long":[1,2,3,{"x":"some text that is long enough to be handed on"}],"y":[ ]},
        "moved":{"from":{"kept":1},"to2":[ ]},
        "list":[{"when":"2026-11-21T00:00:00Z","kept":[ ]},{"when":"never","kept":2},{"when":"","other":{ }},{ },[ ],null],
        "deep":{"p":{"q":{"kept":{ },"gone":1}},"r":[{"s":{"t":null}}]},"deep":{"p":{"kept":"again"}},
        "last":{"only":{"empties":[ { } , [ ] ]}},"end":true}
        """#

    @Test func `the kept members do not depend on the chunks`() throws {
        let payload = Array(Self.payload.utf8)
        for profile in Self.profiles {
            let plan = try Plan.forward(profile)
            let whole = ConverterTrial(plan, payload)
            for first in 0..<payload.count {
                for second in [first + 1, first + 9, first + 64] where second <= payload.count {
                    let pieces = ConverterTrial(plan, payload, cuts: [first, second])
                    #expect(
                        pieces.agrees(with: whole),
                        "\(profile) cut at \(first) and \(second): \(pieces), whole: \(whole)")
                }
            }
        }
    }

    /// A record is buffered until its end, together with any container that is removed when it is empty.
    @Test func `a container is removed with its last record, whatever the length`() throws {
        let text = String(repeating: "x", count: 2000)
        let record = "{\"n\":\"x\",\"t\":\"\(text)\"}"
        let records = Array(repeating: record, count: 100).joined(separator: ",")
        let rules = #""values":{"at":"/*/*/n","as":"integer"},"records":{"at":"/*/*","onError":"skip"}"#
        let nulls = rules.replacing("skip", with: "null")
        let rows: [(profile: String, items: String, expected: String)] = [
            ("{\(rules),\"prune\":{\"emptyArray\":true}}", "[\(records)]", ""),
            ("{\(rules),\"prune\":{\"emptyArray\":true}}", "[\(record)]", ""),
            ("{\(rules),\"prune\":{\"emptyObject\":true}}", "{\"p\":\(record),\"q\":\(record)}", ""),
            ("{\(rules),\"prune\":{\"null\":true}}", "{\"p\":\(record)}", "\"items\":{},"),
            (
                "{\(nulls),\"prune\":{\"null\":true,\"inArrays\":true,\"emptyArray\":true}}", "[\(record),\(record)]",
                ""
            ),
            (
                "{\(rules),\"prune\":{\"emptyArray\":true}}", "[\(record),{\"n\":\"1\"},\(record)]",
                "\"items\":[{\"n\":1}],"
            ),
            (
                "{\(rules),\"prune\":{\"emptyObject\":true},\"rename\":{\"a\":\"b\"}}",
                "{\"p\":{\"a\":\"\(text)\",\"b\":1}}", ""
            ),
        ]
        for row in rows {
            let payload = Array("{\"id\":1,\"items\":\(row.items),\"z\":2}".utf8)
            let expected = "{\"id\":1,\(row.expected)\"z\":2}"
            for size in [payload.count, 64 * 1024, 700, 1] where payload.count / size < 20_000 {
                let cuts = Array(stride(from: size, to: payload.count, by: size))
                let trial = ConverterTrial(try .forward(row.profile), payload, cuts: cuts)
                #expect(trial.error == nil && trial.text == expected, "\(row.profile) in pieces of \(size): \(trial)")
            }
        }
    }

    /// The expected values follow from the rules: the earlier `a` does not count, so `keep` finds nothing in `outer`.
    @Test func `keep ignores a member that a later one replaces`() throws {
        let rows: [(profile: String, payload: String, expected: String)] = [
            (
                #"{"keep":["x"],"on":{"duplicateKey":"last"}}"#,
                #"{"outer":{"a":{"x":1},"a":{"y":2}},"x":3}"#, #"{"x":3}"#
            ),
            (
                #"{"keep":["x"],"on":{"duplicateKey":"last"}}"#,
                #"[{"outer":{"a":{"x":1},"a":{"y":2}}},{"x":3}]"#, #"[{"x":3}]"#
            ),
            (
                #"{"keep":["x"],"drop":["x"],"on":{"duplicateKey":"last"}}"#,
                #"{"outer":{"a":{"x":1},"a":{"y":2}},"other":{"a":{"x":1}}}"#, #"{"other":{"a":{}}}"#
            ),
        ]
        for row in rows {
            let found = ConverterTrial(try .forward(row.profile), Array(row.payload.utf8))
            #expect(found.wholeOutput == Array(row.expected.utf8), "\(row.profile) \(row.payload): \(found)")
        }
    }

    /// An open decision about a member of a failed payload does not affect the members of the next payload.
    @Test func `a failed payload does not affect the members of the next one`() throws {
        let rows: [(profile: String, broken: String, payload: String, expected: String)] = [
            (
                #"{"rename":{"first":"second"},"prune":{"emptyObject":true}}"#,
                #"{"a":{"second":1,"first":{"a":"broken"#,
                #"{"a":{"other":1e99,"long":"text of more than one vector, which the fast path takes","gone":{}}}"#,
                #"{"a":{"other":1e99,"long":"text of more than one vector, which the fast path takes"}}"#
            ),
            (#"{"keep":["x"]}"#, #""broken"#, #"{"x":1,"y":2}"#, #"{"x":1}"#),
            (#"{"keep":["/a/x"]}"#, #"{"a":"broken"#, #"{"a":{"x":1,"y":2}}"#, #"{"a":{"x":1}}"#),
        ]
        for row in rows {
            var converter = Converter(try Profile(parsing: Array(row.profile.utf8)).compile(.forward))
            for _ in 0..<3 {
                #expect(ConverterTrial(&converter, Array(row.broken.utf8)).error?.code == .json, "\(row.profile)")
                let next = ConverterTrial(&converter, Array(row.payload.utf8))
                #expect(next.error == nil && next.text == row.expected, "\(row.profile): \(next)")
            }
        }
    }
}
