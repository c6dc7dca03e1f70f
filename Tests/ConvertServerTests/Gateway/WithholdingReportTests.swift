import TestSupport
import Testing

struct WithholdingReportTests {
    @Test func `check prints what each route withholds and passes, and which routes bypass it`() throws {
        let directory = try TemporaryDirectory()
        let profiles = try TemporaryDirectory()
        _ = try profiles.write("redact.json", #"{ "drop": ["/ssn", "card"] }"#)
        _ = try profiles.write("plain.json", #"{ "rename": { "a": "b" } }"#)
        let path = try directory.write(
            "convert.json",
            """
            { "admin": "127.0.0.1:1", "profiles": "\(profiles.path)", "upstreams": { "u": { "servers": "http://localhost:81" }, "same": { "servers": "http://127.0.0.1:81" } }, "routes": [
              { "name": "all", "match": "/", "upstream": "u" },
              { "name": "old", "match": "/v1", "stripPrefix": "/v1", "upstream": "u" },
              { "name": "inner", "hosts": "inner.example", "match": "/", "upstream": "u" },
              { "name": "twin", "hosts": "twin.example", "match": "/", "upstream": "same" },
              { "name": "secret", "match": "/api/secret", "upstream": "u", "request": { "profile": "redact" },
                "response": { "profile": "redact", "pass": { "type": "text/html", "status": "4xx" } } },
              { "name": "half", "hosts": "half.example", "match": "/", "upstream": "u", "request": { "profile": "redact" } },
              { "name": "live", "match": "/live", "upstream": "u", "response": { "profile": "redact", "events": { "pass": "[DONE]" } } },
              { "name": "chat", "match": "/chat", "upgrade": "websocket", "upstream": "u", "response": { "profile": "plain", "messages": true } },
              { "name": "some", "match": "/some", "upstream": "u", "response": { "profile": "plain", "events": { "only": ["a", "message"] } } } ] }
            """)
        let outcome = try BuiltProgram.run("check", "--config", path)
        #expect(outcome.status == 0)
        let lines = outcome.text.split(separator: "\n").map { $0.dropFirst(path.count + 2) }
        #expect(
            lines.contains("route `secret` withholds from requests: drop /ssn, drop card; may pass unchanged: nothing"))
        #expect(
            lines.contains(
                "route `secret` withholds from responses: drop /ssn, drop card; may pass unchanged: text/html with 4xx")
        )
        #expect(
            lines.contains("route `live` converts all events; data that is not JSON ends the response, except `[DONE]`")
        )
        #expect(lines.contains("route `chat` converts the WebSocket messages of the upstream"))
        #expect(
            lines.contains(
                "route `some` converts the events `a`, `message`; others, and data that is not JSON, pass unchanged"))
        for (name, isWarned) in [("all", false), ("old", true), ("inner", true), ("twin", true), ("half", true)] {
            let warning = "warning: the route `\(name)` leads to the servers of `secret`"
            #expect(lines.contains { $0.hasPrefix(warning) } == isWarned, "\(lines)")
        }
        _ = try profiles.write("deep.json", #"{ "drop": "/items/*/ssn" }"#)
        _ = try profiles.write("kept.json", #"{ "keep": "/items/*/id" }"#)
        for (profile, base, isWarned) in [
            ("deep", "", true), ("deep", #", "of": "/items/*""#, false), ("kept", "", false),
        ] {
            let queries = try directory.write(
                "convert.json",
                #"{ "profiles": "\#(profiles.path)", "upstreams": { "u": { "servers": "http://h" } }, "routes": [{ "name": "q", "match": "/", "upstream": "u", "request": { "profile": "plain", "direction": "inverse", "query": { "values": { "sort": "names" }\#(base) } }, "response": { "profile": "\#(profile)" } }] }"#
            )
            let warned = try BuiltProgram.run("check", "--config", queries)
            let warning = "warning: the route `q` withholds drop /items/*/ssn, but without `of`"
            #expect(!warned.text.contains("withholds keep /items/*/id, but"))
            #expect(warned.status == 0 && warned.text.contains(warning) == isWarned, "\(warned.text)")
        }
        let faulty = try directory.write(
            "convert.json",
            #"{ "profiles": "\#(profiles.path)", "upstreams": { "u": { "servers": "http://h" } }, "routes": [{ "match": "/", "upstream": "u", "response": { "profile": "redact", "onSkip": "pass" } }] }"#
        )
        let refused = try BuiltProgram.run("check", "--config", faulty)
        #expect(
            refused.status == 78 && refused.text.contains("the route cannot have `onSkip: pass`"), "\(refused.text)")
    }
}
