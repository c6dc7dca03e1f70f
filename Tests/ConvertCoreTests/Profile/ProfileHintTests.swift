import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct ProfileHintTests {
    @Test func `the hint for a value of the wrong type is an example`() {
        let rows: [(profile: String, error: String)] = [
            (#"{"unwrap": []}"#, #"expected a pointer, found an array (/unwrap); write "/data""#),
            (#"{"wrap": 1}"#, #"expected a key or a pointer, found a number (/wrap); write "data" or "/data""#),
            (
                #"{"wrap": {"at": "a", "with": 1}}"#,
                #"expected an object, found a number (/wrap/with); write {"version": 1}"#
            ),
            (#"{"flatten": {"at": 1}}"#, #"expected a pointer, found a number (/flatten/at); write "/data""#),
            (#"{"drop": 1}"#, #"expected a selector, found a number (/drop); write "email" or "/user/email""#),
            (#"{"keep": [[]]}"#, #"expected a selector, found an array (/keep/0); write "email" or "/user/email""#),
            (#"{"require": [true]}"#, #"expected a pointer, found true (/require/0); write "/data""#),
            (#"{"move": {"/a": 1}}"#, #"expected the target pointer, found a number (/move/~1a); write "/data""#),
            (
                #"{"move": {"/a": ["/b", "/c"]}}"#,
                "expected the target pointer, found an array (/move/~1a); a value moves to one target only"
            ),
            (
                #"{"dates": [1]}"#,
                #"expected an object, found a number (/dates/0); write {"at": "createdAt", "to": "rfc3339"}"#
            ),
            (
                #"{"values": 1}"#,
                #"expected a rule or an array of rules, found a number (/values); write {"at": "id", "as": "string"}"#
            ),
            (#"{"on": 1}"#, #"expected an object, found a number (/on); write {"duplicateKey": "last"}"#),
            (#"{"output": 1}"#, #"expected an object, found a number (/output); write {"indent": 2}"#),
            (#"{"version": "1"}"#, "expected a number, found a string (/version); write 1"),
            // Expectations that need no example.
            (#"{"name": 1}"#, "expected a string, found a number (/name)"),
            (#"{"prune": {"null": 1}}"#, "expected true or false, found a number (/prune/null)"),
            (#"{"output": {"indent": []}}"#, "expected a whole number from 0 to 16, found an array (/output/indent)"),
        ]
        for row in rows {
            let faults = profileFaults(Array(row.profile.utf8)).map(\.description)
            #expect(faults.count == 1 && faults.first?.hasSuffix(": \(row.error)") == true, "\(row.profile): \(faults)")
        }
    }

    @Test func `every example of an object is valid in a profile`() {
        for (object, example) in ProfileReader.objects {
            let text =
                switch object {
                case .profile: example
                case .maskKeep: #"{"values": {"at": "a", "as": "mask", "keep": \#(example)}}"#
                case .hashKey: #"{"values": {"at": "a", "as": "hash", "key": \#(example)}}"#
                case .example: #"{"keys": "camelCase", "examples": [\#(example)]}"#
                default: #"{"\#(object)": \#(example)}"#
                }
            #expect(profileFaults(Array(text.utf8)).isEmpty, "\(text)")
        }
    }
}
