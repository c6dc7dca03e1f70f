import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// `rename` with `pattern`.
struct RenamePatternTests {
    private static func converted(_ profile: String, _ payload: String) throws -> String {
        try ConverterTrial.text("{\(profile)}", payload)
    }

    @Test func `the text of the wildcard stays`() throws {
        for (selector, pattern, output) in [
            ("internal_*", "*", #"{"id":1,"":2,"a_internal":3}"#),
            ("internal_*", "x_*", #"{"x_id":1,"x_":2,"a_internal":3}"#),
            ("*_internal", "*", #"{"internal_id":1,"internal_":2,"a":3}"#),
            ("in*al_id", "<*>", #"{"<tern>":1,"internal_":2,"a_internal":3}"#),
            ("/*", "~2*é", #"{"*internal_idé":1,"*internal_é":2,"*a_internalé":3}"#),
        ] {
            let profile = #""rename": {"\#(selector)": {"pattern": "\#(pattern)"}}"#
            let payload = #"{"internal_id":1,"internal_":2,"a_internal":3}"#
            #expect(try Self.converted(profile, payload) == output, "\(selector)")
        }
    }

    @Test func `the case rule applies to the new key, unless except protects the old one`() throws {
        let keys = #""keys": {"case": "camelCase", "except": "internal_b_c"}"#
        #expect(
            try Self.converted(
                keys + #", "rename": {"internal_*": {"pattern": "x_*"}}"#,
                #"{"internal_user_id":1,"internal_b_c":2,"user_id":3}"#) == #"{"xUserId":1,"x_b_c":2,"userId":3}"#)
        // A more specific rename without a pattern writes its key as it is.
        #expect(
            try Self.converted(
                #""keys": "camelCase", "rename": {"/a/*": {"pattern": "*"}, "/a/b_c": "d_e"}"#,
                #"{"a":{"b_c":1,"c_d":2}}"#) == #"{"a":{"d_e":1,"cD":2}}"#)
    }

    @Test func `two keys that become one collide`() throws {
        let plan = try Profile(parsing: #"{"rename": {"a_*": {"pattern": "*"}}}"#).compile(.forward)
        let error = #expect(throws: ConversionError.self) { try plan.convert(#"{"x":1,"a_x":2}"#) }
        #expect(error?.code == .collision)
        #expect(error?.rule == "/rename/a_*")
    }

    @Test func `a rename with a pattern is one way`() throws {
        let profile = try Profile(parsing: #"{"rename": {"a_*": {"pattern": "*"}}}"#)
        #expect(profile.invertibility.losses.map(\.message) == ["keys renamed by a pattern do not come back"])
        #expect(try profile.compile(.inverse).convert(#"{"x":1,"b":{"y":2}}"#) == #"{"x":1,"b":{"y":2}}"#)
    }

    @Test func `a pattern without its one wildcard is refused`() {
        for (selector, pattern) in [
            ("a", #""*""#), ("a*b*", #""*""#), ("/a", #""*""#), ("/a/**", #""*""#), ("a*", #""b""#), ("a*", #""*b*""#),
            ("a*", #""b**""#),
            ("a*", #""/b""#), ("a*", #""/*b""#), ("a*", "7"), ("a*", #""~*""#),
        ] {
            let faults = profileFaults(Array(#"{"rename": {"\#(selector)": {"pattern": \#(pattern)}}}"#.utf8))
            #expect(faults.count == 1, "\(selector) \(pattern)")
            #expect(faults.first?.pointer.hasSuffix("/pattern") == true, "\(faults)")
        }
        for target in ["{}", #"{"pattern": "*", "to": "x"}"#, "[]", "null"] {
            #expect(profileFaults(Array(#"{"rename": {"a*": \#(target)}}"#.utf8)).count == 1, "\(target)")
        }
    }

    @Test func `a pattern is a key with escapes, and not a path`() throws {
        for (pattern, output) in [("b/*", "b/x"), ("b~1*", "b/x"), ("~1b*", "/bx"), (".b*", ".bx"), ("~0~2*", "~*x")] {
            let profile = #""rename": {"a_*": {"pattern": "\#(pattern)"}}"#
            #expect(try Self.converted(profile, #"{"a_x":1}"#) == #"{"\#(output)":1}"#)
            #expect(try Profile(parsing: "{\(profile)}").warnings.isEmpty)
        }
        let faults = profileFaults(Array(#"{"rename": {"a_*": {"pattern": "/b*"}}}"#.utf8))
        #expect(faults.first?.message == "a pattern is a key, not a path")
    }
}
