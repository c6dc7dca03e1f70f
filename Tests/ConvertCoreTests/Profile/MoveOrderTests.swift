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
            // The shared parts differ.
            (
                #"{"move": {"/user/home": "/user/place", "/city": "/user/place/city"}}"#, "/move/~1user~1home",
                "rename `/user/home` to `place` instead"
            ),
            (
                #"{"move": {"/home": "/user/place", "/user/city": "/user/place/city"}}"#, "/move/~1home",
                "move the values in `/home` one by one"
            ),
            (
                #"{"keys": "camelCase", "move": {"/the_user/home": "/the_user/place", "/city": "/theUser/place/city"}}"#,
                "/move/~1the_user~1home", "rename `/the_user/home` to `place` instead"
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
            // The rename gives the object of the first move another key.
            #""/user/home": "/user/place", "/city": "/user/place/city"}, "rename": {"user": "person""#,
        ] {
            #expect(try Profile("{\"move\": {\(moves)}}").warnings.isEmpty, "\(moves)")
        }
        let dropped = try Profile(#"{"move": {"/id": "/user/id", "/address": "/user"}, "drop": "/id"}"#).warnings
        #expect(dropped.map(\.pointer) == ["/move/~1id"], "\(dropped)")
    }

    @Test func `the result depends on the order of keys also if the shared parts of two moves differ`() throws {
        for moves in [
            #""/user/home": "/user/place", "/city": "/user/place/city""#,
            #""/home": "/user/place", "/user/city": "/user/place/city""#,
        ] {
            let payloads = [
                #"{"home":{"zip":1},"user":{"home":{"zip":1},"city":"x"},"city":"x"}"#,
                #"{"city":"x","user":{"city":"x","home":{"zip":1}},"home":{"zip":1}}"#,
            ]
            let plan = try Profile("{\"move\": {\(moves)}}").compile(.forward)
            #expect(throws: Never.self) { try plan.convert(payloads[0]) }
            #expect(throws: ConversionError.self) { try plan.convert(payloads[1]) }
        }
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
