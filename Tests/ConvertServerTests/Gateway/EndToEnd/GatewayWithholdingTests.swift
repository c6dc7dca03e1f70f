import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertServer
@testable import Gateway
@testable import HTTPSemantics
@testable import HTTPServer

/// Routes whose profile discards data: no request and no response of a backend makes this data reach the other side.
struct GatewayWithholdingTests {
    private static let ssn = "123-45-6789"
    private static let object = #"{"ssn": "\#(ssn)", "ok": 1}"#
    private static let redact = #"{ "drop": "/ssn" }"#

    private static func stage(_ members: String = "", rule: String = "", both: Bool = false) throws -> GatewayStage {
        let rule = #"{ "profile": "redact"\#(rule) }"#
        return try GatewayStage(
            routes: """
                { "name": "all", "match": "/", "upstream": "shop" },
                { "name": "secret", "match": "/api/secret", "upstream": "shop", \(members)
                  "\(both ? "request" : "response")": \(rule) }
                """, profiles: ["redact": redact])
    }

    @Test func `no withheld data leaves, whatever the path, Accept, type, status, compression and method`() throws {
        let stage = try Self.stage()
        let types: [(type: String?, body: String, isObject: Bool)] = [
            ("application/json", Self.object, true), ("application/problem+json", Self.object, true),
            ("text/json", Self.object, true), ("application/javascript", Self.object, true), (nil, Self.object, true),
            ("text/plain", Self.object, true), ("text/html", " \n\(Self.object)", true),
            ("application/json, text/plain", Self.object, true), ("json", Self.object, true),
            ("application/x-ndjson", "\(Self.object)\n\(Self.object)\n", true),
            ("application/json; charset=utf-7", Self.object, false),
            ("text/plain; charset=latin1", Self.object, false), ("text/plain", "\"\(Self.ssn)\"", false),
            ("text/csv", "\"ssn\"\n\"\(Self.ssn)\"", false), ("text/plain", "\(Self.object)\n\(Self.object)", false),
            ("text/event-stream", "data: \(Self.object)\n\n", false),
            ("text/html", "<p>\(Self.ssn)</p>", false), ("application/msgpack", "\u{1}\(Self.ssn)", false),
            ("multipart/mixed; boundary=b", "--b\r\n\r\n\(Self.object)\r\n--b--", false),
        ]
        let accepts = [
            "*/*", "text/plain", "text/event-stream", "text/html, */*;q=0.1", "application/xml", "",
            #"application/json;x=", text/html, ""#,
        ]
        let paths = [
            "/api/secret", "/api/secret/", "/api/secret/a%2Fb", "/%61pi/secret?format=xml", "/api/secret//x;y=1",
        ]
        let coded = try types.map { try PythonCoding.encode(Array($0.body.utf8), .gzip) }
        var cells = 0
        for (status, isConvertible) in [
            (200, true), (201, true), (203, true), (302, true), (400, true), (404, true), (500, true), (503, true),
            (206, false),
        ] {
            for (index, row) in types.enumerated() {
                for (field, codesRight) in [
                    (nil, true), ("gzip", true), ("br", false), ("gzip, gzip", false), ("x", false),
                ] as [(String?, Bool)] {
                    let body = field == "gzip" ? coded[index] : Array(row.body.utf8)
                    let fields = field.map { ["Content-Encoding: \($0)"] } ?? []
                    let head = BackendScript.head(
                        status, type: row.type, fields + ["Content-Length: \(body.count)"])
                    try stage.backend.script([.send(head), .sendBytes(body)])
                    // Each combination of body and compression meets every path, Accept field and method, in varying combinations.
                    let rowNumber = cells / 5
                    let method = ["GET", "POST", "DELETE", "OPTIONS", "PROPFIND", "HEAD"][rowNumber % 6]
                    let line = "\(method) \(paths[rowNumber % paths.count])"
                    let accept = accepts[cells % accepts.count]
                    cells += 1
                    let response = try stage.exchange(
                        HTTPText.message(line, accept.isEmpty ? [] : ["Accept: \(accept)"], isLast: true)
                    ).message
                    let what = "\(status) \(row) \(field ?? "-") \(line)"
                    #expect(!response.text.contains(Self.ssn), "\(what)")
                    let isSeen = isConvertible && codesRight && row.isObject
                    guard method != "HEAD" else { continue }
                    #expect(response.status == (isSeen ? status : 502), "\(what)")
                    #expect(response.text.contains(#""ok":1"#) == isSeen, "\(what)")
                    if isSeen { #expect(response["Content-Type"]?.contains("json") == true, "\(what)") }
                }
            }
        }
        #expect(cells == 9 * types.count * 5)
        let asked = Set(try stage.backend.requests.map { $0["Accept"] ?? "" })
        #expect(asked == ["application/json", "application/json;q=0.1"])
    }

    @Test func `only paths that a lenient backend reads as a withholding route are refused`() throws {
        let stage = try Self.stage(#""methods": "GET", "caseSensitive": false,"#)
        try stage.backend.script(.response(200, Self.object))
        let refused = [
            "//api/secret", "/api//secret", "/api/%2Fsecret", "/api%2fsecret", "/api%2Fsecret%2Fuser", "/%2Fapi/secret",
            "/api/secret;x=1", "/api;v=1/secret", "/api/secret%3Bx", "/api;a%2Fb/secret", "/api;a%252Fb/secret",
            "/api/secret.", "/api./secret", "/api/secret%20", "/api/secret%09/x", "/api/secret%2e", "/api%20/secret",
            "/api%252Fsecret", "/api/s%2565cret", "/api%255Csecret", "/api/secret%3Fx", "/api/secret%23x",
            "/api/secret%2500.json", "/API/secret", "/api/Secret/x", "/aPI//sEcret", "/api/x/%252e%252e/secret",
            "/api/...;/secret", "/api/secret.json", "/api/secret.xml/", "//api/secret%2Ecsv", "/api/x/..%20/secret",
            "/api%25252Fsecret", "//x/api/secret", "///x/api/secret", "//x:80/api/secret", "//[::1]/api/secret",
            "//u@x/api;v=1/secret", "/%2Fx/api/secret", "/%5Cx/api/secret", "/api/%C5%BFecret",
            "/api/secret.json.gz", "/api/secret.v2.json.gz", "/api/secret%2Ejson%2Egz", "/API/Secret.a.b/",
            "/index.php/api/secret", "/x/app.PHP/api//secret/user", "/index%2Ephp/api/secret",
            "/index.php/x.php/api/secret", "/index.php5/api/secret", "/x/index.PHTML/api/secret", "/a.phar/api/secret",
            "/(S(x))/api/secret", "/api/(A(x)F(y))/secret/u", "/api%2F(S(x))/secret",
        ]
        for path in refused {
            for method in ["GET", "POST", "OPTIONS", "HEAD"] {
                let response = try stage.exchange(HTTPText.message("\(method) \(path)", isLast: true)).message
                #expect(response.status == 400, "\(method) \(path)")
                #expect(!response.text.contains(Self.ssn), "\(method) \(path)")
            }
        }
        // A method that the route does not list is 405; no route with a shorter prefix is used.
        #expect(try stage.ask("POST /api/secret").status == 405)
        #expect(try stage.backend.requests.isEmpty)
        let passed = [
            "//api/secre", "/api/secrets;x", "/files/a%2Fb", "//files//a;v=1", "/API/x%2Fsecret", "/a%2520b", "/x/a.",
            "//x/api/public", "//api", "/api;v=1/public", "/files/100%25", "/files/secret.json", "/api/public.json",
            "/api/.secret", "/files/secret.json.gz", "/api/secre.t.json.gz", "/api/public.min.js.gz",
            "/index.php/api/public", "/v1.2/api/secret", "/php/api/secret", "/api/index.php",
            "/(S(x))/api/public", "/(x)/api/secret", "/php5/api/secret",
        ]
        for path in passed {
            #expect(try stage.ask("GET \(path)").text == Self.object, "\(path)")
            #expect(try stage.backend.lastRequest().target == path)
        }
        #expect(try stage.ask("GET /api/secret;x/y").status == 400)
        #expect(try stage.ask("GET /api/secret/a;x%2F//b").text == #"{"ok":1}"#)
    }

    @Test func `no list of types lets JSON pass, whatever its name`() throws {
        for listed in ["text/json", "application/x-json", "application/json-seq", "application/problem+json"] {
            #expect(PassedType(listed) == nil, "\(listed)")
        }
        let stage = try Self.stage(rule: #", "pass": ["text/*", "application/*", "image/*"]"#)
        for type in ["text/json", "text/x-json", "application/x-json", "application/ndjson", "image/json"] {
            try stage.backend.script(.response(200, Self.object, type: type))
            let response = try stage.ask("GET /api/secret", "Accept: \(type)")
            #expect(response.status == 200 && !response.text.contains(Self.ssn), "\(type): \(response.text)")
        }
    }

    @Test func `only the types and statuses that the route lists pass, and only they are requested`()
        throws
    {
        let rule = #", "pass": ["text/csv", { "type": "text/html", "status": ["4xx", 503] }, "image/*"]"#
        let stage = try Self.stage(rule: rule)
        let rows: [(status: Int, type: String, fields: [String], passes: Bool)] = [
            (200, "text/csv", [], true), (200, "Text/CSV; charset=latin1", [], true), (500, "text/csv", [], true),
            (200, "image/png", [], true), (404, "text/html", [], true), (503, "text/html", [], true),
            (200, "text/csv", ["Content-Encoding: br"], true), (200, "text/html", [], false),
            (500, "text/html", [], false), (200, "text/plain", [], false), (200, "text/csv, text/html", [], false),
            (200, "text/csvx", [], false), (200, "text/csv; x", [], false),
            (200, "text/csv", ["Content-Type: text/csv"], false), (200, "image", [], false),
            (200, "image/json", [], false), (200, "image/x-json", [], false),
        ]
        let body = "a,b"
        for row in rows {
            let fields = row.fields + ["Content-Length: \(body.utf8.count)"]
            try stage.backend.script([.send(BackendScript.head(row.status, type: row.type, fields) + body)])
            let response = try stage.ask("GET /api/secret")
            #expect(response.status == (row.passes ? row.status : 502), "\(row)")
            #expect((response.text == body) == row.passes, "\(row)")
            if row.passes { #expect(response["Convert-Status"] == "skipped;passed", "\(row)") }
        }
        for (sent, asked) in [
            ("text/html", "application/json"), ("text/csv;q=0.5, text/html", "text/csv;q=0.5"),
            ("text/html,application/xhtml+xml,*/*;q=0.8", "application/json;q=0.8, text/csv;q=0.8, image/*;q=0.8"),
            ("image/png, application/vnd.a+json;v=1", "image/png, application/vnd.a+json;v=1"),
            ("text/*, application/*;q=0.1, */*", "text/csv, application/json;q=0.1, image/*"), ("", "application/json"),
        ] {
            #expect(try stage.forwarded("GET /api/secret", "Accept: \(sent)")["Accept"] == asked, "\(sent)")
        }
    }

    @Test func `no withheld data enters, whatever the type, compression and method of the body`() throws {
        let stage = try Self.stage(rule: #", "pass": "image/*""#, both: true)
        let rows: [(fields: [String], body: String, status: Int)] = [
            (["Content-Type: application/json"], Self.object, 200), (["Content-Type: text/json"], Self.object, 200),
            ([], Self.object, 200), (["Content-Type: text/plain"], Self.object, 200),
            (["Content-Type: application/json; x"], Self.object, 200),
            (["Content-Type: application/json", "Content-Type: text/plain"], Self.object, 200),
            (["Connection: close, content-type", "Content-Type: application/json"], Self.object, 200),
            (["Content-Type: application/x-www-form-urlencoded"], Self.object, 200),
            (["Content-Type: application/x-www-form-urlencoded"], "ssn=\(Self.ssn)", 415),
            (["Content-Type: text/xml"], "<ssn>\(Self.ssn)</ssn>", 415), ([], "ssn=\(Self.ssn)", 415),
            (["Content-Type: application/json; charset=utf-16"], Self.object, 415),
            (["Content-Type: text/plain; charset=latin1"], Self.object, 415),
            (["Content-Type: application/json", "Content-Encoding: br"], Self.object, 415),
            (["Content-Encoding: gzip, gzip"], Self.object, 415),
            (["Connection: close, content-encoding", "Content-Encoding: br"], Self.object, 415),
            (["Content-Type: application/json"], #"{"ssn": "\#(Self.ssn)""#, 400),
        ]
        for row in rows {
            for method in ["POST", "PUT", "PATCH", "DELETE", "GET", "PROPFIND", "OPTIONS"] {
                let count = try stage.backend.requests.count
                let response = try stage.exchange(
                    HTTPText.message("\(method) /api/secret", row.fields, body: row.body, isLast: true)
                ).message
                #expect(response.status == row.status, "\(method) \(row)")
                let seen = try stage.backend.requests.dropFirst(count)
                #expect(seen.count == (row.status == 200 ? 1 : 0), "\(method) \(row)")
                for request in seen {
                    #expect(request.text == #"{"ok":1}"#, "\(method) \(row)")
                    let types = request.fields.filter { $0.name == "content-type" }.map(\.value)
                    #expect(types == ["application/json"], "\(method) \(row)")
                }
            }
        }
        // Only a form reader finds the key in this body. The backend gets it as JSON, where it is a plain string.
        let form = try stage.forwarded(
            "POST /api/secret", "Content-Type: application/x-www-form-urlencoded", body: "\"&ssn=1&\"")
        #expect(form["Content-Type"] == "application/json")
        let image = try stage.forwarded("POST /api/secret", "Content-Type: image/png", body: "PNG")
        #expect(image.text == "PNG" && image["Content-Type"] == "image/png")
        #expect(try stage.forwarded("GET /api/secret")["Content-Type"] == nil)
    }

    @Test func `cut bodies, long bodies, endless streams and trailers contain no withheld data`() throws {
        let stage = try Self.stage()
        let long = String(repeating: "x", count: 200_000)
        let scripts: [BackendScript] = [
            .chunked([#"{"ssn": "\#(Self.ssn)", "#], isCut: true),
            .chunked([#"{"ssn": "\#(Self.ssn.prefix(6))"#], isCut: true),
            .chunked(["{\"a\": \"\(long)\", ", "\"ssn\": \"\(Self.ssn)\"} \(Self.ssn)"], type: "text/plain"),
            .chunked(["{\"a\": \"\(long)\", ", "\"ssn\": \"\(Self.ssn)\"", "}"], type: "text/html"),
            [
                .send(
                    BackendScript.head(200, type: nil, ["Transfer-Encoding: chunked", "Trailer: X-SSN"])
                        + "2\r\n{}\r\n0\r\nX-SSN: \(Self.ssn)\r\n\r\n")
            ],
            [.send("HTTP/1.1 200 OK\r\n\r\n\(Self.object)"), .close],
            [.send("HTTP/1.0 200 OK\r\n\r\ndata: \(Self.object)\n\n"), .close],
            [
                .send("HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n\(Self.object)"),
                .close,
            ],
            .response(200, Self.object, "Cache-Control: no-transform"), .response(205, Self.object),
            .response(226, Self.object, "Content-Range: bytes 0-9/90"),
        ]
        for script in scripts {
            try stage.backend.script(script)
            let client = try stage.client()
            try client.send(
                HTTPText.message(
                    "GET /api/secret",
                    ["TE: trailers", "Upgrade: websocket", "Connection: close, Upgrade, TE", "Range: bytes=0-3"]))
            let bytes = client.rest().bytes
            #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.ssn.prefix(6)), "\(script)")
        }
        for request in try stage.backend.requests { #expect(request["Range"] == nil && request["Upgrade"] == nil) }
    }

    @Test func `errors and digests of a withheld body contain no part of it`() throws {
        let stage = try Self.stage()
        for (body, code) in [
            (#"{"ok": 1, "ssn": {"\#(Self.ssn)": {"exp": "#, "json"),
            (#"{"ssn": {"\#(Self.ssn)": 1, "\#(Self.ssn)": 2}}"#, "duplicateKey"),
            (#"{"ssn": {"\#(Self.ssn)": tru}}"#, "json"),
        ] {
            try stage.backend.script(.response(200, body))
            let response = try stage.ask("GET /api/secret")
            let problem = try JSONDecoder().decode(Refusal.self, from: Data(response.text.utf8))
            #expect(response.status == 502 && !response.text.contains(Self.ssn), "\(response.text)")
            #expect(problem == Refusal(detail: "the upstream's response cannot be converted", code: code))
        }
        let digests = [
            "Repr-Digest: sha-256=:a:", "Content-MD5: a", "Unencoded-Digest: sha-256=:a:", "Digest: sha-256=a",
        ]
        for (line, status, length) in [("GET", 304, nil), ("GET", 204, nil), ("HEAD", 200, "0"), ("HEAD", 200, "9")] {
            let fields = digests + ["ETag: \"a\""] + (length.map { ["Content-Length: \($0)"] } ?? [])
            let head = BackendScript.head(status, type: nil, fields)
            try stage.backend.script([.send(head)])
            let response = try stage.exchange(HTTPText.message("\(line) /api/secret", isLast: true)).message
            #expect(response.status == status)
            for name in ["Repr-Digest", "Content-MD5", "Unencoded-Digest", "Digest"] {
                #expect(response[name] == nil, "\(line) \(status) \(name)")
            }
        }
        try stage.backend.script([
            .send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nETag: \"a\"\r\nRepr-Digest: sha-256=:a:\r\n\r\n"),
            .send(BackendScript.head(200, type: "application/json", ["Content-Length: 2"]) + "{}"),
        ])
        let hinted = try stage.exchange(HTTPText.message("GET /api/secret", isLast: true))
        let hint = try #require(hinted.informational.first)
        #expect(hint["Link"] == "</a>" && hint["ETag"] == nil && hint["Repr-Digest"] == nil)
    }

    private struct Refusal: Decodable, Equatable {
        var detail: String?
        var code: String?
        var pointer: String?
        var line: Int?
        var offset: Int?
    }
}
