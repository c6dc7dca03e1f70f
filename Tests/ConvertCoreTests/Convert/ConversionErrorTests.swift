import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// An error is the same in any chunks, whatever the converter did before.
struct ConversionErrorTests {
    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    /// Payloads with more than one error; the first one found must not depend on the chunks.
    @Test func `if a payload has two errors, all chunks report the same one`() throws {
        let date = #"{"dates": [{"at": "t", "to": "rfc3339"}]}"#
        let rows: [(profile: String, payload: String, code: ConversionError.Code, offset: Int)] = [
            ("{}", "{\"" + Self.repeated("k", 40) + "\\q\":1}", .limit, 1),
            ("{}", "{\"" + Self.repeated("k", 40) + "\u{1}\":1}", .limit, 1),
            ("{}", "{\"" + Self.repeated("k", 20) + "\u{1}\":1}", .json, 22),
            (date, "{\"t\":\"" + Self.repeated("x", 7000) + "\\q\"}", .badValue, 5),
            (date, "{\"t\":\"" + Self.repeated("x", 7000) + "\"}", .badValue, 5),
            (date, "{\"t\":" + Self.repeated("1", 7000) + ".x}", .badValue, 5),
            (date, "{\"t\":" + Self.repeated("1", 7000) + "}", .badValue, 5),
        ]
        for row in rows {
            let payload = Array(row.payload.utf8)
            let plan = try Profile(row.profile).compile(.forward, limits: Limits(maxKeyBytes: 32))
            let whole = ConverterTrial(plan, payload)
            #expect(whole.error?.code == row.code && whole.error?.offset == row.offset, "\(whole)")
            for size in [1, 3, 16, 100, 6500] {
                let cuts = Array(stride(from: size, to: payload.count, by: size))
                let pieces = ConverterTrial(plan, payload, cuts: cuts)
                #expect(pieces.agrees(with: whole), "in pieces of \(size): \(pieces), whole: \(whole)")
            }
        }
    }

    @Test func `an error found at the end of its member has the line of its start`() throws {
        let rest = (0..<9_000).map { "  \"k\($0)\":\n \($0)" }.joined(separator: ",\n")
        let collision = "{\n \"a\": {\"x\":1},\n  \"b\": {\n\(rest)\n}}"
        let badValue = "{\n \"a\": 1,\n\n \"b\":  {\n\(rest)\n}}"
        let rows: [(profile: String, payload: String, line: Int, column: Int)] = [
            (#"{"rename":{"b":"a"},"output":{"sortKeys":true}}"#, collision, 3, 3),
            (#"{"rename":{"b":"a"},"keep":["/a/**","/b/**"]}"#, collision, 3, 3),
            (#"{"rename":{"b":"a"},"prune":{"null":true}}"#, collision, 3, 3),
            (#"{"keep":["/b/*"],"values":{"at":"/b","as":"integer"}}"#, badValue, 4, 8),
            (#"{"rename":{"b":"a"},"move":{"/c":"/d"}}"#, collision, 3, 3),
        ]
        for row in rows {
            let plan: Plan = try .forward(row.profile)
            let payload = Array(row.payload.utf8)
            for size in [1, 7, 1000, 64 * 1024, payload.count] {
                let trial = ConverterTrial(plan, payload, cuts: Array(stride(from: size, to: payload.count, by: size)))
                let position = [trial.error?.line, trial.error?.column]
                #expect(position == [row.line, row.column], "\(row.profile) in pieces of \(size): \(trial)")
            }
        }
    }

    @Test func `the error of a move onto another value has both pointers`() throws {
        let profile = try Profile(.move("/content/headline", to: "/headline"), .move("/a~1b", to: "/c/d"))
        let rows: [(payload: String, direction: Profile.Direction, pointers: [String])] = [
            (#"{"content":{"headline":1},"headline":2}"#, .forward, ["/content/headline", "/headline"]),
            (#"{"headline":1,"content":{"headline":2}}"#, .inverse, ["/headline", "/content/headline"]),
        ]
        for row in rows {
            let error = #expect(throws: ConversionError.self) {
                try profile.compile(row.direction).convert(row.payload)
            }
            #expect(error?.code == .collision && error?.pointer == row.pointers[0], "\(error as Any)")
            #expect(
                error?.message
                    == "\"\(row.pointers[0])\" and \"\(row.pointers[1])\" would both be written as \"headline\"; to accept this, set `on.collision` in the profile"
            )
        }
        // The two values have different keys, so the keys distinguish them in the message.
        let error = #expect(throws: ConversionError.self) {
            try profile.compile(.forward).convert(#"{"a/b":1,"c":{"d":2}}"#)
        }
        #expect(error?.message.hasPrefix(#""a/b" and "d" would both be written as "d"; "#) == true)
    }

    @Test func `the error for something that the profile can allow names the option`() throws {
        let rows = [
            (
                "{}", #"{"a":1,"a":2}"#,
                #"duplicate key "a" in this object; to accept this, set `on.duplicateKey` in the profile"#
            ),
            (
                #"{"rename":{"b":"a"}}"#, #"{"a":1,"b":2}"#,
                #""b" and "a" would both be written as "a"; to accept this, set `on.collision` in the profile"#
            ),
        ]
        for (profile, payload, message) in rows {
            let error = #expect(throws: ConversionError.self) { try Plan.forward(profile).convert(payload) }
            #expect(error?.message == message)
        }
    }

    @Test func `a long key or pointer is cut in the middle of a message`() throws {
        let (first, last) = (Self.repeated("a", 200), Self.repeated("b", 200))
        let plan = try Profile(.move("/\(first)/\(last)", to: "/\(last)")).compile(.forward)
        let error = #expect(throws: ConversionError.self) {
            try plan.convert("{\"\(first)\":{\"\(last)\":1},\"\(last)\":2}")
        }
        #expect(error?.pointer == "/\(first)/\(last)")
        let cut = "\"/\(Self.repeated("a", 39))…\(Self.repeated("b", 40))\""
        #expect(error?.message.hasPrefix("\(cut) and ") == true, "\(error as Any)")
    }

    @Test func `the error for a number from another language has a hint`() throws {
        let rows = [
            ("[+1]", "no plus sign"), ("[.5]", "a digit before the point"), ("{\"a\":undefined}", "no undefined"),
            ("{\"a\":+1}", "no plus sign"), ("[012]", "leading zero"),
            ("-01", "leading zero"),
        ]
        for (payload, words) in rows {
            let whole = ConverterTrial(.minify(), Array(payload.utf8))
            #expect(whole.error?.message.contains(words) == true, "\(payload): \(whole)")
            for cut in 1..<payload.utf8.count {
                #expect(ConverterTrial(.minify(), Array(payload.utf8), cuts: [cut]).agrees(with: whole), "\(payload)")
            }
        }
    }

    @Test func `a piece marked as the last one gives the same errors and lines`() throws {
        let members = (0..<24).map { "  \"first_\($0)\": \"Ana\",\n  \"n_\($0)\": [1,\n\r\n null, {\"a_b\": \"é\"}]" }
        let document = Array("{\n\(members.joined(separator: ",\n"))\n}\n".utf8)
        let lines = Array((0..<40).map { "{\"a_b\": [\($0), \"x\"]}\n" }.joined().utf8)
        let keep = #"{"keys": "camelCase", "on": {"duplicateKey": "keep"}}"#
        let rows: [(profile: String, payload: [UInt8], framing: Converter.Framing)] = [
            ("{}", document, .document), (keep, document, .document), (keep, lines, .lines),
            (#"{"prune": {"null": true}, "on": {"duplicateKey": "keep"}}"#, document, .document),
        ]
        for row in rows {
            var converter = Converter(try Profile(row.profile).compile(.forward), framing: row.framing)
            for position in stride(from: 0, through: row.payload.count, by: 7) {
                var spoilt = row.payload
                if position < spoilt.count { spoilt[position] = 1 }
                for payload in [Array(row.payload[..<position]), spoilt] {
                    for cuts in [[], [min(3, position)], [position / 2]] {
                        let told = ConverterTrial(&converter, payload, cuts: cuts, knowsLast: true)
                        let untold = ConverterTrial(&converter, payload, cuts: cuts)
                        #expect(told == untold, "\(position), \(cuts): \(told), else \(untold)")
                    }
                }
            }
            #expect(ConverterTrial(&converter, row.payload, knowsLast: true).error == nil)
        }
    }

    @Test func `a removed member is never written before an error`() throws {
        let plan = try Profile(#"{"on": {"duplicateKey": "first"}}"#).compile(.forward)
        let payload = Array(#"{"a":1,"a":[2,{"b":"secret"},x]}"#.utf8)
        let whole = ConverterTrial(plan, payload)
        #expect(whole.error?.offset == 29)
        #expect(whole.text == #"{"a":1"#)
        let singly = ConverterTrial(plan, payload, cuts: Array(0..<payload.count))
        #expect(singly.error == whole.error && singly.text == whole.text)
    }

    @Test func `each kind of error has the expected value`() {
        let rows: [(payload: String, part: String, offset: Int, pointer: String)] = [
            ("[x]", "value or ']'", 1, "/0"), ("[1,]", "expected a JSON value", 3, "/1"),
            ("{x}", "or '}'", 1, ""), ("{\"a\":1,}", "after the comma", 7, ""), ("{\"a\" 1}", "':'", 5, "/a"),
            ("{\"a\":1 x}", "',' or '}'", 7, ""), ("[1 x]", "',' or ']'", 3, ""), ("1 x", "more bytes", 2, ""),
            ("{\"a\":}", "expected a JSON value", 5, "/a"), ("", "empty", 0, ""), (" \n ", "empty", 3, ""),
            ("[1", "ends inside", 2, ""), ("{\"a\":\"", "ends inside", 6, "/a"), ("[\"\\x\"]", "escape", 2, "/0"),
            ("[\"\t\"]", "control", 2, "/0"), ("[1.]", "number", 3, "/0"), ("[nul]", "true, false or null", 4, "/0"),
            ("{\"~/\":{\"é\":[0,[tru]]}}", "lower case", 19, "/~0~1/é/1/0"), ("[1,]", "no comma", 3, "/1"),
            ("{\"a\":1,}", "no comma", 7, ""), ("{\"a\":]", "expected a JSON value", 5, "/a"),
            ("[1 /**/]", "no comments", 3, ""),
            ("# on\n1", "no comments", 0, ""), ("{'a':1}", "double quotes", 1, ""), ("[NaN]", "neither NaN", 1, "/0"),
            ("{\"a\":True}", "lower case", 5, "/a"),
        ]
        for row in rows {
            let payload = Array(row.payload.utf8)
            let whole = ConverterTrial(.minify(), payload)
            #expect(
                whole.error?.message.contains(row.part) == true && whole.error?.offset == row.offset
                    && whole.error?.pointer == row.pointer && whole.error?.code == .json, "\(row.payload): \(whole)")
            let singly = ConverterTrial(.minify(), payload, cuts: Array(0..<payload.count))
            #expect(singly.error == whole.error, "\(row.payload) byte by byte: \(singly)")
        }
    }

    @Test func `the limits of depth and key length are exact`() throws {
        for limits in [Limits(), Limits(maxDepth: 3, maxKeyBytes: 5)] {
            let plan = Plan.minify(limits: limits)
            let depth = limits.maxDepth
            let deepest = Self.repeated("[", depth) + Self.repeated("]", depth)
            let tooDeep = Self.repeated("[", depth + 1) + Self.repeated("]", depth + 1)
            let mixed = Self.repeated("{\"a\":[", depth / 2 + 1)
            let longest = "{\"" + Self.repeated("k", limits.maxKeyBytes) + "\":1}"
            let escaped = "{\"\\n" + Self.repeated("k", limits.maxKeyBytes - 2) + "\":1}"
            let tooLong = "{\"" + Self.repeated("k", limits.maxKeyBytes + 1) + "\":1}"
            let tooLongEscaped = "{\"\\n" + Self.repeated("k", limits.maxKeyBytes - 1) + "\":1}"
            for accepted in [deepest, longest, escaped] {
                let payload = Array(accepted.utf8)
                for cuts in [[], Array(0..<payload.count)] {
                    #expect(ConverterTrial(plan, payload, cuts: cuts).text == accepted)
                }
            }
            let refused = [(tooDeep, depth), (mixed, 3 * depth + depth % 2 * 2), (tooLong, 1), (tooLongEscaped, 1)]
            for (text, offset) in refused {
                let payload = Array(text.utf8)
                for cuts in [[], Array(0..<payload.count)] {
                    let trial = ConverterTrial(plan, payload, cuts: cuts)
                    #expect(trial.error?.code == .limit && trial.error?.offset == offset, "\(trial)")
                }
            }
        }
    }

    @Test func `after success or an error, a converter works like a new one`() throws {
        let profile = #"{"keys": "camelCase", "dates": [{"at": "t", "to": "rfc3339"}], "output": {"escapes": "ascii"}}"#
        let plan = try Profile(profile).compile(.forward)
        let payloads = [
            "{\"a_b\":[1,{\"a_b\":2}]}", "{\"a\":1,\"a\":2}", "{\"a_b\":1,\"aB\":2}", "{\"t\":\"no\"}", "{\"t\":1x}",
            "[\"\\ud83d", "[\"\\ud83", "{\"\\u00", "{\"é", "tru", "-", "\u{FEFF}", "{\"t\":\"2024-01-02T03:04:05",
            "{\"t\":17000", "{\"a\":{\"a\":{\"a\":[", "{\"a\":1}}", "[1,2]", "\"\\udc00\"", "", "{",
            "{\"a_b\":1,\"aB\"",
        ]
        var used = Converter(plan)
        for first in payloads {
            for second in payloads {
                _ = ConverterTrial(&used, Array(first.utf8))
                let after = ConverterTrial(&used, Array(second.utf8))
                #expect(after == ConverterTrial(plan, Array(second.utf8)), "\(second) after \(first)")
            }
        }
    }

    @Test func `a number that a rule reads is not buffered without limit`() throws {
        let plan = try Profile(#"{"dates": [{"at": "t", "to": "rfc3339"}], "on": {"badValue": "keep"}}"#)
            .compile(.forward)
        let payload = Array(("{\"t\":1" + Self.repeated("0", 100_000) + "}").utf8)
        var converter = Converter(plan)
        let cuts = Array(stride(from: 1000, to: payload.count, by: 1000))
        let trial = ConverterTrial(&converter, payload, cuts: cuts)
        #expect(trial.output == payload)
        #expect(converter.engine.values.held.capacity < 20_000)
    }
}
