import Glibc
import Testing

@testable import ConvertCore

/// Who brings a profile along must not hold a server up: twice the profile takes about twice the time.
struct CompileTimeTests {
    /// Processor time of this thread, in nanoseconds.
    private static var threadTime: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// The least time that a profile takes to be read and compiled and to convert a payload, of three.
    private static func time(_ document: String, _ payload: String) throws -> Int {
        var least = Int.max
        for _ in 0..<3 {
            let start = threadTime
            let plan = try Profile(parsing: Array(document.utf8)).compile(.forward)
            _ = try plan.convert(Array(payload.utf8))
            least = min(least, threadTime - start)
        }
        return least
    }

    /// Elements of a list by their numbers, which stand for every `#`.
    private static func list(_ element: String, _ count: Int) -> String {
        (0..<count).map { element.replacing("#", with: "\($0)") }.joined(separator: ",")
    }

    @Test func `a profile of eight times the entries takes no forty times the time`() throws {
        // By the square it would be sixty-four times. What each row repeats, in the profile and in the payload.
        let rows: [(profile: (String, String, String), payload: (String, String, String))] = [
            ((#"{"defaults":{"#, ##""/a#":1"##, "}}"), ("{", "", "}")),
            ((#"{"defaults":{"#, ##""/a#/b/c":1"##, "}}"), ("{", "", "}")),
            ((#"{"defaults":{"#, ##""/a#":1"##, "}}"), ("{", ##""b#":1"##, "}")),
            (
                (#"{"on":{"collision":"last"},"defaults":{"#, ##""/a#":1"##, "}}"), ("{", ##""b#":1"##, "}")
            ),
            ((#"{"require":["#, ##""/*/a#""##, "]}"), ("[", "", "]")),
            ((#"{"require":["#, ##""/a#""##, "]}"), ("{", ##""a#":1"##, "}")),
            ((#"{"keys":{"case":"camelCase","acronyms":["#, ##""A#B""##, "]}}"), ("{", "", "}")),
            ((#"{"move":{"#, ##""/x/a#":"/b#/c""##, "}}"), (#"{"x":{"#, ##""a#":1"##, "}}")),
        ]
        for row in rows {
            let times = try [500, 4000].map { count in
                try Self.time(
                    row.profile.0 + Self.list(row.profile.1, count) + row.profile.2,
                    row.payload.0 + (row.payload.1.isEmpty ? "" : Self.list(row.payload.1, count)) + row.payload.2)
            }
            #expect(times[1] < 40 * times[0], "\(row.profile): \(times) ns")
        }
    }

    @Test func `defaults by names and by wildcards are added in the order of the profile`() throws {
        // More than are tried one by one.
        let many = Self.list(##""/n#/z":1"##, 100)
        let plan = try Profile(##"{"defaults":{"/a/x":1,"/*/y":2,"/a/w":3,\##(many),"/a/v":4}}"##).compile(.forward)
        let result = try plan.convert(#"{"a":{},"b":{}}"#)
        #expect(result.hasPrefix(#"{"a":{"x":1,"y":2,"w":3,"v":4},"b":{"y":2},"n0""#), "\(result)")
    }

    @Test func `members that defaults add to and ask for again are found in large objects`() throws {
        let many = Self.list(##""/n#":1"##, 100)
        // As it comes, and with the whole object held.
        for policy in ["error", "last"] {
            let plan = try Profile(
                ##"{"on":{"collision":"\##(policy)"},"defaults":{\##(many),"/p/q":1,"/p/r":2}}"##
            ).compile(.forward)
            let result = try plan.convert(#"{"n7":0}"#)
            let others = (0..<100).filter { $0 != 7 }.map { "\"n\($0)\":1," }.joined()
            #expect(result == "{\"n7\":0," + others + #""p":{"q":1,"r":2}}"#)
        }
    }
}
