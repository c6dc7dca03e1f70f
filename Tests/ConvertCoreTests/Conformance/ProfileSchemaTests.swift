import ConvertProfiles
import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertEngine

/// The JSON Schema of profiles, in Python's jsonschema, agrees with the parser, except for errors that a schema cannot see.
struct ProfileSchemaTests {
    private struct Row: Decodable {
        /// The profile's text.
        var profile: String
        /// Whether the schema accepts the profile.
        var isTaken: Bool
        /// Whether `openapi.yaml`, which is less exact, allows a client to send it.
        var isDescribed: Bool
        /// Whether the table accepts it; nil for near misses of its rows.
        var isProfile: Bool?
        /// Whether the table marks the error as one that a schema cannot see.
        var isUnseen: Bool
    }

    /// Errors that a schema cannot see, by parts of their messages.
    private static let unseen = [
        "duplicate key", "match the same path", "scan all strings", "is not a time zone", "pattern",
        "must be a scheme and a host", "surrogate", "`roundTrip`", "version 1.0",
        "common beginning of source and target", "out of a record",
        "may keep something inside", "must be below a pointer", "`with` has another value",
    ]

    @Test(.enabled(if: PythonReference.installed != nil, "needs python3 with jsonschema, referencing and PyYAML"))
    func `the schema accepts all valid profiles, and refuses the errors that it can express`() throws {
        let python = try #require(PythonReference.installed)
        let script = "\(BuiltProgram.project)/Tests/reference/profile_schema.py"
        let result = try ChildProcess(program: python, arguments: ["-B", script]).run()
        try #require(result.status == 0, "\(result.errors)")
        var compared = 0
        var refused = 0
        for line in result.output.split(separator: UInt8(ascii: "\n")) {
            let row = try JSONDecoder().decode(Row.self, from: Data(line))
            let faults = profileFaults(Array(row.profile.utf8))
            compared += 1
            if let isProfile = row.isProfile { #expect(faults.isEmpty == isProfile, "\(row.profile): \(faults)") }
            if row.isTaken {
                // A schema sees every unknown key, whatever its name.
                let seen = faults.filter { fault in
                    fault.message.contains("unknown key") || !Self.unseen.contains { fault.message.contains($0) }
                }
                #expect(row.isUnseen || seen.isEmpty, "the schema takes \(row.profile): \(seen)")
            } else {
                #expect(!faults.isEmpty, "the schema refuses \(row.profile)")
            }
            if faults.isEmpty { #expect(row.isDescribed, "openapi.yaml refuses \(row.profile)") }
            if !row.isDescribed { refused += 1 }
        }
        #expect(compared > 1_000)
        #expect(refused > compared / 2)
    }
}
