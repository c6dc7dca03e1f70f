import ConvertText
import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct ProfileFuzzTests {
    private static let seed = Array(
        #"""
        { "version": 1, "name": "m", "keys": { "case": "camelCase", "acronyms": ["ID"], "except": ["_l", "/u/*"],
          "opaque": "/**/m" }, "rename": { "first_name": "fn", "/o/*/c~1": "ca", "*_at": "at", "created*": "at" },
          "dates": [ { "at": ["c", "*_date"], "from": ["auto", {"pattern": "ddMMyyyy"}], "precision": 3, "zone": "+01:00" } ],
          "on": { "collision": "first" }, "output": { "indent": 2, "escapes": "ascii" },
          "examples": [ { "in": {"a": "\ud83d\ude00"}, "out": [1.50, null] } ] }
        """#.utf8)

    /// Errors are inside the document and in its order, and each has a message.
    private static func expectSound(_ faults: [ProfileFault], of document: [UInt8]) {
        let lines = document.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        for fault in faults {
            let isInside = fault.line >= 1 && fault.line <= lines.count && fault.column >= 1
            #expect(isInside && fault.column <= lines[fault.line - 1].count + 1, "\(fault)")
            // A message that says what is expected may need no hint.
            #expect(fault.hint.map { !$0.isEmpty } ?? fault.message.hasPrefix("expected "), "\(fault)")
            #expect(!fault.message.isEmpty && (fault.pointer.isEmpty || fault.pointer.hasPrefix("/")), "\(fault)")
        }
        let locations = faults.map { [$0.line, $0.column] }
        #expect(zip(locations, locations.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
    }

    @Test func `mutated profiles are either read or refused`() {
        var random = SeededGenerator(seed: 3339)
        let pool = Array(#"{}[],:"\*/~0123-truefalsn"#.utf8) + [0, 0x0A, 0x7F, 0x80, 0xC3, 0xED, 0xFF]
        var valid = 0
        var parsed = 0
        for _ in 0..<3000 {
            var document = Self.seed
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let position = Int.random(in: 0..<document.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: document[position] = pool[Int.random(in: 0..<pool.count, using: &random)]
                case 1: document.insert(pool[Int.random(in: 0..<pool.count, using: &random)], at: position)
                case 2: document.remove(at: position)
                case 3: document.removeSubrange(position..<min(position + 20, document.count))
                default:
                    document.insert(contentsOf: document[position..<min(position + 20, document.count)], at: position)
                }
            }
            let faults = profileFaults(document)
            Self.expectSound(faults, of: document)
            valid += faults.isEmpty ? 1 : 0
            parsed += (try? JSONDocumentParser.parse(document)) != nil ? 1 : 0
        }
        // Otherwise the mutations would reach only one of the layers.
        #expect(valid > 30 && parsed > valid && parsed < 3000)
    }

    @Test func `in every section, the error for a wrong type has the expected type`() {
        let members = [
            "version", "name", "keys", "rename", "dates", "values", "keep", "drop", "require", "move", "defaults",
            "prune",
            "records", "on", "output", "roundTrip", "examples", "unwrap", "wrap", "flatten",
        ]
        for member in members {
            for value in ["null", "true", "1.5", "[[]]", "[{}]", #"{"at": 1}"#] {
                let document = Array("{\"\(member)\": \(value)}".utf8)
                let faults = profileFaults(document)
                // A rule of dates without any option is valid: it scans.
                #expect(faults.isEmpty == (member == "dates" && value == "[{}]"), "\(member): \(value)")
                Self.expectSound(faults, of: document)
            }
        }
    }

    @Test func `every truncated profile is refused with one error`() {
        for length in Self.seed.indices {
            let beginning = Array(Self.seed.prefix(length))
            let faults = profileFaults(beginning)
            #expect(faults.count == 1, "\(length)")
            Self.expectSound(faults, of: beginning)
        }
        #expect(profileFaults(Self.seed).isEmpty)
    }

    @Test func `random bytes are refused`() {
        var random = SeededGenerator(seed: 1)
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(profileFaults(bytes).count == 1)
        }
    }

    @Test func `hostile profiles are checked in limited time`() {
        let quarterMebibyte = 1 << 18
        let documents =
            [
                (0..<quarterMebibyte / 16).map { "\"*a\($0)\": \"\($0)\"" }.joined(separator: ","),
                (0..<quarterMebibyte / 16).map { "\"k\($0)\": \"\($0)\"" }.joined(separator: ","),
            ].map { "{\"rename\": {\($0)}}" } + [
                "{\"keys\": {\"opaque\": [" + String(repeating: "\"/a/*\",", count: quarterMebibyte / 8) + "\"x\"]}}",
                "{\"dates\": {\"at\": \"t\", \"from\": [" + String(repeating: "\"x\",", count: quarterMebibyte / 8)
                    + "\"x\"]}}",
                "{" + (0..<quarterMebibyte / 16).map { "\"x\($0)\": 0" }.joined(separator: ",") + "}",
                "{\"rename\": {\"" + String(repeating: "*a", count: quarterMebibyte / 2) + "\": \"x\"}}",
                "{\"move\": {" + (0..<30_000).map { "\"/a/x\($0)\": \"/a\($0)\"" }.joined(separator: ",") + "}}",
                "{\"drop\": ["
                    + (0..<130).map { "\"\(String(repeating: "/*", count: 900))/\($0)\"" }.joined(separator: ",")
                    + "]}",
                "{\"drop\": [\"/x\"], \"rename\": {"
                    + (0..<30_000).map { "\"/x/a\($0)\": \"b\"" }.joined(separator: ",") + "}}",
            ]
        let clock = ContinuousClock()
        for document in documents {
            let duration = clock.measure { _ = ProfileReport(checking: Array(document.utf8)).json() }
            // A debug build on a busy machine takes a few seconds; comparing each with all others would take hours.
            #expect(duration < .seconds(60), "\(document.prefix(40))")
        }
    }
}
