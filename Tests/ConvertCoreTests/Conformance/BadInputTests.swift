import ConvertCore
import Testing

/// Every kind of bad payload ends in a typed error, and the converter then converts the next payload normally.
struct BadInputTests {
    private struct Row {
        var kind: String
        var payload: [UInt8]
        var codes: [ConversionError.Code] = [.json]
        /// The expected offset of the error; nil where more than one offset is right.
        var offset: Int?
    }

    private static let rows: [Row] = [
        Row(kind: "nothing", payload: [], offset: 0),
        Row(kind: "not JSON", payload: Array("<html></html>".utf8), offset: 0),
        Row(kind: "cut off in an array", payload: Array("[1,2".utf8), offset: 4),
        Row(kind: "cut off in a string", payload: Array(#"{"a":"b"#.utf8), offset: nil),
        Row(kind: "cut off in a literal", payload: Array("tru".utf8), offset: nil),
        Row(kind: "cut off in a number", payload: Array("-".utf8), offset: nil),
        Row(kind: "bad UTF-8 in a string", payload: Array("[\"a".utf8) + [0xFF] + Array("\"]".utf8), offset: 3),
        Row(kind: "bad UTF-8 outside a string", payload: [0xFF], offset: 0),
        Row(kind: "a NUL", payload: [0], offset: 0),
        Row(kind: "trailing bytes", payload: Array("{} x".utf8), offset: 3),
        Row(
            kind: "100,000 open arrays", payload: Array(repeating: UInt8(ascii: "["), count: 100_000), codes: [.limit],
            offset: 512),
        Row(
            kind: "a name of 10 MB",
            payload: Array("{\"".utf8) + Array(repeating: UInt8(ascii: "k"), count: 10_000_000), codes: [.limit]),
        Row(kind: "UTF-16", payload: [0xFF, 0xFE, 0x7B, 0, 0x7D, 0]),
    ]

    @Test func `each bad input gives its own error and does not affect later payloads`() throws {
        let good = Array(#"{"first_name": "A", "at": "2024-01-02 03:04:05Z"}"#.utf8)
        let expected = Array(#"{"firstName":"A","at":"2024-01-02T03:04:05Z"}"#.utf8)
        for plan in [Plan.minify(), try Plan.forward(#"{"keys": "camelCase", "dates": "rfc3339"}"#)] {
            var converter = Converter(plan)
            let sound = ConverterTrial(&converter, good)
            for row in Self.rows {
                let run = ConverterTrial(&converter, row.payload)
                #expect(run.error.map { row.codes.contains($0.code) } == true, "\(row.kind): \(run)")
                if let offset = row.offset { #expect(run.error?.offset == offset, "\(row.kind): \(run)") }
                #expect(ConverterTrial(&converter, good).agrees(with: sound), "after \(row.kind)")
            }
        }
        #expect(
            ConverterTrial(try .forward(#"{"keys": "camelCase", "dates": "rfc3339"}"#), good).wholeOutput == expected)
    }

    @Test func `the error names UTF-16 and UTF-32`() {
        let rows: [(String, [UInt8])] = [
            ("UTF-16", [0xFF, 0xFE, 0x7B, 0, 0x7D, 0]), ("UTF-16", [0xFE, 0xFF, 0, 0x7B, 0, 0x7D]),
            ("UTF-16", [0x7B, 0, 0x7D, 0]),
            ("UTF-32", [0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0]), ("UTF-32", [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x7B]),
        ]
        for (encoding, payload) in rows {
            let run = ConverterTrial(.minify(), payload)
            #expect(run.error?.message.contains(encoding) == true, "\(encoding): \(run)")
        }
    }

    @Test func `an error has the line, the column in bytes, and the pointer`() throws {
        let rows: [(payload: String, line: Int, column: Int?, pointer: String?)] = [
            ("{\n  \"é\": [1,\n  x]}", 3, 3, "/é/1"), ("[1, 2, }", 1, 8, nil), ("{\"a\":\r\n nul}", 2, nil, "/a"),
        ]
        for (payload, line, column, pointer) in rows {
            let error = ConverterTrial(.minify(), Array(payload.utf8)).error
            #expect(error?.line == line, "\(payload)")
            if let column { #expect(error?.column == column, "\(payload)") }
            if let pointer { #expect(error?.pointer == pointer, "\(payload)") }
        }
    }

    @Test func `every error of a profile is reported with its position`() throws {
        let profile = #"""
            {
              "keyz": "camelCase",
              "keys": "camelcase",
              "rename": { "": "x" }
            }
            """#
        do {
            _ = try Profile(parsing: Array(profile.utf8))
            Issue.record("the profile was taken")
        } catch {
            let locations = error.faults.map { "\($0.pointer) \($0.line)" }
            #expect(error.faults.count == 3, "\(error.faults)")
            #expect(
                locations.contains("/keyz 2") && locations.contains("/keys 3") && locations.contains("/rename/ 4"),
                "\(locations)")
            #expect(error.faults.first { $0.pointer == "/keyz" }?.hint?.contains("keys") == true)
            #expect(error.faults.first { $0.pointer == "/keys" }?.hint?.contains("camelCase") == true)
        }
    }

    @Test func `a profile that is not JSON is refused with the position`() {
        for (profile, line) in [("", 1), ("{\n\"keys\": }", 2), ("[]", 1), ("{\"keys\": \"camelCase\"", 1)] {
            #expect(throws: ProfileError.self, "\(profile)") { _ = try Profile(parsing: Array(profile.utf8)) }
            do { _ = try Profile(parsing: Array(profile.utf8)) } catch {
                #expect(error.faults.first?.line == line, "\(profile)")
            }
        }
    }
}
