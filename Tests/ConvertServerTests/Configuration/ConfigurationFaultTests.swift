import ConvertProfiles
import TestSupport
import Testing

@testable import ConvertServer

struct ConfigurationFaultTests {
    private static func faults(_ text: String) -> [ProfileFault] { ConfigurationFile(text: text).faults }

    /// A configuration with one more member in its upstream or its route.
    private static func upstream(_ members: String) -> String {
        #"{ "upstreams": { "u": { \#(members) } } }"#
    }
    private static func route(_ members: String) -> String {
        #"{ "upstreams": { "u": { "servers": "http://h" } }, "routes": [{ \#(members) }] }"#
    }

    @Test func `each error has a pointer, the expected value and a hint`() {
        let route = #""match": "/a", "upstream": "u""#
        let rows: [(text: String, pointer: String, words: String)] = [
            (#"{ "listn": 1 }"#, "/listn", "did you mean `listen`"),
            (#"{ "listen": [1] }"#, "/listen/0", "found a number"),
            (#"{ "listen": "8080" }"#, "/listen", "`8080` is not `ADDR:PORT`, such as `127.0.0.1:8080`,"),
            (#"{ "admin": ["127.0.0.1"] }"#, "/admin/0", "is not `ADDR:PORT`"),
            (#"{ "profiles": 1 }"#, "/profiles", "expected a directory"),
            (#"{ "maxBodyBytes": "1" }"#, "/maxBodyBytes", #"such as 10000000, "10MB" or "10MiB", found `1`"#),
            (#"{ "maxBodyBytes": "10XB" }"#, "/maxBodyBytes", "found `10XB`"),
            (#"{ "maxBodyBytes": true }"#, "/maxBodyBytes", "found true"),
            (#"{ "headSeconds": "25h" }"#, "/headSeconds", #"to 86400 whole seconds, such as 30, "30s" or "5m""#),
            (#"{ "headSeconds": 1.5 }"#, "/headSeconds", "whole seconds"),
            (#"{ "maxBodyBytes": 1.5 }"#, "/maxBodyBytes", "found 1.5"),
            (#"{ "maxBodyBytes": -1 }"#, "/maxBodyBytes", "found -1"),
            (#"{ "maxBufferedBytes": 1048575 }"#, "/maxBufferedBytes", "from 1048576"),
            (#"{ "accessLog": "offf" }"#, "/accessLog", "did you mean `off`?"),
            (#"{ "trustedProxies": ["10.0.0.0/8", "10.0.0.1/8"] }"#, "/trustedProxies/1", "is not a network"),
            (#"{ "via": "a b" }"#, "/via", "not a name for Via"),
            (#"{ "via": "" }"#, "/via", "empty string"),
            // A host name may contain a comma, but in a Via field a comma ends the entry, so loops would not be detected.
            (#"{ "via": "a,b" }"#, "/via", "not a name for Via"),
            (#"{ "via": "a(b):80" }"#, "/via", "not a name for Via"),
            (#"{ "upstreams": [] }"#, "/upstreams", "expected an object, found an array"),
            (#"{ "upstreams": { "": { "servers": "http://h" } } }"#, "/upstreams/", "needs a name"),
            (#"{ "upstreams": { "a\nb": { "servers": "http://h" } } }"#, "/upstreams/a\nb", "control character"),
            (#"{ "routes": {} }"#, "/routes", "expected an array of routes"),
            (#"{ "loops": 1, "loops": 1 }"#, "/loops", "duplicate key `loops`"),
            (#"[]"#, "", "expected an object"),
            (#"{ "loops": 1, }"#, "", "no comma after the last"),
            (Self.upstream(""), "/upstreams/u", "`servers` is missing"),
            (Self.upstream(#""servers": []"#), "/upstreams/u/servers", "needs a server"),
            (Self.upstream(#""servers": ["https://h"]"#), "/upstreams/u/servers/0", "put a TLS proxy on localhost"),
            (Self.upstream(#""servers": ["HTTPS://h:443"]"#), "/upstreams/u/servers/0", "put a TLS proxy on localhost"),
            (Self.upstream(#""servers": ["h:3000"]"#), "/upstreams/u/servers/0", "write `http://h:3000`"),
            (
                Self.upstream(#""servers": ["ftp://h"]"#), "/upstreams/u/servers/0",
                "neither with `http://` nor with `unix:`"
            ),
            (Self.upstream(#""servers": ["http://h/x"]"#), "/upstreams/u/servers/0", "has a path"),
            (Self.upstream(#""servers": ["http://"]"#), "/upstreams/u/servers/0", "not an http URI"),
            (Self.upstream(#""servers": ["http://h:0"]"#), "/upstreams/u/servers/0", "not an http URI"),
            (Self.upstream(#""servers": ["http://h:65536"]"#), "/upstreams/u/servers/0", "not an http URI"),
            (Self.upstream(#""servers": ["http://a@h"]"#), "/upstreams/u/servers/0", "not an http URI"),
            (Self.upstream(#""servers": ["unix:"]"#), "/upstreams/u/servers/0", "needs a path"),
            // Linux allows 108 bytes, including the zero byte at the end.
            (
                Self.upstream(#""servers": ["unix:/\#(String(repeating: "a", count: 107))"]"#),
                "/upstreams/u/servers/0", "too long for a Unix socket"
            ),
            (Self.upstream(#""servers": ["http://h", "http://H:80"]"#), "/upstreams/u/servers/1", "listed twice"),
            (
                Self.upstream(#""servers": "http://h", "connectTimeoutSeconds": 0"#),
                "/upstreams/u/connectTimeoutSeconds",
                "0.001"
            ),
            (
                Self.upstream(#""servers": "http://h", "bodyIdleSeconds": "5""#), "/upstreams/u/bodyIdleSeconds",
                #"such as 0.5, 30 or "30s", found `5`"#
            ),
            (
                Self.upstream(#""servers": "http://h", "responseTimeoutSeconds": 86401"#),
                "/upstreams/u/responseTimeoutSeconds", "86400"
            ),
            (Self.upstream(#""servers": "http://h", "maxConnections": 0"#), "/upstreams/u/maxConnections", "from 1"),
            (
                Self.upstream(#""servers": "http://h", "maxConnections": 4, "reservedConnections": 4"#),
                "/upstreams/u/reservedConnections", "from 0 to 3"
            ),
            (
                Self.upstream(#""servers": "http://h", "requestBufferBytes": -1"#), "/upstreams/u/requestBufferBytes",
                "from 0"
            ),
            (Self.upstream(#""servers": "http://h", "host": "a/b""#), "/upstreams/u/host", "nor a host"),
            (Self.upstream(#""servers": "http://h", "health": "healthz""#), "/upstreams/u/health", "is not a path"),
            (Self.upstream(#""servers": "http://h", "health": {}"#), "/upstreams/u/health", "`path` is missing"),
            (
                Self.upstream(#""servers": "http://h", "health": { "path": "/", "status": "2x" }"#),
                "/upstreams/u/health/status", "`2xx`"
            ),
            (Self.upstream(#""servers": "http://h", "healt": "/""#), "/upstreams/u/healt", "did you mean `health`?"),
            (Self.route(#""upstream": "u""#), "/routes/0", "`match` is missing"),
            (Self.route(#""match": "/""#), "/routes/0", "`upstream` is missing"),
            (Self.route(#""match": "/", "upstream": "U""#), "/routes/0/upstream", "did you mean `u`?"),
            (
                Self.route(#""match": "/", "upstream": "u", "response": "p""#), "/routes/0/response",
                #"write { "profile": "NAME" }"#
            ),
            (Self.route(#""match": "api", "upstream": "u""#), "/routes/0/match", "does not begin with a slash"),
            (Self.route(#""match": "/../a", "upstream": "u""#), "/routes/0/match", "segment `.` or `..`"),
            (Self.route(#""match": "/a?b", "upstream": "u""#), "/routes/0/match", "a query or a fragment"),
            (Self.route("\(route), \"stripPrefix\": \"/ab\""), "/routes/0/stripPrefix", "not a prefix of whole"),
            (Self.route("\(route), \"stripPrefix\": \"/a/b\""), "/routes/0/stripPrefix", "not a prefix of whole"),
            (Self.route("\(route), \"name\": \"a\\u0000\""), "/routes/0/name", "control character"),
            (Self.route("\(route), \"name\": \"(unmatched)\""), "/routes/0/name", "without a route"),
            (Self.route("\(route), \"name\": \"*\""), "/routes/0/name", "without a route"),
            (Self.route("\(route), \"hosts\": []"), "/routes/0/hosts", "every host"),
            (Self.route("\(route), \"hosts\": [\"a:80\"]"), "/routes/0/hosts/0", "without a port"),
            (Self.route("\(route), \"hosts\": [\"a.*\"]"), "/routes/0/hosts/0", "is not a host"),
            (Self.route("\(route), \"hosts\": [\"a\", \"A\"]"), "/routes/0/hosts/1", "listed twice"),
            (Self.route("\(route), \"methods\": []"), "/routes/0/methods", "every method"),
            (Self.route("\(route), \"methods\": [\"get\"]"), "/routes/0/methods/0", "write `GET`"),
            (Self.route("\(route), \"methods\": [\"A B\"]"), "/routes/0/methods/0", "not a method"),
            (Self.route("\(route), \"methods\": [\"CONNECT\"]"), "/routes/0/methods/0", "never forwarded"),
            (Self.route("\(route), \"upgrade\": [\"h2c\"]"), "/routes/0/upgrade/0", "never forwarded"),
            (Self.route("\(route), \"onError\": \"drop\""), "/routes/0/onError", "`fail`, `pass`"),
            (Self.route("\(route), \"request\": {}"), "/routes/0/request", "`profile` is missing"),
            (Self.route("\(route), \"request\": \"p\""), "/routes/0/request", "expected an object"),
            (
                Self.route("\(route), \"request\": { \"profile\": \"p\", \"buffer\": 1 }"), "/routes/0/request/buffer",
                "true or false"
            ),
            (
                Self.route("\(route), \"request\": { \"profile\": \"p\", \"messages\": true }"),
                "/routes/0/request/messages", "write \"upgrade\": \"websocket\""
            ),
            (
                Self.route(
                    "\(route), \"upgrade\": [\"websocket\", \"tcp\"], \"response\": { \"profile\": \"p\", \"messages\": true }"
                ),
                "/routes/0/response/messages", "for WebSocket alone"
            ),
            (
                Self.route("\(route), \"response\": { \"profile\": 1 }"), "/routes/0/response/profile",
                "the name of a profile"
            ),
            (
                Self.route("\(route), \"response\": { \"profile\": \"p\", \"status\": [\"6xx\"] }"),
                "/routes/0/response/status/0", "not a status"
            ),
            (
                Self.route("\(route), \"response\": { \"profile\": \"p\", \"onSkip\": true }"),
                "/routes/0/response/onSkip", "found true"
            ),
            (
                Self.route(#"\#(route), "response": { "profile": "p", "noTransform": "ignored" }"#),
                "/routes/0/response/noTransform", "did you mean `ignore`?"
            ),
            (
                Self.route(#"\#(route), "response": { "profile": "p", "types": { "text/event-stream": "lines" } }"#),
                "/routes/0/response/types/text~1event-stream", "is not a media type that can be read as JSON"
            ),
            (
                Self.route(#"\#(route), "response": { "profile": "p", "types": { "text/html": "json" } }"#),
                "/routes/0/response/types/text~1html", "valid values: `document`, `lines`"
            ),
            (
                Self.route(
                    #"\#(route), "response": { "profile": "p", "pass": "text/*", "types": { "text/html": "lines" } }"#),
                "/routes/0/response/types/text~1html", "`pass` names `text/html`, too"
            ),
            (
                Self.route(#"\#(route), "response": { "profile": "p", "shadow": { "profile": "p" } }"#),
                "/routes/0/response/shadow/profile", "the same profile and direction as the route"
            ),
            (
                Self.route(#"\#(route), "response": { "profile": "p", "shadow": { "profile": "q", "sample": 2 } }"#),
                "/routes/0/response/shadow/sample", "expected a number from 0 to 1"
            ),
            (
                Self.route(#"\#(route), "response": { "profile": "p", "shadow": { "profile": "q", "sample": "1%" } }"#),
                "/routes/0/response/shadow/sample", "for each hundredth response, found a string"
            ),
            (
                Self.route(#"\#(route), "response": { "profile": "p", "shadow": "q" }"#),
                "/routes/0/response/shadow", #"write { "profile": "NAME", "sample": 0.01 }"#
            ),
            (
                Self.route(#"\#(route), "response": { "profile": "p", "shadow": { "sample": 1 } }"#),
                "/routes/0/response/shadow", "`profile` is missing"
            ),
        ]
        for row in rows {
            let faults = Self.faults(row.text)
            #expect(faults.map(\.pointer) == [row.pointer], "\(row.text)")
            #expect(faults.contains { "\($0)".contains(row.words) }, "\(row.text): \(faults)")
        }
    }

    @Test func `an unknown member hides only the missing member that it may misspell`() {
        let rows: [(text: String, pointers: [String])] = [
            (Self.route(#""retries": 3"#), ["/routes/0", "/routes/0", "/routes/0/retries"]),
            (Self.route(#""mach": "/a""#), ["/routes/0", "/routes/0/mach"]),
            (Self.upstream(#""retries": 3"#), ["/upstreams/u", "/upstreams/u/retries"]),
            (Self.upstream(#""server": "http://h""#), ["/upstreams/u/server"]),
        ]
        for row in rows { #expect(Self.faults(row.text).map(\.pointer) == row.pointers, "\(row.text)") }
    }

    @Test func `all errors are reported at once with line and column, also missing profiles`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "convert.json",
            """
            { "profiles": ".", "maxDepht": 1,
              "upstreams": { "u": { "servers": ["https://h"] } },
              "routes": [
                { "match": "/a", "upstream": "w", "request": { "profile": "mobil", "direction": "back" },
                  "response": { "profile": "profiles/mobile.json" } },
                { "match": "/b", "upstream": "u", "response": { "profile": "lossy", "direction": "inverse" } } ] }
            """)
        _ = try directory.write("mobile.json", GatewayStage.mobile)
        _ = try directory.write("lossy.json", #"{ "keys": "camelCase" }"#)
        let faulty = try directory.write("faulty.json", #"{ "kees": 1 }"#)
        let expected = [
            "\(path):1:20: config: unknown key `maxDepht`", "\(path):2:37: config: `https://h` needs TLS",
            "\(path):4:34: config: there is no upstream `w`; write its servers in `upstreams`",
            "\(path):4:63: config: there is no profile `mobil`; did you mean `mobile`?",
            "\(path):4:85: config: `back` is not a valid value",
            "\(path):5:32: config: there is no profile `profiles/mobile.json`; write the name of a file in `profiles`, without",
            "\(path):6:64: config: the profile `lossy` cannot be used in the inverse direction",
        ]
        for command in ["check", "serve"] {
            let outcome = try BuiltProgram.run(command, "--config", path)
            #expect(outcome.status == 78)
            let lines = command == "check" ? outcome.text.split(separator: "\n") : outcome.errors.split(separator: "\n")
            // The directory also contains the configuration, which is not a profile.
            let own = lines.filter { $0.hasPrefix("\(path):") && $0.contains(" config: ") }
            #expect(own.count == expected.count, "\(lines)")
            for (line, start) in zip(own, expected) { #expect(line.hasPrefix(start), "\(line)") }
            #expect(
                lines.contains {
                    $0.contains("\(faulty.split(separator: "/").last ?? ""):1:3: profile: unknown key `kees`")
                })
        }
    }

    @Test func `all formats of check have the errors of the configuration itself`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("convert.json", #"{"listn":1}"#)
        for format in ["json", "sarif", "github"] {
            let outcome = try BuiltProgram.run("check", "--config", path, "--format", format)
            #expect(outcome.status == 78 && outcome.errors.isEmpty, "\(outcome.errors)")
            #expect(outcome.text.contains("unknown key `listn`; did you mean `listen`? (/listn)"), "\(outcome.text)")
            #expect(outcome.text.contains(path))
        }
        let json = try BuiltProgram.run("check", "--config", path, "--format", "json").text
        #expect(json.contains(#""line":1,"column":2,"level":"error","code":"config""#), "\(json)")
        // A variable has no line.
        let good = try directory.write("good.json", "{}")
        let empty = ["json": "{\"findings\":[]}\n", "github": ""]
        for (format, text) in empty {
            let outcome = try BuiltProgram.run(
                "check", "--config", good, "--format", format,
                environment: ["CONVERT_PROFILES": "\(directory.path)/none"])
            #expect(outcome.status == 78 && outcome.text == text, "\(outcome.text)")
            #expect(outcome.errors.contains("\(directory.path)/none: No such file or directory"), "\(outcome.errors)")
            #expect(outcome.errorLines.count == 1)
        }
    }

    @Test func `an error that only the whole configuration shows has a position too`() throws {
        let directory = try TemporaryDirectory()
        let name = String(repeating: "a", count: 120)
        let rows: [(text: String, line: String)] = [
            (
                #"{"profiles":"none"}"#,
                "1:13: config: cannot read the profile directory \(directory.path)/none: No such file or directory (/profiles)"
            ),
            (
                "{\"listen\": \"127.0.0.1:8080\",\n \"admin\": [\"127.0.0.1:8080\"]}",
                "2:11: config: http://127.0.0.1:8080 is also an address of `listen`; write another one (/admin)"
            ),
            (
                #"{"listen":["127.0.0.1:8080","127.0.0.1:0","127.0.0.1:0","127.0.0.1:8080"]}"#,
                "1:11: config: http://127.0.0.1:8080 is listed twice (/listen)"
            ),
            (
                #"{"listen":":8080","admin":"127.0.0.1:8080"}"#,
                "1:27: config: http://127.0.0.1:8080 overlaps with http://:8080 in `listen`; write another port (/admin)"
            ),
            (
                "{\"listen\":\"unix:/\(name)\"}",
                "1:11: config: the path '/\(name)' is too long for a Unix socket; write at most 107 bytes (/listen)"
            ),
            (
                #"{"admin":["unix:/run/a?mode=0600","unix:/run/a"]}"#,
                "1:10: config: unix:/run/a is listed twice (/admin)"
            ),
        ]
        for row in rows {
            let path = try directory.write("convert.json", row.text)
            let outcome = try BuiltProgram.run("check", "--config", path)
            #expect(outcome.status == 78 && outcome.text == "\(path):\(row.line)\n", "\(outcome.text)")
        }
    }

    @Test func `a correct configuration has a summary, with warnings about probable mistakes`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "convert.json",
            #"{ "upstreams": { "u": { "servers": "http://h" }, "idle": { "servers": "http://i" } }, "routes": [{ "match": "/users/{id}/x", "upstream": "u" }] }"#
        )
        let outcome = try BuiltProgram.run("check", "--config", path)
        #expect(outcome.status == 0)
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(
            lines[2].hasSuffix(
                "the route `/users/{id}/x` has no pattern: `*` and `{…}` in `match` are characters of the path"))
        #expect(lines.first?.contains("no `admin` address") == true)
        #expect(lines.dropFirst().first?.contains("no route uses the upstream `idle`") == true)
        #expect(lines.last == "\(path): ok, 1 route, 2 upstreams, 0 profiles")
        #expect(try BuiltProgram.run("check", "--config", "\(directory.path)/none").status == 66)
        #expect(try BuiltProgram.run("check", environment: ["CONVERT_CONFIG": path]).status == 0)
        #expect(try BuiltProgram.run("check").status == 64)
    }

    @Test func `an owner or a group that the system does not have is a warning`() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "convert.json",
            #"{ "listen": ["unix:a?owner=0&group=root", "unix:b?group=no-such-group"], "admin": "unix:c?owner=no-such-user" }"#
        )
        let outcome = try BuiltProgram.run("check", "--config", path)
        #expect(outcome.status == 0)
        let lines = outcome.text.split(separator: "\n").filter { $0.contains("this system") }
        let start = "\(path): warning: this system has no"
        #expect(
            lines == [
                "\(start) group `no-such-group`, so it cannot listen on unix:\(directory.path)/b",
                "\(start) owner `no-such-user`, so it cannot listen on unix:\(directory.path)/c",
            ], "\(outcome.text)")
        #expect(try BuiltProgram.run("serve", "--config", path).status == 78)
    }

    @Test func `profiles are checked like single files, and the log has their warnings`() throws {
        let (directory, profiles) = (try TemporaryDirectory(), try TemporaryDirectory())
        // Nothing is withheld: the selector does not match the key that its author had in mind.
        let profile = try profiles.write("p.json", #"{ "keys": "camelCase", "drop": "$.password_hash" }"#)
        _ = try profiles.write("q.json", #"{ "keys": { "case": "camelCase", "from": "snake_case" } }"#)
        let path = try directory.write(
            "convert.json",
            #"{ "listen": "127.0.0.1:0", "admin": "127.0.0.1:0", "profiles": "\#(profiles.path)", "upstreams": { "u": { "servers": "http://h" } }, "routes": [{ "match": "/", "upstream": "u", "request": { "profile": "p" }, "response": { "profile": "p" } }, { "match": "/i", "upstream": "u", "request": { "profile": "q", "direction": "inverse" }, "response": { "profile": "q", "direction": "inverse" } }, { "match": "/ok", "upstream": "u", "request": { "profile": "q", "direction": "inverse" }, "response": { "profile": "q" } }] }"#
        )
        let alone = try BuiltProgram.run("check", profile).text.split(separator: "\n").filter {
            $0.contains(": warning: ")
        }
        let lines = try BuiltProgram.run("check", "--config", path).text.split(separator: "\n")
        #expect(alone.count == 1)
        #expect(lines.filter { $0.contains("p.json:") } == alone)
        let sameKeys = lines.filter { $0.contains("gives requests and responses the same keys") }
        #expect(sameKeys.count == 2)
        #expect(sameKeys.first?.hasSuffix(#"`request` needs `"direction": "inverse"`"#) == true)
        #expect(sameKeys.last?.hasSuffix("the backend has other keys, `response` needs `forward`") == true)
        let server = try LiveServer(configuration: path, in: directory, [])
        #expect(waits { server.log.contains("`$.password_hash` matches only keys of this text") })
    }
}
