import ConvertEngine
import Testing

@testable import ConvertProfiles

/// `move` with one prefix for several moves.
struct MoveGroupTests {
    @Test func `the moves of an object are those with its path on both sides`() throws {
        let grouped = try Profile(
            parsing: #"{"move": {"/a/*": {"/c/h": "/h", "/c/b": "/t"}, "/x/y": "/x"}, "prune": {"emptyObject": true}}"#)
        let written = try Profile(
            parsing:
                #"{"move": {"/a/*/c/h": "/a/*/h", "/a/*/c/b": "/a/*/t", "/x/y": "/x"}, "prune": {"emptyObject": true}}"#
        )
        #expect(grouped.moves.map(\.source) == written.moves.map(\.source))
        #expect(grouped.moves.map(\.target) == written.moves.map(\.target))
        let payload = #"{"a":[{"c":{"h":1,"b":2}},{"c":{"h":3,"i":4}}]}"#
        let output = #"{"a":[{"h":1,"t":2},{"c":{"i":4},"h":3}]}"#
        #expect(try grouped.compile(.forward).convert(payload) == output)
        #expect(try written.compile(.forward).convert(payload) == output)
    }

    @Test func `an error has the position of the move`() {
        let rows: [(move: String, pointer: String, words: String)] = [
            (#""/a": {"b": "/c"}"#, "/move/~1a/b", "needs pointers"),
            (#""/a": {"/b": "c"}"#, "/move/~1a/~1b", "needs pointers"),
            (#""/a/**": {"/b": "/c"}"#, "/move/~1a~1**", "does not accept `**`"),
            (#""/a": {"/b/*": "/c"}"#, "/move/~1a/~1b~1*", "common beginning"),
            (#""/a": {"/b": {"/c": "/d"}}"#, "/move/~1a/~1b", "found an object"),
            (#""/a": {"/b": "/c"}, "/a/b": "/d""#, "/move/~1a~1b", "same source `/a/b`"),
        ]
        for row in rows {
            let faults = profileFaults(Array("{\"move\": {\(row.move)}}".utf8))
            #expect(faults.first?.pointer == row.pointer, "\(row.move) \(faults)")
            #expect(faults.first?.message.contains(row.words) == true, "\(row.move) \(faults)")
        }
    }
}
