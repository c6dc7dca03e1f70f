import ConvertEngine
import GatewayTestSupport
import HTTPWire
import TestSupport
import Testing

@testable import Gateway
@testable import HTTPSemantics

struct ForwardedResponseTests {
    private static let converting = #"{ "match": "/api", "upstream": "shop", "response": { "profile": "mobile" } }"#
    private static let plain = #"{ "match": "/", "upstream": "shop" }"#
    private static let fingerprint = GatewayTrial.fingerprint
    private static let json = "Content-Type: application/json"

    private static func trial(_ response: String = #""profile": "mobile""#) throws -> GatewayTrial {
        try GatewayTrial(
            routes: #"{ "match": "/", "upstream": "shop", "response": { \#(response) } }"#,
            profiles: [
                "mobile": GatewayTrial.mobile, "hiding": GatewayTrial.hiding, "choosing": #"{ "keep": ["/a"] }"#,
            ])
    }

    // MARK: Responses that are converted

    @Test func `JSON, JSON by suffix and NDJSON are converted`() throws {
        let rows: [(type: String, framing: Converter.Framing)] = [
            ("application/json", .document), ("application/problem+json; charset=utf-8", .document),
            ("Application/JSON; charset=\"UTF-8\"", .document), ("application/json; charset=us-ascii", .document),
            ("application/x-ndjson", .lines), ("application/jsonl", .lines),
        ]
        let trial = try Self.trial()
        for row in rows {
            let response = try trial.response(200, "Content-Type: \(row.type)")
            #expect(response.ruling?.decision == .convert(row.framing), "\(row.type)")
            #expect(response.fields["convert-status"] == "applied", "\(row.type)")
        }
    }

    @Test func `an unconverted response reports its first reason`() throws {
        let all = "Cache-Control: max-age=1, No-Transform\nContent-Encoding: br"
        let rows: [(status: Int, fields: String, reason: String)] = [
            (404, "Content-Type: text/event-stream\n\(all)", "event-stream"),
            (404, "Content-Type: text/html\n\(all)", "type"),
            (200, "X: no type", "type"), (200, "Content-Type: application/json, text/html", "type"),
            (200, "Content-Type: text/event-stream\n\(Self.json)", "type"), (200, "Content-Type: json", "type"),
            (205, "\(Self.json); charset=latin1\n\(all)", "status"), (205, Self.json, "status"),
            (404, "\(Self.json); charset=latin1\n\(all)", "status"),
            (206, "\(Self.json); charset=latin1\n\(all)", "range"),
            (200, "\(Self.json); charset=latin1\n\(all)\nContent-Range: bytes 0-1/9", "range"),
            (200, "\(Self.json); charset=latin1\n\(all)", "no-transform"),
            (200, "\(Self.json); charset=latin1\nContent-Encoding: br", "charset"),
            (200, "\(Self.json)\nContent-Encoding: br", "coding"),
            (200, "\(Self.json)\nContent-Encoding: gzip, gzip", "coding"),
        ]
        let trial = try Self.trial()
        for row in rows {
            let response = try trial.response(row.status, row.fields)
            #expect(response.fields.values(for: "convert-status") == ["skipped;\(row.reason)"], "\(row)")
            #expect(response.ruling?.isConverted == false)
        }
    }

    @Test func `statuses are classes or exact codes, and 2xx by default`() throws {
        let rows = [
            (#""profile": "mobile""#, [200, 201, 299], [300, 404, 500]),
            (#""profile": "mobile", "status": ["2xx", "4xx"]"#, [200, 404, 499], [302, 500]),
            (#""profile": "mobile", "status": ["404", 500]"#, [404, 500], [200, 400, 501]),
            (#""profile": "mobile", "status": "5xx""#, [503], [200]),
        ]
        for (response, converted, skipped) in rows {
            let trial = try Self.trial(response)
            for status in converted {
                #expect(try trial.response(status, Self.json).ruling?.isConverted == true, "\(status)")
            }
            for status in skipped {
                #expect(try trial.response(status, Self.json).ruling?.isConverted == false, "\(status)")
            }
        }
    }

    @Test func `only the upstream's no-transform prevents the conversion`() throws {
        let request = "GET / HTTP/1.1\nCache-Control: no-transform"
        #expect(try Self.trial().response(200, Self.json, to: request).ruling?.isConverted == true)
    }

    @Test func `a route that ignores no-transform converts, and compresses only what the upstream compressed`() throws {
        let ignores = #""noTransform": "ignore""#
        let told = "\(Self.json)\nCache-Control: no-cache, No-Transform"
        let rows: [(accepts: String, fields: String, coding: String?)] = [
            ("gzip", told, nil), ("gzip, identity;q=0", told, "gzip"),
            ("gzip", "\(told)\nContent-Encoding: deflate", "gzip"), ("gzip", Self.json, "gzip"),
        ]
        for profile in [#""profile": "mobile""#, #""profile": "hiding""#] {
            let trial = try Self.trial("\(profile), \(ignores)")
            for row in rows {
                let response = try trial.response(
                    200, row.fields, to: "GET / HTTP/1.1\nAccept-Encoding: \(row.accepts)")
                #expect(response.ruling?.isConverted == true, "\(profile) \(row)")
                #expect(response.fields["content-encoding"] == row.coding, "\(profile) \(row)")
                let directives = row.fields == Self.json ? nil : "no-cache, No-Transform"
                #expect(response.fields["cache-control"] == directives, "\(profile) \(row)")
            }
        }
        let respecting = try Self.trial(#""profile": "mobile", "noTransform": "respect""#).response(200, told)
        #expect(respecting.fields["convert-status"] == "skipped;no-transform")
    }

    @Test func `types are read as the route says, and sent as JSON`() throws {
        let types = #""types": { "text/HTML": "document", "application/json": "lines", "text/plain": "lines" }"#
        let rows: [(type: String, framing: Converter.Framing, sent: String)] = [
            ("text/html; charset=utf-8", .document, "application/json"), ("text/plain", .lines, "application/x-ndjson"),
            (Self.json.replacing("Content-Type: ", with: ""), .lines, "application/json"),
            ("application/problem+json", .document, "application/problem+json"),
        ]
        for profile in [#""profile": "mobile""#, #""profile": "hiding""#] {
            let trial = try Self.trial("\(profile), \(types)")
            for row in rows {
                let response = try trial.response(200, "Content-Type: \(row.type)")
                #expect(response.ruling?.decision == .convert(row.framing), "\(profile) \(row)")
                #expect(response.fields["content-type"] == row.sent, "\(profile) \(row)")
            }
        }
        let skipped = try Self.trial(#""profile": "mobile", \#(types)"#).response(200, "Content-Type: text/css")
        #expect(skipped.fields["convert-status"] == "skipped;type")
    }

    @Test func `a response without a body is skipped without Convert-Status`() throws {
        let trial = try Self.trial()
        for (status, fields) in [(204, Self.json), (205, "\(Self.json)\nContent-Length: 0"), (304, Self.json)] {
            let response = try trial.response(status, fields)
            #expect(response.ruling?.decision == .skip(nil), "\(status)")
            #expect(response.fields.count(of: "convert-status") == 0, "\(status)")
        }
        let empty = try trial.response(200, "\(Self.json)\nContent-Length: 0")
        #expect(empty.ruling?.decision == .skip(nil))
        #expect(empty.fields.count(of: "convert-status") == 0)
        let head = try trial.response(200, Self.json, to: "HEAD / HTTP/1.1")
        #expect(head.fields.count(of: "convert-status") == 0)
    }

    @Test func `onSkip fail turns JSON that cannot be converted into 502, and nothing else`() throws {
        let fail = #""profile": "mobile", "onSkip": "fail""#
        let hiding = #""profile": "hiding""#
        let convertible = [
            (200, "\(Self.json)\nContent-Encoding: br"), (200, "\(Self.json); charset=latin1"), (206, Self.json),
            (200, "\(Self.json)\nCache-Control: no-transform"), (200, "\(Self.json)\nContent-Type: text/html"),
            (200, "Content-Type: text/html, application/json"), (200, "Content-Type: text/event-stream\n\(Self.json)"),
            (200, "\(Self.json); charset"), (200, "\(Self.json)\n\(Self.json); charset=latin1"),
            (205, Self.json), (205, "\(Self.json)\nContent-Length: 2"),
        ]
        let others = [
            (404, "\(Self.json)\nContent-Encoding: br"), (200, "Content-Type: text/html"), (204, Self.json),
            (404, "\(Self.json)\nContent-Type: text/html"), (205, "\(Self.json)\nContent-Length: 0"),
            (200, "Content-Type: text/html\nContent-Type: text/plain"), (200, "Content-Type: text/event-stream; x"),
        ]
        for (status, fields) in convertible {
            let hidden = fields.contains("text/") && status == 200 ? [] : [hiding, #""profile": "choosing""#]
            for response in [fail] + hidden {
                let problem = #expect(throws: Problem.self, "\(response) \(fields)") {
                    try Self.trial(response).response(status, fields)
                }
                #expect(problem?.status == 502)
            }
            _ = try Self.trial().response(status, fields)
        }
        for (status, fields) in others { _ = try Self.trial(fail).response(status, fields) }
    }

    @Test func `the upstream's Convert-Status is removed on every route`() throws {
        let told = "\(Self.json)\nConvert-Status: applied\nconvert-status: x"
        let plain = try GatewayTrial(routes: Self.plain).response(200, told)
        #expect(plain.fields.count(of: "convert-status") == 0)
        #expect(plain.ruling == nil)
        #expect(try Self.trial().response(200, told).fields.values(for: "convert-status") == ["applied"])
    }

    @Test func `an unconverted body passes with the header fields that are still correct`() throws {
        let told = "\(Self.json)\nContent-Encoding: gzip\nETag: \"a\"\nDigest: x"
        let trial = try Self.trial()
        let left = try trial.response(200, told, to: "GET / HTTP/1.1\nAccept-Encoding: gzip", finding: .unconvertible)
        #expect(left.fields.values(for: "convert-status") == ["skipped;error"])
        #expect(left.fields["etag"] == "\"a~s\(Self.fingerprint)\"")
        #expect(left.fields["content-encoding"] == "gzip" && left.fields["digest"] == "x")
        let other = try trial.response(200, "Content-Type: text/html", finding: .unconvertible)
        #expect(other.fields.values(for: "convert-status") == ["skipped;type"])
    }

    // MARK: Compression

    @Test func `a converted body gets the client's compression, depending on the announced length`() throws {
        let rows: [(accepts: String, fields: String, body: ContentCoding, response: String?)] = [
            ("", "Content-Length: 5000", .identity, nil), ("gzip", "Content-Length: 5000", .identity, "gzip"),
            ("gzip", "Content-Length: 100", .identity, nil), ("gzip", "X: 1", .identity, "gzip"),
            ("deflate", "Content-Encoding: gzip\nContent-Length: 100", .gzip, "deflate"),
            ("", "Content-Encoding: gzip", .gzip, nil), ("xz", "Content-Encoding: deflate", .deflate, nil),
        ]
        let built = CodingSamples.builtIn.map {
            (accepts: $0.name, fields: "X: 1", body: ContentCoding.identity, response: $0.name)
        }
        let trial = try Self.trial()
        for row in rows + built {
            let line = row.accepts.isEmpty ? "" : "\nAccept-Encoding: \(row.accepts)"
            let response = try trial.response(
                200, "\(Self.json)\nETag: \"a\"\n\(row.fields)", to: "GET / HTTP/1.1\(line)")
            #expect(response.ruling?.bodyCoding == row.body, "\(row)")
            #expect(response.fields.values(for: "content-encoding") == (row.response.map { [$0] } ?? []), "\(row)")
            let suffix = row.response.map { "-\($0)" } ?? ""
            #expect(response.fields["etag"] == "\"a~c\(Self.fingerprint)\(suffix)\"", "\(row)")
            let head = try trial.response(200, "\(Self.json)\nETag: \"a\"\n\(row.fields)", to: "HEAD / HTTP/1.1\(line)")
            #expect(head.fields["etag"] == response.fields["etag"], "\(row)")
        }
    }

    @Test func `without memory for an encoder, the body is uncompressed unless the client requires it`() throws {
        let trial = try Self.trial()
        for (accepts, coding) in [("gzip", nil), ("gzip, identity;q=0", "gzip")] {
            let response = try trial.response(
                200, "\(Self.json)\nETag: \"a\"", to: "GET / HTTP/1.1\nAccept-Encoding: \(accepts)", sparesEncoder: true
            )
            #expect(response.fields["content-encoding"] == coding)
            #expect(response.fields["etag"] == "\"a~c\(Self.fingerprint)\(coding.map { "-\($0)" } ?? "")\"")
        }
    }

    @Test func `unchanged bodies keep their compression`() throws {
        let response = try Self.trial().response(
            200, "Content-Type: text/html\nContent-Encoding: br\nETag: W/\"a\"",
            to: "GET / HTTP/1.1\nAccept-Encoding: gzip")
        #expect(response.fields.values(for: "content-encoding") == ["br"])
        #expect(response.fields["etag"] == "W/\"a~s\(Self.fingerprint)\"")
    }

    @Test func `Vary names Accept-Encoding on converting routes, once`() throws {
        let rows = [
            ("X: 1", ["Accept-Encoding"]), ("Vary: Origin", ["Origin", "Accept-Encoding"]),
            ("Vary: Origin, accept-encoding", ["Origin, accept-encoding"]), ("Vary: *", ["*"]),
        ]
        for (fields, vary) in rows {
            for request in ["GET / HTTP/1.1", "HEAD / HTTP/1.1"] {
                let told = try Self.trial().response(200, "Content-Type: text/html\n\(fields)", to: request)
                #expect(told.fields.values(for: "vary") == vary, "\(fields)")
            }
            #expect(try Self.trial().response(304, fields).fields.values(for: "vary") == vary)
        }
        #expect(
            try GatewayTrial(routes: Self.plain).response(200, "Vary: Origin").fields.values(for: "vary") == ["Origin"])
    }

    @Test func `digests and signatures are removed when bytes change`() throws {
        let told = ContentFields.names.dropFirst().map { "\n\($0): x" }.joined()
        let converted = try Self.trial().response(200, Self.json + told)
        let skipped = try Self.trial().response(200, "Content-Type: text/html" + told)
        for name in ["content-md5", "digest", "repr-digest", "content-digest", "signature", "signature-input"] {
            #expect(converted.fields.count(of: name) == 0, "\(name)")
            #expect(skipped.fields.count(of: name) == 1, "\(name)")
        }
    }

    @Test func `Server, Date, Content-Type and Set-Cookie stay unchanged`() throws {
        let told = """
            Server: nginx
            Date: Sun, 06 Nov 1994 08:49:37 GMT
            Content-Type: application/problem+json
            Set-Cookie: a=1; Domain=10.0.0.1; Path=/
            Set-Cookie: b=2
            Connection: X-Hop
            X-Hop: 1
            Transfer-Encoding: chunked
            X-Request-Id: upstream
            """
        for trial in [try Self.trial(), try GatewayTrial(routes: Self.plain)] {
            let response = try trial.response(200, told)
            let fields = response.fields
            #expect(fields["server"] == "nginx")
            #expect(response.date.map { String(decoding: $0, as: UTF8.self) } == "Sun, 06 Nov 1994 08:49:37 GMT")
            #expect(fields.count(of: "date") == 0)
            #expect(fields["content-type"] == "application/problem+json")
            #expect(fields.values(for: "set-cookie") == ["a=1; Domain=10.0.0.1; Path=/", "b=2"])
            for name in ["x-hop", "connection", "transfer-encoding", "x-content-type-options"] {
                #expect(fields.count(of: name) == 0, "\(name)")
            }
            #expect(fields.values(for: "x-request-id") == ["id-1"])
        }
    }

    @Test func `an invalid Date counts as no Date`() throws {
        let modified = "Last-Modified: Sat, 05 Nov 1994 08:49:37 GMT"
        let plain = try Self.trial().response(200, "\(Self.json)\n\(modified)").fields["last-modified"]
        for text in ["", "now", "Sun, 06 Nov 1994", "Wed, 31 Dec 1969 00:00:00 GMT", "Mon, 01 Jan 0001 00:00:00 GMT"] {
            let response = try Self.trial().response(200, "\(Self.json)\nDate: \(text)\n\(modified)")
            #expect(response.date == nil && response.fields["last-modified"] == plain, "\(text)")
        }
        #expect(try Self.trial().response(200, "Date: Sunday, 06-Nov-94 08:49:37 GMT").date != nil)
    }

    @Test func `the upstream's number of skipped records is removed if ours is added`() throws {
        let trial = try GatewayTrial(
            routes: #"{ "match": "/", "upstream": "shop", "response": { "profile": "sparing" } }"#,
            profiles: ["sparing": #"{ "values": { "at": "/a", "as": "integer" }, "records": { "onError": "skip" } }"#])
        let told = "\(Self.json)\nConvert-Skipped-Records: 77"
        #expect(try trial.response(200, told).fields.count(of: "convert-skipped-records") == 0)
        #expect(try trial.response(206, told).fields["convert-skipped-records"] == "77")
        #expect(try Self.trial().response(200, told).fields["convert-skipped-records"] == "77")
    }

    // MARK: Caching

    /// RFC 9111 §4.3.4: a cache updates its stored response, which may be relabelled, with the fields of a 304.
    @Test func `a 304 has no Content-Type on routes that may change it`() throws {
        let fields = "Content-Type: text/html\nCache-Control: max-age=1"
        let response = try Self.trial().response(304, fields)
        #expect(response.fields.count(of: "content-type") == 0)
        #expect(response.fields["cache-control"] == "max-age=1")
        #expect(try GatewayTrial(routes: Self.plain).response(304, fields).fields["content-type"] == "text/html")
    }

    @Test func `an invalid ETag is removed on routes that may change bytes`() throws {
        #expect(try Self.trial().response(200, "\(Self.json)\nETag: abc").fields.count(of: "etag") == 0)
        #expect(try GatewayTrial(routes: Self.plain).response(200, "ETag: abc").fields["etag"] == "abc")
    }

    @Test func `Last-Modified is the later of the upstream's and the profile's, never later than Date`() throws {
        let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let later = "Sun, 06 Nov 1994 08:49:39 GMT"
        let rows: [(profile: Int64, upstream: String, told: String?)] = [
            (GatewayTrial.now - 1, "Last-Modified: Sat, 05 Nov 1994 00:00:00 GMT", earlier),
            (0, "Last-Modified: \(earlier)", earlier), (GatewayTrial.now + 9, "Last-Modified: \(earlier)", date),
            (0, "Last-Modified: \(later)", date),
            (GatewayTrial.now + 9, "Last-Modified: \(earlier)\nDate: \(later)", later),
            (0, "Last-Modified: Sunday, 06-Nov-94 08:49:36 GMT", earlier), (0, "X: 1", nil),
            (0, "Last-Modified: yesterday", nil),
        ]
        for row in rows {
            let trial = try GatewayTrial(routes: Self.converting, modifiedSeconds: row.profile)
            #expect(
                try trial.response(200, "\(Self.json)\n\(row.upstream)").fields["last-modified"] == row.told, "\(row)")
        }
    }

    @Test func `converting routes accept no ranges, and 206 stays unchanged on others`() throws {
        #expect(try Self.trial().response(200, "Accept-Ranges: bytes").fields.values(for: "accept-ranges") == ["none"])
        let plain = try GatewayTrial(routes: Self.plain).response(
            206, "Accept-Ranges: bytes\nContent-Range: bytes 0-1/9")
        #expect(plain.fields["accept-ranges"] == "bytes")
        #expect(plain.fields["content-range"] == "bytes 0-1/9")
        #expect(plain.status == 206)
    }

    @Test func `the length of an unsent body is given if the body would pass unchanged`() throws {
        let (json, image) = ("\(Self.json)\nContent-Length: 9", "Content-Type: image/png\nContent-Length: 9")
        #expect(try !Self.trial().response(200, json, to: "HEAD / HTTP/1.1").keepsLength)
        #expect(try Self.trial().response(404, json, to: "HEAD / HTTP/1.1").keepsLength)
        #expect(try Self.trial().response(200, image, to: "HEAD / HTTP/1.1").keepsLength)
        // A 304 does not say what it would be the length of.
        #expect(try !Self.trial().response(304, image).keepsLength)
        #expect(try GatewayTrial(routes: Self.plain).response(200, Self.json, to: "HEAD / HTTP/1.1").keepsLength)
    }
}
