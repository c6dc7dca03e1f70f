import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPSemantics

/// Which responses are converted, and how the others are handled.
struct GatewayResponseTests {
    private static let ada = GatewayStage.ada
    private static let digests = [
        "Content-MD5: a", "Digest: b", "Repr-Digest: c", "Content-Digest: d", "Signature: e", "Signature-Input: f",
    ]

    private static func route(_ members: String = "", profile: String = "mobile") -> String {
        #"{ "match": "/", "upstream": "shop", "response": { \#(members) "profile": "\#(profile)" } }"#
    }

    @Test func `JSON, +json and NDJSON are converted, and the framing is that of the new bytes`() throws {
        let stage = try GatewayStage(routes: Self.route())
        for type in ["application/json", "application/problem+json; charset=\"UTF-8\"", "Application/HAL+JSON"] {
            try stage.backend.script(.response(200, Self.ada.before, type: type))
            let response = try stage.ask("GET /")
            #expect(response.text == Self.ada.after, "\(type)")
            #expect(response["Content-Type"] == type)
            #expect(response["Content-Length"] == "12" || response["Transfer-Encoding"] == "chunked")
            #expect(response["Convert-Status"] == "applied")
            try stage.backend.script(.chunked(["{\"first", "Name\"", ": \"Ada\"}"], type: type))
            #expect(try stage.ask("GET /").text == Self.ada.after)
        }
        for type in [
            "application/x-ndjson", "application/jsonl", "application/ndjson", "application/stream+json",
            "application/vnd.elasticsearch+x-ndjson;compatible-with=8",
        ] {
            try stage.backend.script(.response(200, "{\"firstName\": 1}\n{\"firstName\": 2}\n", type: type))
            let response = try stage.ask("GET /")
            let lines = response.text.split(separator: "\n")
            #expect(lines == ["{\"fn\":1}", "{\"fn\":2}"], "\(type)")
            #expect(response["Content-Type"] == type)
        }
        // Without Content-Length or chunks, the end of the connection ends the body.
        try stage.backend.script(
            [.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + Self.ada.before), .close])
        #expect(try stage.ask("GET /").text == Self.ada.after)
    }

    @Test func `status accepts classes and exact codes`() throws {
        let stage = try GatewayStage(routes: Self.route(#""status": ["2xx", "404", 422],"#))
        for (status, isConverted) in [
            (200, true), (201, true), (299, true), (404, true), (422, true), (400, false), (500, false), (302, false),
        ] {
            try stage.backend.script(.response(status, Self.ada.before))
            let response = try stage.ask("GET /")
            #expect(response.status == status)
            #expect(response.text == (isConverted ? Self.ada.after : Self.ada.before), "\(status)")
            #expect(response["Convert-Status"] == (isConverted ? "applied" : "skipped;status"))
        }
    }

    @Test func `empty bodies and messages without a body are not changed`() throws {
        let stage = try GatewayStage(routes: Self.route(#""onSkip": "fail","#))
        try stage.backend.script(.response(200, ""))
        try stage.backend.script(.chunked([]))
        for _ in 0..<2 {
            let response = try stage.ask("GET /")
            #expect(response.status == 200)
            #expect(response.body.isEmpty)
            #expect(response["Convert-Status"] != "applied")
        }
        for status in [204, 205, 304] {
            try stage.backend.script(
                status == 205
                    ? .response(205, "") : .bare(status, "Content-Type: application/json", "Convert-Status: theirs"))
            let response = try stage.ask("GET /")
            #expect(response.status == status)
            #expect(response.body.isEmpty)
            #expect(response["Convert-Status"] == nil || status == 205)
            #expect(response["Transfer-Encoding"] == nil)
            #expect(response["Content-Length"] == nil || status == 205)
        }
        try stage.backend.script(.response(200, ""))
        try stage.backend.script(.bare(200, "Content-Type: application/json", "Content-Length: 20"))
        _ = try stage.ask("GET /")
        let head = try stage.exchange(HTTPText.message("HEAD /", isLast: true)).message
        #expect(head.status == 200)
        #expect(head["Convert-Status"] == nil)
        #expect(head["Content-Length"] == nil)
    }

    /// A gzip member has a header and a trailer also around no byte (RFC 1952 §2.3).
    @Test func `a compressed body that is empty passes like one that is not compressed`() throws {
        let rows = [
            ("", "mobile"), (#""onSkip": "fail","#, "mobile"), (#""onError": "pass","#, "mobile"), ("", "hiding"),
        ]
        for (members, profile) in rows {
            let stage = try GatewayStage(
                routes: Self.route(members, profile: profile),
                profiles: ["mobile": GatewayStage.mobile, "hiding": #"{"drop": ["x"]}"#])
            for format in PythonCoding.Format.allCases {
                let coded = try PythonCoding.encode([], format)
                let fields = ["Content-Encoding: \(format.coding.name)", "Location: /orders/7", "Content-MD5: a"]
                for framing in ["Content-Length: \(coded.count)", "Transfer-Encoding: chunked"] {
                    let isChunked = framing.hasSuffix("chunked")
                    try stage.backend.script([
                        .send(BackendScript.head(201, type: "application/json", fields + [framing])),
                        .send(isChunked ? "\(String(coded.count, radix: 16))\r\n" : ""), .sendBytes(coded),
                        .send(isChunked ? "\r\n0\r\n\r\n" : ""),
                    ])
                    let response = try stage.ask("GET /", "Accept-Encoding: gzip, deflate")
                    #expect(
                        response.status == 201 && response.body.isEmpty, "\(members) \(profile) \(format) \(framing)")
                    #expect(response["Location"] == "/orders/7" && response["Content-Length"] == "0")
                    for name in ["Content-Encoding", "Convert-Status", "Content-MD5"] {
                        #expect(response[name] == nil, "\(name)")
                    }
                }
            }
        }
    }

    @Test func `a compressed empty body that is cut off, and white space alone, are no empty body`() throws {
        let stage = try GatewayStage(routes: Self.route())
        let empty = try PythonCoding.encode([], .gzip)
        for coded in [Array(empty.dropLast(3)), try PythonCoding.encode(Array(" \n".utf8), .gzip)] {
            try stage.backend.script(.response(200, bytes: coded, "Content-Encoding: gzip"))
            #expect(try stage.ask("GET /", "Accept-Encoding: gzip").status == 502)
        }
    }

    @Test func `a body that cannot be converted is skipped, and the first reason is reported`() throws {
        let stage = try GatewayStage(routes: Self.route(#""status": ["2xx"],"#))
        let rows: [(status: Int, type: String?, fields: [String], reason: String)] = [
            (200, "text/html", [], "type"), (200, nil, [], "type"), (200, "text/event-stream", [], "event-stream"),
            (500, "application/json", [], "status"), (206, "application/json", ["Content-Range: bytes 0-4/9"], "range"),
            (200, "application/json", ["Cache-Control: public, No-Transform"], "no-transform"),
            (200, "application/json; charset=iso-8859-1", [], "charset"),
            (200, "application/json", ["Content-Encoding: br"], "coding"),
            (200, "application/json", ["Content-Encoding: gzip, gzip"], "coding"),
            // Several reasons at the same time.
            (500, "text/event-stream", ["Cache-Control: no-transform"], "event-stream"),
            (500, "text/html", ["Content-Encoding: br"], "type"),
            (500, "application/json; charset=latin1", ["Cache-Control: no-transform"], "status"),
            (206, "application/json; charset=latin1", ["Cache-Control: no-transform"], "range"),
            (
                200, "application/json; charset=latin1", ["Cache-Control: no-transform", "Content-Encoding: br"],
                "no-transform"
            ),
            (200, "application/json; charset=latin1", ["Content-Encoding: br"], "charset"),
        ]
        for row in rows {
            let fields = row.fields + Self.digests + ["Content-Length: \(Self.ada.before.utf8.count)"]
            try stage.backend.script([.send(BackendScript.head(row.status, type: row.type, fields) + Self.ada.before)])
        }
        for row in rows {
            let response = try stage.ask("GET /")
            #expect(response.status == row.status, "\(row)")
            #expect(response.text == Self.ada.before, "\(row)")
            #expect(response["Convert-Status"] == "skipped;\(row.reason)", "\(row)")
            // Nothing was changed, so the digests are still correct.
            for digest in Self.digests {
                #expect(response[String(digest.prefix { $0 != ":" })] != nil, "\(row) \(digest)")
            }
        }
    }

    @Test func `digests and signatures are removed when the bytes change`() throws {
        let stage = try GatewayStage(routes: Self.route())
        try stage.backend.script(
            [
                .send(
                    BackendScript.head(
                        200, type: "application/json",
                        Self.digests + ["Content-Length: \(Self.ada.before.utf8.count)", "X-Stays: 1"])
                        + Self.ada.before)
            ])
        let response = try stage.ask("GET /")
        #expect(response.text == Self.ada.after)
        for digest in Self.digests { #expect(response[String(digest.prefix { $0 != ":" })] == nil, "\(digest)") }
        #expect(response["X-Stays"] == "1")
    }

    @Test func `only the upstream's no-transform prevents the conversion`() throws {
        let stage = try GatewayStage(routes: Self.route(profile: "hiding"), profiles: ["hiding": #"{"drop": ["x"]}"#])
        try stage.backend.script(.response(200, "{\"x\": 1, \"y\": 2}"))
        let response = try stage.ask("GET /", "Cache-Control: no-transform")
        #expect(response.text == "{\"y\":2}")
        #expect(try stage.backend.lastRequest()["Cache-Control"] == "no-transform")
    }

    @Test func `onSkip handles JSON that cannot be converted; its default depends on withholding`() throws {
        let profiles = ["mobile": GatewayStage.mobile, "dropping": #"{"drop": ["x"]}"#, "keeping": #"{"keep": ["x"]}"#]
        let rows: [(profile: String, members: String, passes: Bool)] = [
            ("mobile", "", true), ("dropping", "", false), ("keeping", "", false),
            ("mobile", #""onSkip": "fail","#, false),
        ]
        for row in rows {
            let stage = try GatewayStage(routes: Self.route(row.members, profile: row.profile), profiles: profiles)
            let governed: [BackendScript] = [
                .response(200, "{}", "Content-Encoding: br"),
                .response(200, "{}", type: "application/json; charset=latin1"),
                .response(206, "{}", "Content-Range: bytes 0-1/9"), .response(200, "{}", "Cache-Control: no-transform"),
            ]
            // Neither the type nor the status means that the response must be converted, unless the route withholds data.
            let free: [BackendScript] = [.response(200, "{}", type: "text/plain"), .response(500, "{}")]
            for script in governed + free { try stage.backend.script(script) }
            let withholds = row.profile != "mobile"
            for _ in governed {
                let response = try stage.ask("GET /")
                #expect((response.status != 502) == row.passes, "\(row) \(response.status)")
                #expect((response["Content-Type"] == "application/problem+json") == !row.passes)
            }
            for status in [200, 500] {
                let response = try stage.ask("GET /")
                #expect(response.status == status && (response["Convert-Status"] == "applied") == withholds)
            }
        }
    }

    @Test func `withheld data is not sent, whatever the spelling of the response's type`() throws {
        let stage = try GatewayStage(routes: Self.route(profile: "hiding"), profiles: ["hiding": #"{"drop": ["x"]}"#])
        let rows: [(status: Int, types: [String], told: Int)] = [
            (200, ["application/json; odata.metadata=minimal;odata.streaming"], 200),
            (200, ["application/json; profile=http://a/b"], 200), (200, ["application/hal+json; x"], 200),
            (200, ["application/json", "application/json"], 200), (200, ["application/json, application/json"], 200),
            (200, ["application/json; charset = utf-8"], 502), (200, ["application/json; charset="], 502),
            (200, ["application/json", "text/plain"], 200), (200, ["text/event-stream, application/json"], 200),
            (205, ["application/json"], 502),
        ]
        let body = #"{"x": "withheld", "y": 2}"#
        for row in rows {
            let fields = row.types.map { "Content-Type: \($0)" } + ["Content-Length: \(body.utf8.count)"]
            try stage.backend.script([.send(BackendScript.head(row.status, type: nil, fields) + body)])
        }
        for row in rows {
            let response = try stage.ask("GET /")
            #expect(response.status == row.told, "\(row)")
            #expect(!response.text.contains("withheld"), "\(row)")
            if row.told == 200 { #expect(response.text == #"{"y":2}"#, "\(row)") }
        }
    }

    @Test func `the upstream's Convert-Status is removed, and only converting routes add ours`() throws {
        for (routes, expected) in [(GatewayStage.everything, nil), (GatewayStage.converting, "applied")] {
            let stage = try GatewayStage(routes: routes)
            try stage.backend.script(.response(200, "{}", "Convert-Status: theirs"))
            #expect(try stage.ask("GET /").values("Convert-Status") == (expected.map { [$0] } ?? []))
        }
    }

    @Test func `a response that cannot be converted is 502, or passes through unchanged`() throws {
        let broken = ["{\"firstName\": 1,,}", "<html>", "{\"firstName\":1", "{\"firstName\":1,\"fn\":2}"]
        let failing = try GatewayStage(routes: Self.route())
        let passing = try GatewayStage(routes: Self.route(#""onError": "pass","#))
        for body in broken {
            for stage in [failing, passing] {
                try stage.backend.script(.response(201, body, "ETag: \"a\"", "Content-MD5: kept"))
            }
        }
        for body in broken {
            let failed = try failing.ask("GET /")
            #expect(failed.status == 502, "\(body)")
            #expect(failed["Content-Type"] == "application/problem+json")
            #expect(failed["ETag"] == nil)
            #expect(!failed.text.contains("html"))
            let passed = try passing.ask("GET /")
            #expect(passed.status == 201)
            #expect(passed.text == body)
            #expect(passed["Convert-Status"] == "skipped;error")
            #expect(passed["Content-MD5"] == "kept")
        }
    }
}
