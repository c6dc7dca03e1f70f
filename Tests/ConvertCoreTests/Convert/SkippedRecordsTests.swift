import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct SkippedRecordsTests {
    /// A bad line for each code that a line can have, with the rules that find the error.
    private static let rows: [(code: ConversionError.Code, rules: String, line: String)] = [
        (.json, #""rename": {"a": "b"}"#, #"{"a":}"#),
        (.json, #""move": {"/a": "/b"}"#, #"{"a":1,"c":[}"#),
        (.badValue, #""values": {"at": "/a", "as": "integer"}"#, #"{"a":0.5}"#),
        (.badValue, #""values": {"at": "/a", "as": "integer"}"#, #"{"a":[]}"#),
        (.badValue, #""values": {"at": "/a", "as": "integer"}, "move": {"/c": "/d"}"#, #"{"c":1,"a":"x"}"#),
        (.require, #""require": "/a""#, #"{"c":1}"#),
        (.duplicateKey, #""rename": {"a": "b"}"#, #"{"a":1,"a":2}"#),
        (.collision, #""rename": {"a": "b"}"#, #"{"a":1,"b":2}"#),
        (.collision, #""move": {"/a": "/b"}"#, #"{"a":1,"b":2}"#),
        (.move, #""move": {"/a": "/c/d"}"#, #"{"a":1,"c":2}"#),
    ]

    @Test(arguments: rows)
    func `bad lines are counted by the codes of their errors`(
        code: ConversionError.Code, rules: String, line: String
    ) throws {
        let strict = try Profile(parsing: "{\(rules)}").compile(.forward)
        let alone = ConverterTrial(strict, Array("\(line)\n".utf8), framing: .lines)
        #expect(alone.error?.code == code)

        let sparing = try Profile(parsing: #"{\#(rules), "records": {"onError": "skip"}}"#).compile(.forward)
        var converter = Converter(sparing, framing: .lines)
        let payload = Array("{\"a\":0}\n\(line)\n{\"a\":1}\n\(line)\n".utf8)
        for cut in 0...payload.count {
            let trial = ConverterTrial(&converter, payload, cuts: [cut])
            #expect(trial.error == nil)
            let skipped = converter.skippedRecordsByCode
            #expect(skipped.codes == [code] && skipped[code] == 2 && converter.skippedRecords == 2, "\(cut)")
        }
    }

    /// Records in a buffered object, where all errors of a record are found at its end.
    @Test(arguments: [
        (#""move": {"/a/*/x": "/a/*/o/x", "/a/*/y": "/a/*/o/y"}"#, ConversionError.Code.move),
        (#""flatten": ["/a/*/x", "/a/*/y"]"#, .flatten),
    ])
    func `a record with two misplaced values is skipped once`(rules: String, code: ConversionError.Code) throws {
        let payload = Array(#"{"a":[{"x":1,"y":2,"o":3},{"z":4}]}"#.utf8)
        for (action, output) in [("skip", #"{"a":[{"z":4}]}"#), ("null", #"{"a":[null,{"z":4}]}"#)] {
            let records = #""records": {"at": "/a/*", "onError": "\#(action)"}"#
            let profile = try Profile(parsing: #"{\#(rules), \#(records), "on": {"duplicateKey": "last"}}"#)
            var converter = Converter(try profile.compile(.forward))
            let trial = ConverterTrial(&converter, payload, cuts: [])
            #expect(trial.output == Array(output.utf8), "\(action)")
            #expect(converter.skippedRecords == 1 && converter.skippedRecordsByCode[code] == 1)
        }
    }

    @Test func `the counts of two payloads are added up`() {
        var (one, other) = (SkippedRecords(), SkippedRecords())
        one[.json] = 2
        other[.json] = 3
        other[.plist] = 1
        let sum = one + other
        #expect(sum.total == 6 && sum[.json] == 5 && sum.codes == [.json, .plist])
    }
}
