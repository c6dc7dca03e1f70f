import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct ProfileReplacingTests {
    private static func profile(_ text: String) throws -> Profile { try Profile(parsing: Array(text.utf8)) }

    @Test func `two words give the same profile as the members`() throws {
        let rows: [(keys: KeyCase?, dates: String?, text: String)] = [
            (.camelCase, nil, #"{"keys":"camelCase"}"#),
            (nil, "epoch-ms", #"{"dates":"epoch-ms"}"#),
            (.dotCase, "rfc3339", #"{"keys":"dot.case","dates":"rfc3339"}"#),
            (nil, nil, "{}"),
        ]
        for row in rows { #expect(try Profile(keys: row.keys, dates: row.dates) == Self.profile(row.text)) }
    }

    @Test func `a replacement replaces the whole section and no other one`() throws {
        let profile = try Self.profile(
            #"{"keys":{"case":"snake_case","opaque":["/a"]},"rename":{"b":"c"},"dates":{"at":"d","to":"date"}}"#)
        let keys = try profile.replacing(keys: .camelCase, dates: nil)
        #expect(keys.keys?.target == .camelCase)
        #expect(keys.keys?.opaque == [])
        #expect(keys.dates == profile.dates)
        #expect(keys.renames == profile.renames)
        let dates = try profile.replacing(keys: nil, dates: "epoch-s")
        #expect(dates.keys == profile.keys)
        #expect(dates.dates.map(\.scans) == [true])
        #expect(dates.dates.map(\.to) == [.epochSeconds])
        #expect(try profile.replacing(keys: nil, dates: nil) == profile)
    }

    @Test func `an unknown date format is refused, whatever its characters`() {
        for text in ["", "auto", "rfc", "a\"b", "\\", "\u{1}", "\u{1F600}", "\"},{\""] {
            let error = #expect(throws: ProfileError.self) { try Profile(keys: nil, dates: text) }
            #expect(error?.faults.map(\.pointer) == ["/dates"])
        }
    }
}
