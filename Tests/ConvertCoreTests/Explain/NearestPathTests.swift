import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct NearestPathTests {
    /// A hash table has so many keys in another order in each process.
    private static let keyCount = 100

    private static func reasons(_ profile: String, _ keys: [String]) throws -> [String] {
        let payload = "{\(keys.map { "\"\($0)\": 1" }.joined(separator: ","))}"
        return try Explanation(of: Profile(profile), on: Array(payload.utf8)).idleRules.map(\.reason)
    }

    @Test func `of many keys that get the same key, the first one is named`() throws {
        let keys = (0..<Self.keyCount).map { "k\($0)" }
        let profile = #"{"rename": {"k*": "t"}, "dates": {"at": "t"}}"#
        #expect(try Self.reasons(profile, keys) == [#"selectors name the input: write "/k0""#])
    }

    @Test func `of many keys that differ only in case, the first one in the order of bytes is named`() throws {
        let keys = (1..<Self.keyCount).map { number in
            String("abcdefg".enumerated().map { number >> $0 & 1 == 0 ? $1 : Character($1.uppercased()) })
        }
        let first = try #require(keys.min())
        for (selector, shown) in [("abcdefg", "`\(first)`"), ("/abcdefg", "\"/\(first)\"")] {
            let reasons = try Self.reasons(#"{"drop": "\#(selector)"}"#, keys)
            #expect(reasons == ["keys are case-sensitive: write \(shown)"])
        }
    }
}
