import ConvertEngine
import ConvertProfiles
import GatewayTestSupport
import HTTPSemantics
import HTTPWire
import Testing

@testable import Gateway

struct ConditionsTests {
    private static let converting = #"{ "match": "/api", "upstream": "shop", "response": { "profile": "mobile" } }"#
    private static let plain = #"{ "match": "/plain", "upstream": "shop" }"#
    private static let fingerprint = GatewayTrial.fingerprint

    /// The date in the examples of RFC 9110, and the second before it.
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"

    private static func trial(modifiedSeconds: Int64 = 0) throws -> GatewayTrial {
        try GatewayTrial(routes: "\(converting), \(plain)", modifiedSeconds: modifiedSeconds)
    }

    @Test func `GET and HEAD forward the tags of the current plan without their suffix`() throws {
        let current = "~c\(Self.fingerprint)"
        let rows: [(sent: String, forwarded: [String])] = [
            ("\"a\(current)\"", ["\"a\""]), ("W/\"a\(current)-gzip\"", ["W/\"a\""]),
            ("\"a\(current)\", \"b~s\(Self.fingerprint)\"", ["\"a\", \"b\""]),
            ("\"a\(current)\", \"a\(current)-gzip\"", ["\"a\""]),
            ("\"a~c0000000000000000\"", []), ("\"a\"", []), ("*", ["*"]), ("not a tag", []),
            ("\"a~c0000000000000000\", \"b\(current)\", \"c\"", ["\"b\""]),
        ]
        let trial = try Self.trial()
        for row in rows {
            for method in ["GET", "HEAD"] {
                let request = try trial.forward("\(method) /api HTTP/1.1\nIf-None-Match: \(row.sent)")
                #expect(request.fields.values(for: "if-none-match") == row.forwarded, "\(row.sent)")
            }
        }
    }

    @Test func `a tag of a response that other settings would convert matches nothing`() throws {
        let other = Self.converting.replacing("\"mobile\"", with: "\"mobile\", \"status\": \"4xx\"")
        let ignoring = Self.converting.replacing("\"mobile\"", with: "\"mobile\", \"noTransform\": \"ignore\"")
        for (skipping, converting) in [(other, Self.converting), (Self.converting, ignoring)] {
            let skipped = try GatewayTrial(routes: skipping).response(
                200, "Content-Type: application/json\nETag: \"a\"\nCache-Control: no-transform")
            let tag = try #require(skipped.fields["etag"])
            #expect(tag.hasPrefix("\"a~s"))
            for (routes, forwarded) in [(skipping, ["\"a\""]), (converting, [])] {
                let request = try GatewayTrial(routes: routes).forward("GET /api HTTP/1.1\nIf-None-Match: \(tag)")
                #expect(request.fields.values(for: "if-none-match") == forwarded)
            }
        }
    }

    /// More tags than a head can contain: work that grows with the square of their number would take hours.
    @Test(.timeLimit(.minutes(2))) func `the time for many tags is proportional to their number`() throws {
        let count = 50_000
        let numbers = (0..<count).map { "\"\($0)~c\(Self.fingerprint)\"" }
        let twice = (numbers + numbers).joined(separator: ",")
        let route = try #require(try Self.trial().gateway.routes.first { $0.response != nil })
        var received = Fields()
        received.append("If-None-Match", twice)
        let conditions = Conditions(
            received, method: .get, conversion: route.response, fingerprints: [], now: GatewayTrial.now)
        let sent = try #require(conditions.fields.first).value
        #expect(sent == (0..<count).map { "\"\($0)\"" }.joined(separator: ", ").utf8.map { $0 })
    }

    /// A tag may have all bytes beyond ASCII (RFC 9110 §8.8.3), also those that are not UTF-8.
    @Test func `bytes of tags that are not UTF-8 stay`() throws {
        let route = try #require(try Self.trial().gateway.routes.first { $0.response != nil })
        let texts: [[UInt8]] = [[0xE9], [0xE8]]
        func list(_ suffix: String) -> [UInt8] {
            Array(texts.map { [0x22] + $0 + suffix.utf8 + [0x22] }.joined(separator: ", ".utf8))
        }
        var received = Fields()
        for name in ["If-None-Match", "If-Match"] { received.append(name, bytes: list("~c\(Self.fingerprint)")[...]) }
        for (method, conversion) in [(RequestMethod.get, route.response), (.put, route.response), (.put, nil)] {
            let conditions = Conditions(
                received, method: method, conversion: conversion, fingerprints: [Self.fingerprint],
                now: GatewayTrial.now)
            #expect(conditions.fields.map(\.name) == ["If-None-Match", "If-Match"])
            #expect(conditions.fields.allSatisfy { $0.value == list("") })
            guard method == .get else { continue }
            let matched = conditions.matched(by: EntityTag(isWeak: false, opaque: texts[1]))
            #expect(matched?.bytes == [0x22] + texts[1] + "~c\(Self.fingerprint)\"".utf8)
        }
        let passing = Conditions(received, method: .get, conversion: nil, fingerprints: [], now: GatewayTrial.now)
        #expect(passing.fields.first?.value == list("~c\(Self.fingerprint)"))
    }

    @Test func `tags go unchanged to GET on routes without conversion`() throws {
        let tags = "\"a~c\(Self.fingerprint)\", \"b\""
        let request = try Self.trial().forward("GET /plain HTTP/1.1\nIf-None-Match: \(tags)")
        #expect(request.fields.values(for: "if-none-match") == [tags])
    }

    @Test func `If-Match and other methods' If-None-Match lose only the suffixes of the routes' plans`()
        throws
    {
        let inverse = PlanFingerprint(profile: Array(GatewayTrial.mobile.utf8), direction: .inverse).digits
        let rows = [
            ("\"a~c\(Self.fingerprint)\"", "\"a\""), ("\"a~s\(inverse)-deflate\", W/\"b\"", "\"a\", W/\"b\""),
            ("\"a~c0000000000000000\"", "\"a~c0000000000000000\""), ("*", "*"), ("not a tag", "not a tag"),
        ]
        let back =
            #"{ "match": "/back", "upstream": "shop", "response": { "profile": "mobile", "direction": "inverse" } }"#
        let trial = try GatewayTrial(routes: "\(Self.converting), \(Self.plain), \(back)")
        for (sent, forwarded) in rows {
            for path in ["/api", "/plain"] {
                let put = try trial.forward("PUT \(path) HTTP/1.1\nIf-None-Match: \(sent)\nIf-Match: \(sent)")
                #expect(put.fields.values(for: "if-none-match") == [forwarded], "\(path) \(sent)")
                #expect(put.fields.values(for: "if-match") == [forwarded], "\(path) \(sent)")
                let get = try trial.forward("GET \(path) HTTP/1.1\nIf-Match: \(sent)")
                #expect(get.fields.values(for: "if-match") == [forwarded], "\(path) \(sent)")
            }
        }
    }

    @Test func `If-Modified-Since before the profile's change is removed, If-Unmodified-Since is unchanged`() throws {
        let trial = try Self.trial(modifiedSeconds: GatewayTrial.now)
        let rows: [(path: String, date: String, goes: Bool)] = [
            ("/api", Self.date, true), ("/api", Self.before, false), ("/api", "yesterday", false),
            ("/plain", Self.before, true),
        ]
        for row in rows {
            let request = try trial.forward(
                "GET \(row.path) HTTP/1.1\nIf-Modified-Since: \(row.date)\nIf-Unmodified-Since: \(Self.before)")
            #expect(request.fields.values(for: "if-modified-since") == (row.goes ? [row.date] : []), "\(row)")
            #expect(request.fields["if-unmodified-since"] == Self.before)
        }
    }

    /// RFC 9110 §13.1.3: If-None-Match makes the date meaningless. The date must not apply again when our tags are removed.
    @Test func `a date is removed together with the tags that override it`() throws {
        let request = try Self.trial().forward(
            "GET /api HTTP/1.1\nIf-None-Match: \"old\"\nIf-Modified-Since: \(Self.date)")
        #expect(request.fields.count(of: "if-none-match") == 0)
        #expect(request.fields.count(of: "if-modified-since") == 0)
    }

    @Test func `a 304 has the client's matching tag, or else the tag of a 200`() throws {
        let a = "\"a~c\(Self.fingerprint)-gzip\""
        let b = "W/\"b~s\(Self.fingerprint)\""
        let trial = try Self.trial()
        let rows: [(sent: String, upstream: String, told: String?)] = [
            ("\(a), \(b)", "ETag: \"a\"", a), ("\(a), \(b)", "ETag: \"b\"", b), ("\(a), \(b)", "ETag: W/\"a\"", a),
            (a, "X: 1", a), ("\(a), \(b)", "X: 1", nil),
            (a, "ETag: \"c\"", "\"c~c\(Self.fingerprint)\""), ("*", "ETag: \"c\"", "\"c~c\(Self.fingerprint)\""),
        ]
        for row in rows {
            let response = try trial.response(304, row.upstream, to: "GET /api HTTP/1.1\nIf-None-Match: \(row.sent)")
            #expect(response.fields["etag"] == row.told, "\(row)")
        }
    }
}
