import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Values that move to an object around them, which is not buffered.
struct StreamedMovesTests {
    /// A move for keys that no payload has. Under it, objects are buffered.
    private static let buffering = #""/unused/a": "/unused/b/c""#
    private static let long = Array(repeating: "1", count: 200).joined(separator: ",")
    /// The end of the moves of a profile that also prunes.
    private static let pruning = #"}, "prune": {"null": true, "emptyObject": true"#

    @Test func `values come in input order at the end of their object`() throws {
        let rows: [(moves: String, payload: String, expected: String)] = [
            (#""/a/x": "/x""#, #"{"a":{"x":[1,{"y":2}],"z":3},"b":4}"#, #"{"a":{"z":3},"b":4,"x":[1,{"y":2}]}"#),
            (#""/a": "/b", "/c/d": "/e""#, #"{"c":{"d":1},"f":2,"a":{}}"#, #"{"c":{},"f":2,"e":1,"b":{}}"#),
            // Nothing stays in the object, or nothing moves.
            (#""/a": "/b""#, #"{"a":1}"#, #"{"b":1}"#), (#""/a": "/b""#, "{}", "{}"), (#""/a": "/b""#, "[{}]", "[{}]"),
            // One moved value in another, which comes first.
            (#""/a": "/b", "/a/x": "/c""#, #"{"a":{"x":1,"y":2}}"#, #"{"b":{"y":2},"c":1}"#),
            (#""/a": "/b", "/a/x/y": "/a/z""#, #"{"a":{"x":{"y":1},"w":2}}"#, #"{"b":{"x":{},"w":2,"z":1}}"#),
            // Two objects, one in the other. The value for the outer one comes from the inner one.
            (
                #""/o/p/x": "/x", "/o/p/y": "/o/y""#, #"{"o":{"p":{"x":1,"y":[2]},"q":3},"r":4}"#,
                #"{"o":{"p":{},"q":3,"y":[2]},"r":4,"x":1}"#
            ),
            (
                #""/*/u/n": "/*/n""#, #"[{"u":{"n":1}},{"u":2},{"u":{"n":"é"}}]"#,
                #"[{"u":{},"n":1},{"u":2},{"u":{},"n":"é"}]"#
            ),
            // Elements leave no gaps, and the key is written with escapes where JSON needs them.
            (#""/a/0": "/\"", "/a/2": "/c""#, #"{"a":[1,2,[3]]}"#, #"{"a":[2],"\"":1,"c":[3]}"#),
            (#""/a/x": "/x""#, #"{"\u0061":{"x":1}}"#, #"{"\u0061":{},"x":1}"#),
        ]
        for row in rows {
            let text = try ConverterTrial.text(#"{"move": {\#(row.moves)}}"#, row.payload)
            #expect(text == row.expected, "\(row)")
            let lines = try ConverterTrial.text(
                #"{"move": {\#(row.moves)}}"#, row.payload + "\n" + row.payload, framing: .lines)
            #expect(lines == row.expected + "\n" + row.expected + "\n", "\(row)")
        }
    }

    @Test func `a value that moves is converted, and stays out if it is dropped or repeated`() throws {
        let rows = [
            (
                #""dates": {"at": "d", "to": "rfc3339"}"#, #"{"a":{"d":"2024-01-01T01:00:00+01:00"}}"#,
                #"{"a":{},"n":"2024-01-01T00:00:00Z"}"#
            ),
            (#""values": {"at": "d", "as": "mask"}"#, #"{"a":{"d":{"x":1}}}"#, #"{"a":{},"n":"***"}"#),
            (#""values": {"at": "d", "as": "number", "badValue": "null"}"#, #"{"a":{"d":[1]}}"#, #"{"a":{},"n":null}"#),
            (#""drop": ["d"]"#, #"{"a":{"d":1,"e":2}}"#, #"{"a":{"e":2}}"#),
            (#""drop": ["/a"]"#, #"{"a":{"d":1,"e":2}}"#, "{}"),
            (#""drop": ["x"]"#, #"{"a":{"d":{"x":1,"y":[2,{"x":3}]}}}"#, #"{"a":{},"n":{"y":[2,{}]}}"#),
            (#""on": {"duplicateKey": "first"}"#, #"{"a":{"d":1,"d":2},"a":{"d":3}}"#, #"{"a":{},"n":1}"#),
            (#""on": {"collision": "keep"}"#, #"{"n":0,"a":{"d":1}}"#, #"{"n":0,"a":{},"n":1}"#),
            (#""output": {"sortKeys": true}"#, #"{"p":0,"a":{"d":1}}"#, #"{"a":{},"n":1,"p":0}"#),
        ]
        for (rule, payload, expected) in rows {
            let text = try ConverterTrial.text(#"{"move": {"/a/d": "/n"}, \#(rule)}"#, payload)
            #expect(text == expected, "\(rule)")
        }
    }

    @Test func `empty values are removed, and so is the object that a value leaves empty`() throws {
        let rows: [(moves: String, prune: String, payload: String, expected: String)] = [
            (#""/a/x": "/x""#, "null", #"{"a":{"x":null,"y":1}}"#, #"{"a":{"y":1}}"#),
            (#""/a/x": "/x""#, "emptyString", #"{"a":{"x":"","y":1}}"#, #"{"a":{"y":1}}"#),
            (#""/a/x": "/x""#, "emptyArray", #"{"a":{"x":[ ],"y":[[]]}}"#, #"{"a":{"y":[[]]}}"#),
            (#""/a/x": "/x""#, "emptyObject", #"{"a":{"x":{"y":{}}},"b":2}"#, #"{"b":2}"#),
            (#""/a/b/x": "/x""#, "emptyObject", #"{"a":{"b":{"x":[1,{}]}},"c":0}"#, #"{"c":0,"x":[1,{}]}"#),
            (#""/a/b/x": "/x""#, "emptyObject", #"{"a":{"b":{"x":{"y":1}},"c":0}}"#, #"{"a":{"c":0},"x":{"y":1}}"#),
            // Not all of the contents of a value stay in it.
            (#""/a": "/b", "/a/x": "/c""#, "emptyObject", #"{"a":{"x":1}}"#, #"{"c":1}"#),
            (#""/a": "/b", "/a/x": "/c""#, "emptyObject", #"{"a":{"x":{}}}"#, "{}"),
            // The object to which a value moves is not empty.
            (#""/o/p/x": "/o/x""#, "emptyObject", #"{"o":{"p":{"x":1}}}"#, #"{"o":{"x":1}}"#),
            (#""/*/u/n": "/*/n""#, "null", #"[{"u":{"n":null}},{"u":{"n":1}}]"#, #"[{"u":{}},{"u":{},"n":1}]"#),
            // The object around the value is still open when long contents of the value end.
            (
                #""/a/x": "/x""#, "emptyObject", #"{"a":{"x":{"k":{"l":[\#(Self.long)],"m":{"n":[]}},"o":{}}}}"#,
                #"{"x":{"k":{"l":[\#(Self.long)],"m":{"n":[]}}}}"#
            ),
            // A value that leaves an array is no element.
            (#""/a/0": "/b""#, "null", #"{"a":[null,null]}"#, #"{"a":[null]}"#),
            (#""/a/0": "/b""#, "emptyArray", #"{"a":[[1]]}"#, #"{"b":[1]}"#),
            (#""/a/1": "/b""#, "inArrays\": true, \"emptyArray", #"{"a":[[],[],[2,[]]]}"#, #"{"a":[[2]]}"#),
            // A member that is removed collides with nothing.
            (#""/a/x": "/n""#, "null", #"{"n":null,"a":{"x":2}}"#, #"{"a":{},"n":2}"#),
            (#""/a/x": "/n""#, "null", #"{"a":{"x":null},"n":2}"#, #"{"a":{},"n":2}"#),
            (#""/n/x": "/n""#, "emptyObject", #"{"n":{"x":1},"m":2}"#, #"{"m":2,"n":1}"#),
            (#""/a/x": "/n", "/b": "/n""#, "null", #"{"a":{"x":1},"b":null}"#, #"{"a":{},"n":1}"#),
        ]
        for row in rows {
            let plan = try Plan.forward(#"{"move": {\#(row.moves)}, "prune": {"\#(row.prune)": true}}"#)
            #expect(plan.streamsMoves)
            let payload = Array(row.payload.utf8)
            for size in [1, 2, 7, payload.count] {
                let trial = ConverterTrial(plan, payload, cuts: Array(stride(from: size, to: payload.count, by: size)))
                #expect(trial.text == row.expected, "\(row) \(size) \(trial.error as Any)")
            }
            let lines = Array((row.payload + "\n" + row.payload).utf8)
            #expect(ConverterTrial(plan, lines, framing: .lines).text == row.expected + "\n" + row.expected + "\n")
        }
    }

    /// The value that moves counts as the later one, wherever it is.
    @Test func `errors have the position of the value that moves`() throws {
        let rows:
            [(moves: String, payload: String, code: ConversionError.Code, pointer: String, line: Int, column: Int)] = [
                (#""/a/x": "/n""#, "{\n\"n\":1,\n \"a\":{ \"x\":2}}", .collision, "/a/x", 3, 8),
                (#""/a/x": "/n""#, "{\n \"a\":{ \"x\":2},\n\n\"n\":1}", .collision, "/a/x", 2, 8),
                (#""/a/x": "/n", "/b/y": "/n""#, "{\"a\":{\"x\":2},\n\n\"b\":{\"y\":1}\n}", .collision, "/b/y", 3, 6),
                (#""/*/x": "/*/n""#, "[\n{},\n{\"n\":2,\"x\":1}\n]", .collision, "/1/x", 3, 8),
                (#""/a/0": "/a/n""#, "{\"a\":\n[ \n1,2\n]}", .move, "/a/0", 3, 1),
            ]
        for row in rows + rows.map({ ($0.moves + Self.pruning, $0.payload, $0.code, $0.pointer, $0.line, $0.column) }) {
            let plan = try Plan.forward(#"{"move": {\#(row.moves)}}"#)
            #expect(plan.streamsMoves)
            let payload = Array(row.payload.utf8)
            for size in [1, 7, payload.count] {
                let cuts = Array(stride(from: size, to: payload.count, by: size))
                let error = ConverterTrial(plan, payload, cuts: cuts).error
                #expect(error?.code == row.code && error?.pointer == row.pointer, "\(row) \(error as Any)")
                #expect(error?.line == row.line && error?.column == row.column, "\(row) \(error as Any)")
            }
        }
    }

    @Test func `a collision names both keys, or both paths if the keys are equal, and the move`() throws {
        let rows = [
            (#"{"n":1,"a":{"x":2}}"#, #""x" and "n" would both be written as "n""#, "/move/~1a~1x"),
            (#"{"a":{"x":2},"b":{"x":3}}"#, #""/b/x" and "/a/x" would both be written as "n""#, "/move/~1b~1x"),
        ]
        for (payload, message, rule) in rows {
            for others in ["", Self.pruning] {
                let plan = try Plan.forward(#"{"move": {"/a/x": "/n", "/b/x": "/n"\#(others)}}"#)
                let error = ConverterTrial(plan, Array(payload.utf8)).error
                #expect(error?.message.hasPrefix(message) == true && error?.rule == rule, "\(error as Any)")
            }
        }
    }

    @Test func `an error is found as soon as its last key is there`() throws {
        for payload in [#"{"n":1,"a":{"x":"#, #"{"a":{"x":1},"n":"#, #"{"l":["#] {
            let plan = try Plan.forward(#"{"move": {"/a/x": "/n", "/l/0": "/l/m"}}"#)
            var converter = Converter(plan)
            var output = ByteBuffer()
            let error = #expect(throws: ConversionError.self) {
                try converter.convert(Array((payload + "1").utf8).span, into: &output)
            }
            #expect(error?.code == (payload.hasSuffix("[") ? .move : .collision))
        }
    }

    @Test func `nothing is noted of the members that stay if they may have equal keys`() throws {
        let plan = try Plan.forward(#"{"move": {"/a/x": "/nn"}, "keys": "flatcase", "on": {"collision": "keep"}}"#)
        var converter = Converter(plan)
        var output = ByteBuffer()
        let keys = ["n_n", "nN", "NN", "n-n", "N_N", "nn"]
        try converter.convert(Array("{\(keys.map { "\"\($0)\":1," }.joined())".utf8).span, into: &output)
        let notedBytes = converter.engine.moves.text.count
        #expect(notedBytes == 0)
    }

    @Test(arguments: ["", #", "/unused/a": "/unused/b/c""#])
    func `the error of an element that moves has its index`(buffering: String) throws {
        let plan = try Plan.forward(#"{"move": {"/a/1": "/x"\#(buffering)}}"#)
        let error = ConverterTrial(plan, Array(#"{"x":1,"a":[5,6]}"#.utf8)).error
        #expect(error?.pointer == "/a/1" && error?.message.hasPrefix(#""1" and "x" would"#) == true, "\(error as Any)")
    }

    @Test(arguments: ["", pruning])
    func `only the values that move are buffered`(others: String) throws {
        let plan = try Profile(parsing: #"{"move": {"/meta/total": "/total"\#(others)}}"#)
            .compile(.forward, limits: Limits(maxHeldBytes: 100))
        let elements = Array(repeating: #"{"id":1},"#, count: 10_000).joined()
        var converter = Converter(plan)
        var output = ByteBuffer()
        let beginning = Array((#"{"meta":{"total":5},"data":["# + elements).utf8)
        try converter.convert(beginning.span, into: &output)
        #expect(output.count > 9 * 10_000)
        try converter.convert(Array("0]}".utf8).span, into: &output)
        try converter.finish(into: &output)
        let rest = others.isEmpty ? #""meta":{},"# : ""
        #expect([UInt8](output) == Array(("{" + rest + #""data":["# + elements + #"0],"total":5}"#).utf8))
        // The limit is that of the value that moves.
        let long = Array(#"{"meta":{"total":"\#(String(repeating: "x", count: 200))"}}"#.utf8)
        #expect(ConverterTrial(plan, long, cuts: Array(0..<long.count)).error?.code == .limit)
        #expect(ConverterTrial(plan, Array(#"{"meta":{"total":1}}"#.utf8)).error == nil)
    }

    @Test func `a long value is written in pieces`() throws {
        let plan = try Plan.forward(#"{"move": {"/a/x": "/x", "/a/y": "/y"}}"#)
        let long = #"{"z":[\#(Array(repeating: "1", count: 500).joined(separator: ","))]}"#
        let payload = Array(#"{"a":{"x":\#(long),"y":\#(long)},"b":2}"#.utf8)
        let trial = ConverterTrial(plan, payload, pieceBytes: 7)
        #expect(trial.error == nil && trial.text == #"{"a":{},"b":2,"x":\#(long),"y":\#(long)}"#)
        // What surrounds the object may have been empty until then.
        let pruning = try Profile(parsing: #"{"move": {"/o/a/x": "/o/x"\#(Self.pruning)}}"#)
            .compile(.forward, limits: Limits(maxHeldBytes: 1500))
        let only = ConverterTrial(pruning, Array(#"{"o":{"a":{"x":\#(long)}}}"#.utf8), pieceBytes: 7)
        #expect(only.text == #"{"o":{"x":\#(long)}}"#, "\(only.error as Any)")
    }

    @Test(arguments: ["", #"}, "prune": {"null": true"#])
    func `a converter that failed begins anew`(others: String) throws {
        var converter = Converter(try Plan.forward(#"{"move": {"/a/x": "/n"\#(others)}}"#))
        for bad in [#"{"a":{"x":[1,"#, #"{"a":{"x":1},"n":2}"#, #"{"a":{"x":1},"#] {
            #expect(ConverterTrial(&converter, Array(bad.utf8)).error != nil)
            #expect(ConverterTrial(&converter, Array(#"{"a":{"x":3}}"#.utf8)).text == #"{"a":{},"n":3}"#)
        }
    }

    @Test func `values are written as they come unless something else waits or a target has more than one key`() throws
    {
        let streamed = [
            #""move": {"/a/b": "/c"}"#, #""move": {"/*/a/0": "/*/c", "/d": "/e"}, "drop": ["x"], "dates": "rfc3339""#,
            #""move": {"/a": "/b"}, "on": {"collision": "keep", "duplicateKey": "first"}"#,
            #""move": {"/a": "/b"}, "prune": {"null": true, "emptyArray": true, "inArrays": true}"#,
        ]
        let buffered = [
            #""move": {"/a": "/b/c"}"#, #""move": {"/a": "/b"}, "prune": {"null": true}, "defaults": {"/b": 1}"#,
            #""move": {"/a": "/b"}, "require": "/x""#, #""move": {"/a": "/b"}, "on": {"duplicateKey": "keep"}"#,
            #""move": {"/a": "/b"}, "keys": {"case": "camelCase", "from": "snake_case"}, "roundTrip": "required""#,
        ]
        for rules in streamed { #expect(try Plan.forward("{\(rules)}").streamsMoves, "\(rules)") }
        for rules in buffered { #expect(try !Plan.forward("{\(rules)}").streamsMoves, "\(rules)") }
        #expect(try !Profile(parsing: "{\(streamed[0])}").compile(.inverse).streamsMoves)
        func moves(_ count: Int) -> String {
            (0..<count).map { "\"/a/x\($0)\": \"/y\($0)\"" }.joined(separator: ", ")
        }
        #expect(try Plan.forward("{\"move\": {\(moves(64))}}").streamsMoves)
        #expect(try !Plan.forward("{\"move\": {\(moves(65))}}").streamsMoves)
    }

    @Test func `buffered objects give the same output`() throws {
        let count = TestVariable.number("CONVERT_FUZZ_PROFILES", 1500)
        var (usable, trial) = (0, TwoPlans())
        for seed in FuzzSeeds(usual: 2) {
            var maker = MoveMaker(seed: seed)
            for _ in 0..<count {
                let rules = maker.profile(.forward)
                let beginning = #""move": {"#
                guard let streamed = try? Plan.forward("{\(rules)}"), streamed.streamsMoves else { continue }
                let others = rules.dropFirst(beginning.count)
                let buffered = try Plan.forward("{\(beginning)\(Self.buffering), \(others)}")
                #expect(!buffered.streamsMoves && buffered.holdsText, "\(rules)")
                usable += 1
                trial.compare(streamed, with: buffered, &maker.payloads, "seed \(seed) {\(rules)}")
            }
        }
        #expect(usable > count / 10 && trial.outputs > trial.errors, "\(usable) \(trial)")
        #expect(trial.sameErrors * 3 > trial.errors * 2, "\(trial)")
    }
}
