import Testing

@testable import ConvertProfiles

struct CheckRequestTests {
    private static func report(_ body: String) -> String {
        String(decoding: CheckRequest(Array(body.utf8)).report(), as: UTF8.self)
    }

    @Test func `a body without a payload is the profile itself`() {
        for body in [#"{"drop": "/a"}"#, #"{"profile": {}}"#, "[", #"{"payload": 1, "x": 2}"#, ""] {
            #expect(
                Self.report(body) == String(decoding: ProfileReport(checking: Array(body.utf8)).json(), as: UTF8.self))
        }
    }

    @Test func `a profile with a payload is checked and explained`() {
        let report = Self.report(#"{"payload": {"a": [1], "t": null}, "profile": {"rename": {"a": "b", "/x\"": "y"}}}"#)
        #expect(report.hasPrefix(#"{"valid":true,"faults":[],"#))
        #expect(
            report.hasSuffix(
                #","explanation":{"effects":[{"in":"/a","out":"/b","pointer":"/rename/a","rule":"rename \"a\"","#
                    + #""what":"rename: `a` -> `b`","count":1}],"idleRules":[{"pointer":"/rename/~1x\"","#
                    + #""rule":"rename \"/x\\\"\"","reason":"the payload has no key `x\\\"`"}]}}"#), "\(report)")
        let inverse = Self.report(#"{"profile": {"rename": {"a": "b"}}, "payload": {"b": 1}, "direction": "inverse"}"#)
        #expect(inverse.contains(#""in":"/b","out":"/a""#), "\(inverse)")
        let failed = Self.report(#"{"profile": {"rename": {"a": "b"}}, "payload": {"a": 1, "b": 1}}"#)
        #expect(failed.contains(#""error":{"code":"collision","message":""#), "\(failed)")
        let faulty = Self.report(#"{"profile": {"rename": 1}, "payload": {}}"#)
        #expect(faulty.hasPrefix(#"{"valid":false,"faults":[{"pointer":"/rename","line":1,"column":12,"#), "\(faulty)")
        #expect(!faulty.contains("explanation"))
    }

    @Test func `an unknown direction is an error, and too large payloads are not explained`() {
        let direction = Self.report(#"{"profile": {}, "payload": {}, "direction": "back"}"#)
        #expect(
            direction.hasPrefix(#"{"valid":false,"faults":[{"pointer":"/direction","line":1,"column":45,"#),
            "\(direction)")
        let keys = (0..<300).map { "\"k\($0)\"" }.joined(separator: ",")
        for (count, isExplained) in [(1000, true), (4000, false), (6000, false)] {
            let values = (0..<count).map { _ in "1" }.joined(separator: ",")
            let report = Self.report(#"{"profile": {"drop": [\#(keys)]}, "payload": [\#(values)]}"#)
            #expect(report.contains("too large to be explained here") != isExplained, "\(count)")
        }
        let long = String(repeating: "x", count: 20_000)
        for (count, isExplained) in [(100, true), (1000, false)] {
            let objects = (0..<count).map { _ in "{}" }.joined(separator: ",")
            let report = Self.report(#"{"profile": {"defaults": {"/*/a": "\#(long)"}}, "payload": [\#(objects)]}"#)
            #expect(report.contains("too large to be explained here") != isExplained, "\(count) objects")
        }
        // Few bytes can become many values: each of 20,000 elements is one, and each of nine rules adds to what those before it added.
        let zeros = repeatElement("0", count: 20_000).joined(separator: ",")
        let objects = (0..<8).map { "\"a\($0)\": {}" }.joined(separator: ",")
        let cascade = (1...9).map { "\"\(String(repeating: "/*", count: $0))/k\": {\(objects)}" }
        for (rule, count, isExplained) in [
            ("\"/*/a\": [\(zeros)]", 1, true), ("\"/*/a\": [\(zeros)]", 100, false),
            (cascade[..<4].joined(separator: ","), 1, true), (cascade.joined(separator: ","), 100, false),
        ] {
            let objects = (0..<count).map { _ in "{}" }.joined(separator: ",")
            let report = Self.report(#"{"profile": {"defaults": {\#(rule)}}, "payload": [\#(objects)]}"#)
            #expect(report.contains("too large to be explained here") != isExplained, "\(rule.prefix(40)), \(count)")
        }
        // The paths to all values of the payload and of the output may have 2,097,152 bytes.
        for (profile, key, count, isExplained) in [
            ("{}", long + long + long, 16, true), ("{}", long + long + long, 17, false),
            (#"{"rename": {"a": "\#(long + long + long)"}}"#, "a", 33, true),
            (#"{"rename": {"a": "\#(long + long + long)"}}"#, "a", 34, false),
        ] {
            let members = (0..<count).map { "\"\($0)\": 1" }.joined(separator: ",")
            let report = Self.report(#"{"profile": \#(profile), "payload": {"\#(key)": {\#(members)}}}"#)
            #expect(report.contains("too large to be explained here") != isExplained, "\(key.prefix(2)), \(count)")
        }
        let lossy = Self.report(#"{"profile": {"keys": "camelCase"}, "payload": {}, "direction": "inverse"}"#)
        #expect(lossy.contains(#""error":{"message":"`keys` is one way"#), "\(lossy)")
    }
}
