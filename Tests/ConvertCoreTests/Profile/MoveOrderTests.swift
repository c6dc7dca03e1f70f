import ConvertEngine
import Testing

@testable import ConvertProfiles

/// Moves of an object and of another value into the same target.
struct MoveOrderTests {
    @Test func `a move into the target of another move causes a warning`() throws {
        let rows: [(profile: String, pointer: String, hint: String)] = [
            (
                #"{"move": {"/id": "/user/id", "/address": "/user"}}"#, "/move/~1address",
                "rename `/address` to `user` instead"
            ),
            (
                #"{"move": {"/address": "/user", "/id": "/user/meta/id"}}"#, "/move/~1address",
                "rename `/address` to `user` instead"
            ),
            (
                #"{"move": {"/id": "/user/id", "/a/address": "/user"}}"#, "/move/~1a~1address",
                "move the values in `/a/address` one by one"
            ),
            (
                #"{"move": {"/items/*": {"/id": "/user/id", "/no": "/user/no", "/address": "/user"}}}"#,
                "/move/~1items~1*/~1address", "rename `/items/*/address` to `user` instead"
            ),
        ]
        for row in rows {
            let warnings = try Profile(row.profile).warnings
            #expect(warnings.map(\.pointer) == [row.pointer], "\(row.profile): \(warnings)")
            #expect(warnings.first?.hint == row.hint, "\(row.profile): \(warnings)")
        }
        let found = try Profile("{\"move\": {\"/id\": \"/user/id\",\n\"/address\": \"/user\"}}").warnings
        #expect(found.map(\.line) == [2])
        #expect(
            found.first?.message.hasSuffix(": `/id`, moved on line 1, goes into the same target") == true, "\(found)")
    }

    @Test func `moves whose result does not depend on the order cause no warning`() throws {
        for moves in [
            // The move of the members, one by one.
            #""/id": "/user/id", "/address/city": "/user/city""#,
            // An object always comes before the values in it.
            #""/address": "/user", "/address/geo/id": "/user/id""#,
            // Both have the same target, or the keys only begin alike.
            #""/a": "/user", "/b": "/user""#,
            #""/a": "/user", "/b": "/users/id""#,
            // The second move is within the object `user` of the input.
            #""/address": "/user", "/user/geo/id": "/user/id""#,
        ] {
            #expect(try Profile("{\"move\": {\(moves)}}").warnings.isEmpty, "\(moves)")
        }
        let dropped = try Profile(#"{"move": {"/id": "/user/id", "/address": "/user"}, "drop": "/id"}"#).warnings
        #expect(dropped.map(\.pointer) == ["/move/~1id"], "\(dropped)")
    }

    @Test func `what the warning proposes does not depend on the order of keys`() throws {
        let payloads = [#"{"id":1,"address":{"city":"x"}}"#, #"{"address":{"city":"x"},"id":1}"#]
        let order = try Profile(#"{"move": {"/id": "/user/id", "/address": "/user"}}"#).compile(.forward)
        #expect(throws: ConversionError.self) { try order.convert(payloads[0]) }
        #expect(try order.convert(payloads[1]) == #"{"user":{"city":"x","id":1}}"#)
        let renamed = try Profile(#"{"move": {"/id": "/user/id"}, "rename": {"/address": "user"}}"#).compile(.forward)
        for payload in payloads { #expect(try renamed.convert(payload) == #"{"user":{"city":"x","id":1}}"#) }
        let single = try Profile(
            #"{"move": {"/id": "/user/id", "/address/city": "/user/city"}, "prune": {"emptyObject": true}}"#
        ).compile(.forward)
        // Moved values are in the order of the input.
        #expect(try single.convert(payloads[0]) == #"{"user":{"id":1,"city":"x"}}"#)
        #expect(try single.convert(payloads[1]) == #"{"user":{"city":"x","id":1}}"#)
    }
}
