import ConvertProfiles
import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Gateway
@testable import HTTPSemantics
@testable import Sockets

/// Validators and conditions: tags that identify the converted bytes, and the conditions that upstreams get.
struct GatewayCachingTests {
    private static let fingerprint = PlanFingerprint(profile: Array(GatewayStage.mobile.utf8), direction: .forward)
        .digits
    private static let other = "0123456789abcdef"

    /// A gateway whose upstream has one entity with the tag `"v1"`, and responds with 304 for it under `/same`.
    private func stage(_ routes: String = GatewayStage.converting) throws -> GatewayStage {
        let stage = try GatewayStage(routes: routes)
        try stage.backend.script(.response(200, GatewayStage.ada.before, "ETag: \"v1\""))
        try stage.backend.script("/same", .bare(304, "ETag: \"v1\"", "Content-Length: 20"))
        return stage
    }

    @Test func `tags get the plan's suffix before the closing quote, and weak tags stay weak`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        let rows: [(BackendScript, [String], String)] = [
            (.response(200, "{}", "ETag: \"a\""), [], "\"a~c\(Self.fingerprint)\""),
            (.response(200, "{}", "ETag: W/\"a\""), [], "W/\"a~c\(Self.fingerprint)\""),
            (.response(200, "x", type: "text/plain", "ETag: \"a\""), [], "\"a~s\(Self.fingerprint)\""),
            (.response(200, "{}", "ETag: \"\""), [], "\"~c\(Self.fingerprint)\""),
        ]
        for (script, _, _) in rows { try stage.backend.script(script) }
        for (_, _, expected) in rows { #expect(try stage.ask("GET /")["ETag"] == expected) }
        // If the gateway compressed the response, the compression is part of the tag.
        let large = "[" + String(repeating: "{\"firstName\": \"Ada\"}, ", count: 300) + "1]"
        try stage.backend.script("/large", .response(200, large, "ETag: \"a\""))
        for coding in ContentCoding.applied {
            let response = try stage.ask("GET /large", "Accept-Encoding: \(coding.name)")
            #expect(response["Content-Encoding"] == coding.name)
            #expect(response["ETag"] == "\"a~c\(Self.fingerprint)-\(coding.name)\"")
        }
        // Another replica, built with other libraries, may have made the tag.
        for coding in ContentCoding.allCases where coding != .identity {
            let tag = "\"a~c\(Self.fingerprint)-\(coding.name)\""
            #expect(try stage.forwarded("GET /large", "If-None-Match: \(tag)")["If-None-Match"] == "\"a\"")
        }
        // Without `response` the tag is that of the upstream.
        let plain = try GatewayStage()
        try plain.backend.script(.response(200, "{}", "ETag: \"a\""))
        #expect(try plain.ask("GET /")["ETag"] == "\"a\"")
    }

    @Test func `the fingerprint depends on profile and direction, and is equal on all replicas`() throws {
        let routes = (
            forward: GatewayStage.converting,
            inverse: GatewayStage.converting.replacing("\"mobile\"", with: "\"mobile\", \"direction\": \"inverse\"")
        )
        var tags: [String?] = []
        for (routes, profile) in [
            (routes.forward, GatewayStage.mobile), (routes.forward, GatewayStage.mobile),
            (routes.inverse, GatewayStage.mobile),
            (routes.forward, #"{ "rename": { "firstName": "fname" } }"#),
        ] {
            let stage = try GatewayStage(routes: routes, profiles: ["mobile": profile])
            try stage.backend.script(.response(200, "{}", "ETag: \"a\""))
            tags.append(try stage.ask("GET /")["ETag"])
        }
        #expect(tags[0] == tags[1])
        #expect(Set(tags).count == 3)
        #expect(tags.allSatisfy { $0?.wholeMatch(of: /"a~c[0-9a-f]{16}"/) != nil }, "\(tags)")
    }

    @Test func `GET and HEAD forward the current plan's tags without their suffix`() throws {
        let stage = try stage()
        let current = Self.fingerprint
        let rows: [(String, String?)] = [
            ("\"v1~c\(current)\"", "\"v1\""), ("W/\"v1~s\(current)-gzip\"", "W/\"v1\""),
            ("\"x\", \"v1~c\(current)\", \"v2~c\(Self.other)\"", "\"v1\""), ("\"v1~c\(Self.other)\"", nil),
            ("\"v1\"", nil),
            ("*", "*"), ("\"a~c\(current)\", \"b~c\(current)-deflate\"", "\"a\", \"b\""),
        ]
        for method in ["GET", "HEAD"] {
            for (sent, expected) in rows {
                let request = try stage.forwarded("\(method) /", "If-None-Match: \(sent)")
                #expect(request["If-None-Match"] == expected, "\(method) \(sent)")
            }
        }
    }

    @Test func `a 304 has the client's matching tag, or the tag of a 200`() throws {
        let stage = try stage()
        let tag = "\"v1~c\(Self.fingerprint)-gzip\""
        for line in ["GET /same", "HEAD /same"] {
            let response = try stage.exchange(
                HTTPText.message(line, ["If-None-Match: \"x\", \(tag)"], isLast: true)
            ).message
            #expect(response.status == 304)
            #expect(response["ETag"] == tag)
            #expect(response["Content-Length"] == nil)
            #expect(response["Convert-Status"] == nil)
            #expect(response["Vary"]?.lowercased() == "accept-encoding")
        }
        let unmatched = try stage.ask("GET /same", "If-Modified-Since: Sun, 06 Nov 2094 08:49:37 GMT")
        #expect(unmatched.status == 304)
        #expect(unmatched["ETag"] == "\"v1~c\(Self.fingerprint)\"")
    }

    @Test func `If-Match and other methods' If-None-Match lose only the suffixes of the routes' plans`() throws {
        let current = Self.fingerprint
        let list = "\"v1~c\(current)-gzip\", W/\"v2~c\(Self.other)\", \"v3\", \"v4~s\(current)\""
        let seen = "\"v1\", W/\"v2~c\(Self.other)\", \"v3\", \"v4\""
        // This also applies to a route without `response`: a client may send the tag from a GET of that route in a PUT to this one.
        let routes = GatewayStage.converting.replacing("\"/\"", with: "\"/c\"") + ", " + GatewayStage.everything
        let stage = try stage(routes)
        for path in ["/c", "/x"] {
            for method in ["GET", "PUT", "DELETE"] {
                #expect(try stage.forwarded("\(method) \(path)", "If-Match: \(list)", body: "")["If-Match"] == seen)
            }
            #expect(try stage.forwarded("PUT \(path)", "If-None-Match: \(list)", body: "")["If-None-Match"] == seen)
            #expect(
                try stage.forwarded("PUT \(path)", "If-Match: *", "If-None-Match: *", body: "")["If-None-Match"] == "*")
            #expect(
                try stage.forwarded("PUT \(path)", "If-Match: \"v9~c\(Self.other)\"", body: "")["If-Match"]
                    == "\"v9~c\(Self.other)\"")
        }
        // If nothing is converted, the gateway passes a GET's If-None-Match through unchanged.
        #expect(try stage.forwarded("GET /x", "If-None-Match: \"v3\"")["If-None-Match"] == "\"v3\"")
    }

    @Test func `Last-Modified is the later of the upstream's and the profile's, never later than Date`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        let old = "Sun, 06 Nov 1994 08:49:37 GMT"
        try stage.backend.script(.response(200, "{}", "Last-Modified: \(old)"))
        try stage.backend.script(.response(200, "{}", "Last-Modified: Sun, 06 Nov 2094 08:49:37 GMT"))
        try stage.backend.script(.response(200, "{}", "Last-Modified: \(old)", "Date: Mon, 07 Nov 1994 08:49:37 GMT"))
        try stage.backend.script(.response(200, "{}"))
        let now = SystemClock.wall() / 1_000_000_000
        let seconds = { (value: String?) in value.flatMap { HTTPDate.seconds(Array($0.utf8)[...], now: now) } }
        let first = try #require(seconds(try stage.ask("GET /")["Last-Modified"]))
        // This test has just written the profile.
        #expect(abs(first - now) < 60)
        for _ in 0..<2 {
            let response = try stage.ask("GET /")
            let modified = try #require(seconds(response["Last-Modified"]))
            #expect(modified <= (try #require(seconds(response["Date"]))))
        }
        #expect(try stage.ask("GET /")["Last-Modified"] == nil)
        let plain = try GatewayStage()
        try plain.backend.script(.response(200, "{}", "Last-Modified: \(old)"))
        #expect(try plain.ask("GET /")["Last-Modified"] == old)
    }

    @Test func `If-Modified-Since before the profile's change is removed, If-Unmodified-Since never`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        let old = "Sun, 06 Nov 1994 08:49:37 GMT"
        let late = "Sat, 06 Nov 2094 08:49:37 GMT"
        #expect(try stage.forwarded("GET /", "If-Modified-Since: \(old)")["If-Modified-Since"] == nil)
        #expect(try stage.forwarded("GET /", "If-Modified-Since: \(late)")["If-Modified-Since"] == late)
        #expect(try stage.forwarded("GET /", "If-Unmodified-Since: \(old)")["If-Unmodified-Since"] == old)
        #expect(try GatewayStage().forwarded("GET /", "If-Modified-Since: \(old)")["If-Modified-Since"] == old)
    }

    @Test func `ranges pass on routes without conversion, and are not offered on other routes`() throws {
        let plain = try GatewayStage()
        try plain.backend.script(
            .response(206, "abc", type: "text/plain", "Content-Range: bytes 0-2/9", "Accept-Ranges: bytes"))
        let part = try plain.ask("GET /", "Range: bytes=0-2", "If-Range: \"a\"")
        #expect(part.status == 206 && part.text == "abc")
        #expect(part["Content-Range"] == "bytes 0-2/9" && part["Accept-Ranges"] == "bytes")
        let passed = try plain.backend.lastRequest()
        #expect(passed["Range"] == "bytes=0-2" && passed["If-Range"] == "\"a\"")

        let converting = try GatewayStage(routes: GatewayStage.converting)
        try converting.backend.script(.response(200, "{}", "Accept-Ranges: bytes"))
        let response = try converting.ask("GET /", "Range: bytes=0-2", "If-Range: \"a\"")
        #expect(response["Accept-Ranges"] == "none")
        let request = try converting.backend.lastRequest()
        #expect(request["Range"] == nil && request["If-Range"] == nil)
    }

    @Test func `HEAD has the tag and Vary of GET, and no Content-Length`() throws {
        let stage = try stage()
        for fields in [[], ["Accept-Encoding: gzip"]] {
            let head = try stage.exchange(HTTPText.message("HEAD /", fields, isLast: true)).message
            let get = try stage.exchange(HTTPText.message("GET /", fields, isLast: true)).message
            #expect(head["ETag"] == get["ETag"])
            #expect(head["Vary"] == get["Vary"])
            #expect(head["Content-Type"] == get["Content-Type"])
            #expect(head["Content-Length"] == nil)
        }
    }

    @Test func `a client that sends its tag gets a 304 while the profile is unchanged`() throws {
        let stage = try stage()
        let tag = try #require(try stage.ask("GET /")["ETag"])
        #expect(try stage.forwarded("GET /same", "If-None-Match: \(tag)")["If-None-Match"] == "\"v1\"")
        _ = try stage.profiles.write("mobile.json", #"{ "rename": { "firstName": "given" } }"#)
        stage.server.signal(SIGHUP)
        #expect(try waits { try stage.ask("GET /").text.contains("given") })
        // The bytes that the tag identifies can no longer be produced.
        #expect(try stage.forwarded("GET /same", "If-None-Match: \(tag)")["If-None-Match"] == nil)
    }
}
