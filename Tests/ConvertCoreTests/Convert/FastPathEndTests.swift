import ConvertText
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Near the end of a chunk the fast path hands over to the resumable lexer, whatever follows there.
struct FastPathEndTests {
    private static let blanks =
        ["", " ", "  ", "\t", "\r", "\r\n", "\n  ", " \t\r "] + [16, 40].map { String(repeating: " ", count: $0) }

    /// The fast path reads and writes the innermost container at every token.
    @Test func `an open container fills one cache line`() { #expect(MemoryLayout<Container>.stride == 64) }

    @Test func `tokens after long white space are accepted or refused as everywhere`() throws {
        let forms: [(String) -> String] = [
            { "[\($0)]" }, { "[1,[\($0)],\($0)2]" }, { "{\"k\":1,\"a_b\":\($0)null,\"c_d\":\($0)[\($0)]}" },
            { "{\($0)\"a_b\"\($0):\($0){\($0)}\($0),\($0)\"c_d\":\($0)\"\"}" },
            // None of these is JSON.
            { "[\($0)x]" }, { "[\($0),1]" }, { "[1,\($0)]" }, { "[1\($0)2]" }, { "{\($0)1}" }, { "{\"a\"\($0)1}" },
            { "{\"a\"\($0)}" }, { "{\"a\"\($0),1}" }, { "{\"a\":\($0)}" }, { "{\"a\":1\($0)\"b\":2}" },
            { "{\"a\":1,\($0)}" }, { "[{}\($0)}" },
        ]
        let settings =
            FastPathFuzzTests.settings + [
                FastPathFuzzTests.Setting(profile: #"{"prune": {"null": true, "inArrays": true}}"#),
                FastPathFuzzTests.Setting(
                    profile: #"{"prune": {"null": true, "emptyArray": true}, "defaults": {"/zz": 1}}"#),
            ]
        for (number, setting) in settings.enumerated() {
            let plan = try setting.plan()
            var used = Converter(plan, framing: setting.framing)
            var fresh = Converter(plan, framing: setting.framing)
            for form in forms {
                for blank in Self.blanks {
                    let value = form(blank)
                    // Over all settings together, each position in the values is once the last one where a turn of the lane fits.
                    for behind in stride(from: 300 + number % 10, to: 490, by: 10) {
                        let payload = Array("[\(value),\(value),\"\(String(repeating: "x", count: behind))\"]".utf8)
                        let whole = ConverterTrial(&used, payload)
                        let singly = ConverterTrial(&fresh, payload, cuts: Array(0..<payload.count - behind))
                        #expect(whole.agrees(with: singly), "\(setting.profile) \(value) \(behind) \(whole) \(singly)")
                    }
                }
            }
        }
    }

    @Test func `an empty array may contain any white space`() throws {
        let plan = try Profile(parsing: Array("{}".utf8)).compile(.forward)
        for blank in Self.blanks {
            for behind in 340...440 {
                let spaces = [UInt8](repeating: ASCII.space, count: behind)
                let trial = ConverterTrial(plan, Array("[\(blank)]".utf8) + spaces)
                #expect(trial.text == "[]" && trial.error == nil, "\(blank) \(behind) \(trial)")
            }
        }
    }

    @Test func `a removed value is removed after any white space`() throws {
        for profile in [
            #"{"prune": {"null": true, "inArrays": true}}"#, #"{"prune": {"null": true}, "defaults": {"/k": 2}}"#,
        ] {
            let plan = try Profile(parsing: Array(profile.utf8)).compile(.forward)
            for blank in Self.blanks {
                for behind in 300...450 {
                    let text = String(repeating: "x", count: behind)
                    let trial = ConverterTrial(plan, Array(#"{"k":1,"a":\#(blank)null,"z":"\#(text)"}"#.utf8))
                    #expect(trial.text == #"{"k":1,"z":"\#(text)"}"#, "\(profile) \(blank) \(behind) \(trial)")
                }
            }
        }
    }

    @Test func `a valid record is not skipped`() throws {
        let profile = #"{"records": {"onError": "skip"}}"#
        let plan = try Profile(parsing: Array(profile.utf8)).compile(.forward)
        for blank in Self.blanks where !blank.utf8.contains(ASCII.lineFeed) {
            for behind in 340...440 {
                let text = String(repeating: "x", count: behind)
                let (first, last) = ("{\"a\":1}\n{\"b\":[", "],\"c\":2}\n{\"d\":\"\(text)\"}\n")
                let trial = ConverterTrial(plan, Array((first + blank + last).utf8), framing: .lines)
                #expect(trial.text == first + last, "\(blank) \(behind) \(trial)")
            }
        }
    }

    @Test func `a long key is renamed wherever the chunk ends after it`() throws {
        for length in 60...112 {
            let name = String(repeating: "n", count: length)
            let plan = try Profile(parsing: Array(#"{"rename": {"\#(name)": "a"}}"#.utf8)).compile(.forward)
            for behind in stride(from: 280, through: 430, by: 3) {
                let text = String(repeating: "x", count: behind)
                let trial = ConverterTrial(plan, Array(#"[{"\#(name)":1},{"\#(name)":"\#(text)"}]"#.utf8))
                #expect(trial.text == #"[{"a":1},{"a":"\#(text)"}]"#, "\(length) \(behind) \(trial)")
            }
        }
    }

    @Test func `the longest step fits wherever the chunk ends after it`() throws {
        let value = "\"\(String(repeating: "v", count: 93))\""
        let indentation = String(repeating: " ", count: ByteWindow.size - 1)
        for profile in [
            #"{"on": {"duplicateKey": "keep"}}"#, "{}", #"{"prune": {"null": true}}"#, #"{"defaults": {"/zz": 1}}"#,
        ] {
            let plan = try Profile(parsing: Array(profile.utf8)).compile(.forward)
            var used = Converter(plan)
            for length in [62, 63, 72, 76, 77, 78, 79] {
                let name = "\"\(String(repeating: "n", count: length))\""
                for blank in [" ", indentation, "\n\(indentation)"] {
                    let member = "\(blank)\(name)\(blank):\(blank)\(value)\(blank)"
                    for behind in stride(from: 40, through: 440, by: 3) {
                        let last = "\"z\":\"\(String(repeating: "x", count: behind))\""
                        let trial = ConverterTrial(&used, Array("[{\(member)},{\(member),\(last)}]".utf8))
                        #expect(
                            trial.text == "[{\(name):\(value)},{\(name):\(value),\(last)}]",
                            "\(profile) \(length) \(behind) \(trial)")
                    }
                }
            }
        }
    }

    /// An object of the same depth that `prune` might have removed came before. The fast path ends before the empty array or object.
    @Test(arguments: [
        (#""values": {"at": "id", "as": "number", "badValue": "null"}"#, #","id":null"#),
        (#""values": {"at": "id", "as": "mask"}"#, #","id":"***""#), (#""drop": "id""#, ""),
    ])
    func `an empty container in a discarded value is not taken back`(rule: String, member: String) throws {
        let plan = try Plan.forward(#"{"prune": {"emptyObject": true, "emptyArray": true}, \#(rule)}"#)
        let start = #"{"p":{"qqqqqqqqqqqqqqqq":{"r":1}}"#
        for inner in ["[]", "{}"] {
            for count in 0..<(2 * TokenCursor.turnBytes) {
                let end = #","z":"\#(String(repeating: "x", count: count))"}"#
                let payload = #"\#(start),"id":["yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy",\#(inner),1]\#(end)"#
                #expect(ConverterTrial(plan, Array(payload.utf8)).text == start + member + end, "\(inner) \(count)")
            }
        }
    }
}
