import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// `keys.digits` and `"acronyms": "common"`, with the keys of the specification.
struct DigitStyleTests {
    @Test func `a digit after a letter begins a word if the rule requires it`() {
        let rows: [(name: String, camel: String, back: String)] = [
            ("address_line_1", "addressLine1", "address_line_1"), ("is_2fa", "is2fa", "is_2fa"),
            ("oauth2_token", "oauth2Token", "oauth_2_token"), ("md5Hash", "md5Hash", "md_5_hash"),
            ("a1B2C3", "a1B2c3", "a_1_b_2c_3"), ("99_bottles", "99Bottles", "99_bottles"), ("x_10", "x10", "x_10"),
            ("e\u{301}1", "e\u{301}1", "e\u{301}_1"), ("日1", "日1", "日_1"), ("v_1.2_3", "v123", "v_123"),
        ]
        for row in rows {
            #expect(KeyCaseRule(target: .camelCase, digits: .word).converted(row.name) == row.camel)
            #expect(KeyCaseRule(target: .snakeCase, digits: .word).converted(row.camel) == row.back)
        }
        #expect(KeyCaseRule(target: .snakeCase).converted("addressLine1") == "address_line1")
        let acronyms = KeyCaseRule(target: .camelCase, acronyms: ["ID", "2FA"], acronymStyle: .asListed, digits: .word)
        #expect(acronyms.converted("user_id2") == "userID2")
        #expect(acronyms.converted("is_2fa") == "is2FA")
        #expect(KeyCaseRule(target: .snakeCase, acronyms: ["ID"], digits: .word).converted("userID2") == "user_id_2")
    }

    @Test func `common acronyms are added by their name, after those of the list`() throws {
        for acronyms in [#""common""#, #"["common"]"#, #"["iOS", "common"]"#] {
            let profile = try Profile(
                parsing: #"{"keys": {"case": "camelCase", "acronyms": \#(acronyms), "acronymStyle": "asListed"}}"#)
            #expect(profile.warnings.isEmpty)
            let output = try profile.compile(.forward).convert(#"{"user_id":1,"avatar_url":2,"ID_LIST":3,"vat_ids":4}"#)
            #expect(output == #"{"userID":1,"avatarURL":2,"idList":3,"vatIDs":4}"#)
        }
        let own = try Profile(
            parsing: #"{"keys": {"case": "PascalCase", "acronyms": ["common", "Id"], "acronymStyle": "asListed"}}"#)
        #expect(try own.compile(.forward).convert(#"{"user_id":1}"#) == #"{"UserId":1}"#)
        #expect(profileFaults(Array(#"{"keys": {"acronyms": "usual"}}"#.utf8)).map(\.pointer) == ["/keys/acronyms"])
    }
}
