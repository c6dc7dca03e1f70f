import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPServer

/// Routes with `response.shadow`: a second profile is compared with the route's on a sample of the responses.
struct GatewayShadowTests {
    private static let next = #"{ "rename": { "firstName": "first" }, "drop": "/secret" }"#

    private static func stage(
        next: String = next, mobile: String = GatewayStage.mobile, shadow: String = #""sample": 1"#,
        response: String = ""
    ) throws -> GatewayStage {
        try GatewayStage(
            routes: route(shadow, response), profiles: ["mobile": mobile, "next": next])
    }

    private static func route(_ shadow: String, _ response: String = "") -> String {
        #"{ "name": "api", "match": "/", "upstream": "shop", "response": { "profile": "mobile", "#
            + #""shadow": { "profile": "next", \#(shadow) } \#(response) } }"#
    }

    /// Waits until this number of responses is in the report, and returns the report.
    private static func report(_ stage: GatewayStage, after count: Int) throws -> String {
        var text = ""
        let isDone = try waits {
            text = try stage.askAdmin("/v1/shadow").text
            let numbers = text.matches(of: /"(?:same|differs|error|skipped)":([0-9]+)/).compactMap { Int($0.1) }
            return numbers.reduce(0, +) == count
        }
        #expect(isDone, "\(text)")
        return text
    }

    private static func counts(_ stage: GatewayStage) throws -> [String] {
        try stage.askAdmin("/metrics").text.split(separator: "\n").filter { $0.hasPrefix("convert_shadow_total") }
            .map { String($0.dropFirst("convert_shadow_total".count)) }
    }

    private static func empty(_ members: String, _ results: String = #""same":0,"differs":0,"error":0,"skipped":0"#)
        -> String
    {
        #"{"routes":[{"route":"api","profile":"next","direction":"forward",\#(results),"differences":[\#(members)],"others":0}]}"#
    }

    @Test func `differences of a sample are counted by path, kind and rule, and no value is shown`() throws {
        let mobile = #"{ "rename": { "firstName": "fn" }, "output": { "sortKeys": true } }"#
        let stage = try Self.stage(
            next: #"{ "rename": { "firstName": "first" }, "output": { "sortKeys": true } }"#, mobile: mobile)
        #expect(try stage.askAdmin("/v1/shadow").text == Self.empty(""))
        #expect(try Self.counts(stage).isEmpty)
        let people = #"{"people": [{"firstName": "Ada-value"}, {"firstName": "Bob-value", "card": 4711471147114711}]}"#
        try stage.backend.script("/people", .response(200, people))
        try stage.backend.script("/people", .chunked([String(people.prefix(20)), String(people.dropFirst(20))]))
        try stage.backend.script("/other", .response(200, #"{"id": "other-value"}"#))
        try stage.backend.script("/text", .response(200, "text-value", type: "text/plain"))
        let converted = #"{"people":[{"fn":"Ada-value"},{"card":4711471147114711,"fn":"Bob-value"}]}"#
        for (path, body) in [
            ("/people", converted), ("/people", converted), ("/other", #"{"id":"other-value"}"#),
            ("/text", "text-value"),
        ] {
            let response = try stage.ask("GET \(path)?q=query-value")
            #expect(response.status == 200 && response.text == body)
        }
        let report = try Self.report(stage, after: 3)
        #expect(
            report
                == Self.empty(
                    #"{"path":"/people/*/fn","kind":"only-in-old","count":4,"oldRule":"rename \"firstName\"","newRule":"rename \"firstName\""},"#
                        + #"{"path":"/people/*/first","kind":"only-in-new","count":4,"oldRule":"rename \"firstName\"","newRule":"rename \"firstName\""}"#,
                    #""same":1,"differs":2,"error":0,"skipped":0"#))
        #expect(
            try Self.counts(stage) == [
                #"{route="api",result="same"} 1"#, #"{route="api",result="differs"} 2"#,
                #"{route="api",result="error"} 0"#, #"{route="api",result="skipped"} 0"#,
            ])
        let metrics = try stage.askAdmin("/metrics").text
        _ = try ExpositionDocument(Array(metrics.utf8))
        #expect(waits { stage.accessLog.count >= 4 })
        for text in [report, metrics, stage.server.log] {
            for value in ["-value", "47114711"] { #expect(!text.contains(value), "\(text)") }
        }
        #expect(!metrics.contains("people") && !metrics.contains("card"))
        // Clients of the gateway do not reach the report.
        #expect(try stage.forwarded("GET /v1/shadow").target == "/v1/shadow")
    }

    @Test func `where data is withheld, the report shows only keys that a profile names`() throws {
        let stage = try Self.stage()
        let body =
            #"{"ada@example.com": {"firstName": 1}, "ssn123": {"secret": 2, "firstName": 3}, "secret": 4, "firstName": 5}"#
        try stage.backend.script("/", .response(200, body))
        _ = try stage.ask("GET /")
        let report = try Self.report(stage, after: 1)
        let paths = report.matches(of: /"path":"([^"]*)"/).map { String($0.1) }
        #expect(paths == ["/secret", "/fn", "/first", "/*/fn", "/*/first"], "\(report)")
        for key in ["ada", "example", "ssn"] { #expect(!report.contains(key)) }
    }

    @Test func `errors, long bodies and broken responses are counted, and change no response`() throws {
        let stage = try Self.stage(next: #"{ "require": "/id" }"#)
        let long = #"{"id": "\#(String(repeating: "x", count: 256 * 1024))"}"#
        try stage.backend.script("/missing", .response(200, #"{"firstName": 1}"#))
        try stage.backend.script("/long", .response(200, long))
        try stage.backend.script("/broken", .response(200, "{,"))
        try stage.backend.script("/empty", .response(200, ""))
        try stage.backend.script("/cut", .chunked([#"{"id": "#], isCut: true))
        #expect(try stage.ask("GET /missing").text == #"{"fn":1}"#)
        #expect(try stage.ask("GET /long").body.count == long.utf8.count - 1)
        #expect(try stage.ask("GET /broken").status == 502)
        #expect(try stage.ask("GET /empty").status == 200)
        let report = try Self.report(stage, after: 3)
        #expect(
            report
                == Self.empty(
                    #"{"path":"/id","kind":"error","count":1,"newRule":"require \"/id\"","newError":"require"}"#,
                    #""same":0,"differs":0,"error":1,"skipped":2"#))
        // HEAD, empty bodies and responses without conversion are not chosen; a later response shows that they are not only late.
        _ = try stage.exchange(HTTPText.message("HEAD /missing", isLast: true))
        try stage.backend.script("/late", .response(404, "{}"))
        _ = try stage.ask("GET /late")
        _ = try stage.ask("GET /missing")
        #expect(try Self.report(stage, after: 4).contains(#""same":0,"differs":0,"error":2,"skipped":2"#))
    }

    @Test func `a profile of a shadow that is missing or has no inverse is an error in the file`() throws {
        let stage = try Self.stage()
        for (shadow, message) in [
            (#""sample": 1, "direction": "inverse""#, "the profile `next` cannot be used in the inverse direction"),
            (#""sample": 1"#, "there is no profile `next`; did you mean `nxt`?"),
        ] {
            if !shadow.contains("inverse") {
                _ = try stage.profiles.write("nxt.json", "{}")
                unsafe unlink("\(stage.profiles.path)/next.json")
            } else {
                _ = try stage.profiles.write("next.json", #"{ "keys": "camelCase" }"#)
            }
            try stage.reconfigure(routes: Self.route(shadow))
            let file = "\(stage.directory.path)/convert.json"
            let outcome = try BuiltProgram.run("check", "--config", file)
            #expect(outcome.status == 78 && outcome.text.contains(message), "\(outcome.text)\(outcome.errors)")
            #expect(outcome.text.contains("(/routes/0/response/shadow/profile)"), "\(outcome.text)")
        }
    }

    @Test func `lines of NDJSON and compressed bodies are compared`() throws {
        let stage = try Self.stage()
        try stage.backend.script(
            "/lines", .response(200, "{\"firstName\":1}\n{\"id\":2}\n{\"firstName\":3}\n", type: "application/x-ndjson")
        )
        let coded = try PythonCoding.encode(Array(GatewayStage.ada.before.utf8), .gzip)
        try stage.backend.script("/coded", .response(200, bytes: coded, "Content-Encoding: gzip"))
        _ = try stage.ask("GET /lines")
        _ = try stage.ask("GET /coded", "Accept-Encoding: gzip")
        let report = try Self.report(stage, after: 2)
        #expect(report.contains(#""differs":2"#))
        #expect(report.contains(#""path":"/fn","kind":"only-in-old","count":3"#), "\(report)")
    }

    @Test func `without a sample nothing is compared, and a reload begins new counts`() throws {
        let stage = try Self.stage(shadow: #""sample": 0"#)
        try stage.backend.script("/", .response(200, GatewayStage.ada.before))
        for _ in 0..<3 { _ = try stage.ask("GET /") }
        #expect(try Self.report(stage, after: 0) == Self.empty(""))
        try stage.reconfigure(routes: Self.route(#""sample": 1"#))
        try stage.reload(untilLog: "reloaded: ")
        for _ in 0..<2 { _ = try stage.ask("GET /") }
        #expect(try Self.report(stage, after: 2).contains(#""differs":2"#))
        try stage.reload(untilLog: "reloaded: ")
        #expect(try Self.report(stage, after: 0) == Self.empty(""))
        // The counters of the process go on.
        #expect(try Self.counts(stage).contains(#"{route="api",result="differs"} 2"#))
        try stage.reconfigure()
        try stage.reload(untilLog: "reloaded: ")
        #expect(try stage.askAdmin("/v1/shadow").text == #"{"routes":[]}"#)
    }
}
