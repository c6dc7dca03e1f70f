import Glibc
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// A client's profile must not block a server: a profile of twice the size takes about twice the time.
struct CompileTimeTests {
    /// Processor time of this thread, in nanoseconds.
    private static var threadTime: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// The shortest of three times to read and compile a profile and to convert a payload, in nanoseconds.
    private static func time(
        _ document: String, _ payload: String, _ direction: Profile.Direction, _ framing: Converter.Framing = .document
    ) throws -> Int {
        var least = Int.max
        for _ in 0..<3 {
            let start = threadTime
            let plan = try Profile(parsing: Array(document.utf8)).compile(direction)
            _ = try plan.convert(Array(payload.utf8), framing: framing)
            least = min(least, threadTime - start)
        }
        return least
    }

    /// List elements made from `element`, with the numbers below `count` in place of every `#`.
    private static func list(_ element: String, _ count: Int) -> String {
        (0..<count).map { element.replacing("#", with: "\($0)") }.joined(separator: ",")
    }

    @Test func `eight times the entries take less than forty times the time`() throws {
        // Quadratic work would take sixty-four times as long. Each row has the text to repeat, for the profile and for the payload.
        let rows: [(profile: (String, String, String), payload: (String, String, String))] = [
            // This row runs in the inverse direction.
            ((#"{"rename":{"#, ##""/x/a#":"b#""##, "}}"), (#"{"x":{"#, ##""b#":1"##, "}}")),
            ((#"{"defaults":{"#, ##""/a#":1"##, "}}"), ("{", "", "}")),
            ((#"{"defaults":{"#, ##""/a#/b/c":1"##, "}}"), ("{", "", "}")),
            ((#"{"defaults":{"#, ##""/a#":1"##, "}}"), ("{", ##""b#":1"##, "}")),
            (
                (#"{"on":{"collision":"last"},"defaults":{"#, ##""/a#":1"##, "}}"), ("{", ##""b#":1"##, "}")
            ),
            ((#"{"require":["#, ##""/*/a#""##, "]}"), ("[", "", "]")),
            ((#"{"require":["#, ##""/*/*/a#""##, "]}"), ("{", ##""b#":[]"##, "}")),
            ((#"{"require":["#, ##""/a#""##, "]}"), ("{", ##""a#":1"##, "}")),
            ((#"{"keys":{"case":"camelCase","acronyms":["#, ##""A#B""##, "]}}"), ("{", "", "}")),
            ((#"{"move":{"#, ##""/x/a#":"/b#/c""##, "}}"), (#"{"x":{"#, ##""a#":1"##, "}}")),
        ]
        for (index, row) in rows.enumerated() {
            let times = try [500, 4000].map { count in
                try Self.time(
                    row.profile.0 + Self.list(row.profile.1, count) + row.profile.2,
                    row.payload.0 + (row.payload.1.isEmpty ? "" : Self.list(row.payload.1, count)) + row.payload.2,
                    index == 0 ? .inverse : .forward)
            }
            #expect(times[1] < 40 * times[0], "\(row.profile): \(times) ns")
        }
    }

    /// The text with each part between `<` and `>` repeated `count` times, with numbers in place of every `#`.
    private static func expand(_ text: String, _ count: Int) -> String {
        text.split(separator: "<").enumerated().map { index, part in
            let parts = part.split(separator: ">", maxSplits: 1)
            return index == 0 ? String(part) : list(String(parts[0]), count) + parts[1]
        }.joined()
    }

    @Test func `eight times the wildcard rules and keys take less than forty times the time`() throws {
        let objects = #"{"r":[<{},{},{},{},{},{},{},{}>]}"#
        let rows: [(profile: String, payload: String, direction: Profile.Direction)] = [
            (#"{"drop":[<"/*/l#","/k#/x">]}"#, #"{<"k#":{"z":1}>}"#, .forward),
            (#"{"drop":[<"/**/k#/x">]}"#, #"{<"k#":{"z":1}>}"#, .forward),
            (#"{"drop":[<"/*/#","/k#/x">]}"#, #"{<"k#":[1]>}"#, .forward),
            (#"{"keep":[<"/*/l#","/k#/x">]}"#, #"{<"k#":{"z":1}>}"#, .forward),
            (
                #"{"records":{"at":"/*","onError":"skip"},"drop":[<"/k#/x">],"require":[<"/*/l#">]}"#,
                #"{<"k#":{"z":1}>}"#, .forward
            ),
            (#"{"defaults":{<"/r/*/d#/*/x":1>}}"#, #"{"r":{<"k#":{}>}}"#, .forward),
            (#"{"move":{"/z":"/y"},"defaults":{<"/r/*/d#/*/x":1>}}"#, objects, .forward),
            (#"{"on":{"duplicateKey":"last"},"defaults":{<"/r/*/d#/*/x":1>}}"#, objects, .forward),
            (#"{"require":[<"/a/b#">],"values":{"at":[<"/c#">],"as":"mask"}}"#, #"{"a":{<"b#":1>}}"#, .forward),
            (#"{"move":{<"/a/k#":"/b/n#">},"values":[{"at":[<"/a/k#">],"as":"json"}]}"#, "{}", .inverse),
        ]
        for row in rows {
            let times = try [250, 2000].map { count in
                try Self.time(Self.expand(row.profile, count), Self.expand(row.payload, count), row.direction)
            }
            #expect(times[1] < 40 * times[0], "\(row.profile): \(times) ns")
        }
        let profile = #"{"move":{"/z":"/y"},"defaults":{<"/d#/*/x":1>}}"#
        let times = try [250, 2000].map { count in
            try Self.time(Self.expand(profile, count), String(repeating: "{}\n", count: 8 * count), .forward, .lines)
        }
        #expect(times[1] < 40 * times[0], "lines: \(times) ns")
    }

    @Test func `rules that would be combined again for each of many keys are refused`() throws {
        for section in [#"{"require":[<"/*/l#","/k#/x">]}"#, #"{"defaults":{<"/*/l#":1,"/k#/x":2>}}"#] {
            let (few, many) = (Self.expand(section, 500), Self.expand(section, 1500))
            #expect(ProfileReport(checking: Array(few.utf8)).faults.isEmpty)
            let faults = ProfileReport(checking: Array(many.utf8)).faults
            #expect(faults.count == 1 && faults[0].message.hasPrefix("too many pointers in "), "\(faults)")
        }
        let keep = #"{"keep":[<"/b#">,"/a",{<"/a/c#":["b"]>}]}"#
        #expect(ProfileReport(checking: Array(Self.expand(keep, 500).utf8)).faults.isEmpty)
        let faults = ProfileReport(checking: Array(Self.expand(keep, 1500).utf8)).faults
        #expect(faults.map(\.message) == ["too many lists in `keep` to compare with its selectors"])
        // Keys and wildcards at different levels do not form pairs.
        let apart = Self.expand(#"{"require":[<"/*/l#","/k/*/m#/x">]}"#, 1500)
        #expect(ProfileReport(checking: Array(apart.utf8)).faults.isEmpty)
    }

    @Test func `the total segments of rules that are compared in pairs are limited`() throws {
        let long = String(repeating: "/a", count: 240)
        let wild = Self.expand(##"{"rename":{<"/*\##(long)/x#":"y#">}}"##, 200)
        let faults = ProfileReport(checking: Array(wild.utf8)).faults
        let limit = "selectors with wildcards of more than 20000 segments together"
        #expect(faults.map(\.message) == ["`rename` has \(limit)"])
        let moves = Self.expand(##"{"move":{<"\##(long)/x#":"\##(long)/y#">}}"##, 200)
        let losses = try Profile(parsing: moves).invertibility.losses
        #expect(losses.map(\.message) == ["moves of more than 20000 segments are too many to compare"])
        let many = Self.expand(##"{"move":{<"/a/*/b/x#":"/a/*/b/y#">}}"##, 900)
        #expect(try Profile(parsing: many).invertibility.isInvertible)
    }

    @Test func `moves into JSON text are found by any keys`() throws {
        let rows: [(values: String, move: String, isRefused: Bool)] = [
            (#""/a/b""#, #""/c":"/a/b/d""#, true), (#""/a/b""#, #""/c":"/a/b""#, false),
            (#""/a/*""#, #""/c":"/a/b/d""#, true), (#""/*/*""#, #""/c":"/a/d""#, false),
            (#""/**/b""#, #""/c":"/a/x/b/d""#, true), (#""/**""#, #""/c":"/a/d""#, true),
            (#""/a/**""#, #""/c":"/a/d""#, true), (#""/**/a/**""#, #""/c":"/d""#, false),
            (#""b""#, #""/c":"/a/b/d""#, true), (#""b*""#, #""/c":"/a/b/d""#, true),
            (#""d""#, #""/c":"/a/b/d""#, false),
            (#""/a/b""#, #""/*/c":"/*/b/d""#, true), (#""b""#, #""/*/c/e":"/*/c/f/d""#, true),
            (#""/a/b/c""#, #""/*/c":"/*/b/d""#, false),
        ]
        for row in rows {
            let profile = try Profile(
                parsing: "{\"values\":{\"at\":\(row.values),\"as\":\"json\"},\"move\":{\(row.move)}}")
            do throws(ProfileError) {
                _ = try profile.compile(.inverse)
                #expect(!row.isRefused, "\(row)")
            } catch {
                #expect(row.isRefused && error.faults.count == 1, "\(row)")
                #expect(error.faults[0].message == "a value moved into JSON text cannot be taken out again")
            }
        }
        // An object that may become null cannot keep a value for the way back.
        for rule in [#""values":{"at":"/a","map":{"x":"y"}}"#, #""dates":{"at":"/a","from":"date"}"#] {
            for (policy, isRefused) in [("null", true), ("error", false)] {
                let profile = try Profile(
                    parsing: "{\(rule),\"move\":{\"/c\":\"/a/d\"},\"on\":{\"badValue\":\"\(policy)\"}}")
                let refusal = (try? profile.compile(.inverse)) == nil
                #expect(refusal == isRefused, "\(rule) \(policy)")
            }
        }
        // The error names the first of several rules. Too many moves with `*` to compare each with each path are refused.
        let values = #"{"at":["x","/b/c"],"as":"json"},{"at":["/**/c","/b/*"],"as":"json"}"#
        let several = try Profile(parsing: #"{"values":[{"at":"/y","as":"json"},\#(values)],"move":{"/a":"/b/c/d"}}"#)
        let error = #expect(throws: ProfileError.self) { try several.compile(.inverse) }
        #expect(error?.faults.first?.hint == "the rule at /values/1 reads that string")
        let wild = Self.expand(#"{"move":{<"/*/k#/a":"/*/k#/b">},"values":[{"at":[<"/a/#/x/y/z">],"as":"json"}]}"#, 900)
        let refusal = #expect(throws: ProfileError.self) { try Profile(parsing: wild).compile(.inverse) }
        #expect(refusal?.faults.first?.message == "too many moves to compare with the paths of values")
    }

    @Test func `defaults by keys and by wildcards are added in the profile's order`() throws {
        // More defaults than are tried one by one.
        let many = Self.list(##""/n#/z":1"##, 100)
        let plan = try Profile(##"{"defaults":{"/a/x":1,"/*/y":2,"/a/w":3,\##(many),"/a/v":4}}"##).compile(.forward)
        let result = try plan.convert(#"{"a":{},"b":{}}"#)
        #expect(result.hasPrefix(#"{"a":{"x":1,"y":2,"w":3,"v":4},"b":{"y":2},"n0""#), "\(result)")
    }

    @Test func `members that several defaults need are found in large objects`() throws {
        let many = Self.list(##""/n#":1"##, 100)
        // With the object written as it arrives, and with the whole object buffered.
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
