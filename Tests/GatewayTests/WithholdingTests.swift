import ConvertEngine
import ConvertProfiles
import GatewayTestSupport
import TestSupport
import Testing

@testable import Gateway
@testable import HTTPSemantics

struct WithholdingTests {
    private static let profiles = [
        "mobile": GatewayTrial.mobile, "hiding": GatewayTrial.hiding,
        "masking": #"{ "values": { "at": "secret", "as": "mask" } }"#,
        "hashing": #"{ "values": { "at": "secret", "as": "hash", "key": { "env": "PATH" } } }"#,
        "loose":
            #"{ "values": { "at": "secret", "as": "hash", "key": { "env": "PATH" } }, "on": { "badValue": "keep" } }"#,
        "scoped": #"{ "keep": { "/items/*": "id" } }"#, "unwrapping": #"{ "unwrap": "/data" }"#,
        "kept": #"{ "unwrap": "/data", "keep": "/data" }"#,
        "wrapping": #"{ "wrap": "data" }"#,
    ]

    private static func refuses(_ line: String, _ routes: String..., host: String = "shop.example") throws -> Bool {
        let trial = try GatewayTrial(
            routes: routes.map { #"{ "upstream": "shop", \#($0) }"# }.joined(separator: ", "), profiles: profiles)
        do {
            _ = try trial.forward("\(line) HTTP/1.1\nHost: \(host)")
            return false
        } catch {
            #expect((error as? Problem)?.code == "bad-path")
            return true
        }
    }

    @Test func `a path that can be read as another withholding route of the host is refused`() throws {
        let hiding = #""response": { "profile": "hiding" }"#
        let whole = #""match": "/""#
        let secret = #""match": "/api/secret", \#(hiding)"#
        #expect(try Self.refuses("GET //api/secret", whole, secret))
        // The literal route withholds data too, but with its own profile, which may discard other data.
        #expect(try Self.refuses("GET /api//secret", #""match": "/api", \#(hiding)"#, secret))
        #expect(try !Self.refuses("GET /api/secret//x;y", whole, secret))
        // An exception in the configuration remains one, and two routes that differ only in their methods are not readings of each other.
        #expect(try !Self.refuses("GET /api/public/x;y", #""match": "/api", \#(hiding)"#, #""match": "/api/public""#))
        #expect(
            try !Self.refuses(
                "POST /a/x;y", #""match": "/a", "methods": "POST""#, #""match": "/a", "methods": "GET", \#(hiding)"#))
        #expect(try Self.refuses("POST //a", whole, #""match": "/a", "methods": "GET", \#(hiding)"#))
        let other = #""hosts": "other.example", \#(secret)"#
        #expect(try !Self.refuses("GET //api/secret", whole, other))
        #expect(try Self.refuses("GET //api/secret", whole, other, host: "OTHER.example.:81"))
        // If no route withholds data, no path is refused.
        #expect(
            try !Self.refuses(
                "GET //api/secret%2525252F", whole, #""match": "/api/secret", "response": { "profile": "mobile" }"#))
        // A format suffix is refused, unless a route matches it literally.
        #expect(try Self.refuses("GET /api/secret.csv", whole, secret))
        #expect(try !Self.refuses("GET /api/secret.csv", whole, secret, #""match": "/api/secret.csv""#))
        #expect(try Self.refuses("GET /api/secret.csv.gz", whole, secret))
        #expect(try !Self.refuses("GET /api/secret.csv.gz", whole, secret, #""match": "/api/secret.csv.gz""#))
        let long = "/api/secret" + String(repeating: ".a", count: 2000)
        #expect(try Self.refuses("GET \(long)", whole, secret))
        // The route's own path is read in the same lenient way.
        #expect(try Self.refuses("GET /a/b", whole, #""match": "/a%2Fb", \#(hiding)"#))
        #expect(try !Self.refuses("GET /a%2fb/c", whole, #""match": "/a%2Fb", \#(hiding)"#))
        #expect(
            try Self.refuses("GET /CAF%c3%a9/x", whole, #""match": "/caf\#u{E9}", "caseSensitive": false, \#(hiding)"#))
        #expect(try !Self.refuses("GET /CAF%c3%a9/x", whole, #""match": "/caf\#u{E9}", \#(hiding)"#))
        #expect(
            try Self.refuses("GET /caf%C3%89/x", whole, #""match": "/caf\#u{E9}", "caseSensitive": false, \#(hiding)"#))
        // If a route ignores case, so do the routes below it: they have the same backend.
        let insensitive = #""match": "/ci", "caseSensitive": false, \#(hiding)"#
        #expect(try Self.refuses("GET /CI/X", whole, insensitive, #""match": "/ci/x", \#(hiding)"#))
        #expect(try !Self.refuses("GET /ci/open", whole, insensitive, #""match": "/ci/open""#))
    }

    @Test func `a path that can be read as another route that withholds from requests is refused`() throws {
        #expect(
            try Self.refuses("POST //in", #""match": "/""#, #""match": "/in", "request": { "profile": "hiding" }"#))
    }

    @Test func `keys that contradict a withholding profile, and pass without one, are errors`() throws {
        let rows: [(route: String, message: String?)] = [
            (#""response": { "profile": "hiding", "onError": "pass" }"#, "`onError: pass`"),
            (#""onError": "pass", "request": { "profile": "hiding" }"#, "`onError: pass`"),
            (#""response": { "profile": "hiding", "onSkip": "pass" }"#, "`onSkip: pass`"),
            (#""response": { "profile": "masking", "onError": "pass" }"#, "`onError: pass`"),
            (#""response": { "profile": "masking", "pass": "text/html" }"#, nil),
            (#""response": { "profile": "hiding", "noTransform": "ignore" }"#, nil),
            (#""response": { "profile": "hashing", "onError": "pass" }"#, "`onError: pass`"),
            (#""response": { "profile": "loose" }"#, "lets objects and arrays pass"),
            (#""request": { "profile": "loose" }"#, "lets objects and arrays pass"),
            (#""response": { "profile": "loose", "direction": "inverse" }"#, nil),
            (#""response": { "profile": "scoped", "onError": "pass" }"#, "`onError: pass`"),
            (#""response": { "profile": "unwrapping", "onError": "pass" }"#, nil),
            (#""response": { "profile": "unwrapping", "status": "2xx" }"#, nil),
            (#""response": { "profile": "unwrapping", "pass": "text/html" }"#, "`pass` needs"),
            (#""response": { "profile": "kept", "status": "2xx" }"#, "`status`"),
            (#""response": { "profile": "wrapping", "onError": "pass" }"#, nil),
            (#""response": { "profile": "hiding", "status": "2xx" }"#, "`status`"),
            (#""upgrade": "websocket", "request": { "profile": "hiding" }"#, "`upgrade`"),
            (#""upgrade": "websocket", "response": { "profile": "hiding" }"#, "`upgrade`"),
            (#""upgrade": "websocket", "response": { "profile": "hiding", "messages": true }"#, nil),
            (#""upgrade": "websocket", "request": { "profile": "hiding", "messages": true }"#, nil),
            (
                #""upgrade": "websocket", "request": { "profile": "hiding" }, "response": { "profile": "mobile", "messages": true }"#,
                "`upgrade` without `messages`"
            ),
            (#""response": { "profile": "mobile", "pass": "text/html" }"#, "`pass` needs"),
            (#""caseSensitive": false"#, "`caseSensitive` needs"),
            // The inverse direction discards nothing.
            (#""response": { "profile": "hiding", "direction": "inverse", "pass": "text/html" }"#, "`pass` needs"),
            (#""onError": "pass", "request": { "profile": "hiding", "direction": "inverse" }"#, nil),
            (#""onError": "pass", "request": { "profile": "masking", "direction": "inverse" }"#, nil),
            (
                #""caseSensitive": false, "response": { "profile": "hiding", "onSkip": "fail", "pass": "text/html" }"#,
                nil
            ),
            (#""upgrade": "websocket", "onError": "pass", "response": { "profile": "mobile", "status": "2xx" }"#, nil),
            (#""response": { "profile": "hiding", "events": true }"#, nil),
            (#""response": { "profile": "hiding", "events": { "pass": "[DONE]" } }"#, nil),
            (#""response": { "profile": "hiding", "events": { "only": "a" } }"#, "`events` cannot have `only`"),
            (
                #""response": { "profile": "hiding", "events": true, "pass": "text/event-stream" }"#,
                "which `events` converts"
            ),
            (#""response": { "profile": "hiding", "events": true, "pass": "text/*" }"#, nil),
            (#""response": { "profile": "mobile", "events": { "only": "a" } }"#, nil),
            (#""response": { "profile": "mobile", "events": { "pass": "a" } }"#, "`events.pass` needs"),
        ]
        let set = try GatewayTrial.profiles(Self.profiles)
        for (members, message) in rows { GatewayTrial.expectContradiction(message, of: members, set) }
    }
}
