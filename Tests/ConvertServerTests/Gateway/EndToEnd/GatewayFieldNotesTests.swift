import TestSupport
import Testing

@testable import ConvertServer

/// Problems that users of other gateways report, which do not occur here. The numbers are those of public issues.
struct GatewayFieldNotesTests {
    private static let snake =
        #"{ "keys": { "case": "camelCase", "from": "snake_case", "opaque": ["/translations"] } }"#
    private static let both =
        #"{ "match": "/", "upstream": "shop", "request": { "profile": "mobile", "direction": "inverse" }, "response": { "profile": "mobile" } }"#

    /// The response that a client gets for this body under a profile.
    private func response(
        _ body: String, _ profile: String = snake, type: String = "application/json", routes: String = both
    ) throws -> ReceivedResponse {
        let stage = try GatewayStage(routes: routes, profiles: ["mobile": profile])
        try stage.backend.script(.response(200, body, type: type))
        return try stage.ask("GET /")
    }

    @Test func `1 gzipped bodies are converted: Kong 13741, tyk 477, spring-cloud-gateway 403, apisix 10562`() throws {
        let stage = try GatewayStage(routes: Self.both, profiles: ["mobile": Self.snake])
        let coded = try PythonCoding.encode(Array("{\"first_name\":\"Ada\"}".utf8), .gzip)
        try stage.backend.script(.response(200, bytes: coded, "Content-Encoding: gzip"))
        // For a client that accepts gzip, and for one that does not.
        let taken = try stage.ask("GET /", "Accept-Encoding: gzip")
        #expect(String(decoding: try taken.content(), as: UTF8.self) == "{\"firstName\":\"Ada\"}")
        let plain = try stage.ask("GET /")
        #expect(plain.text == "{\"firstName\":\"Ada\"}" && plain["Content-Encoding"] == nil)
    }

    @Test func `2 Content-Length is that of the rewritten body: spring-cloud-gateway 304, Kong 1207, envoy 28515`()
        throws
    {
        for body in [
            "{\"a\":1}", "{ \"first_name\" : \"Ada\" }", "{\"a_b_c_d\":\"\(String(repeating: "é", count: 9000))\"}",
        ] {
            // The client's reader is strict: a wrong length would give a body that is cut off or too long.
            let stage = try GatewayStage(routes: Self.both, profiles: ["mobile": Self.snake])
            try stage.backend.script(.response(200, body))
            let client = try stage.client()
            for _ in 0..<2 {
                try client.send(
                    HTTPText.message("POST /", ["Content-Type: application/json"], body: "{\"firstName\":1}"))
                #expect(try client.finalResponse().whole.body.count <= body.utf8.count)
            }
            #expect(try stage.backend.lastRequest()["Content-Length"] == "\("{\"first_name\":1}".utf8.count)")
        }
    }

    @Test func `3 and 4 and 5 empty arrays, numbers and order stay: Kong 1208, jq 1652, jolt 1286, krakend 172`() throws
    {
        let body =
            "{\"z_z\":[],\"a_a\":{},\"n\":[60000000.1,12345678901234567890,1.10,1E400,-0,0.1e-7],\"b\":{\"y\":1,\"x\":[[],[{}]]}}"
        #expect(
            try response(body).text
                == body.replacing("z_z", with: "zZ").replacing("a_a", with: "aA"))
    }

    @Test func `6 nested paths and root arrays are reached: Kong 653, krakend 14, lura 167`() throws {
        #expect(
            try response("[{\"a_b\":[{\"c_d\":{\"e_f\":1}}]},[[{\"g_h\":2}]]]").text
                == "[{\"aB\":[{\"cD\":{\"eF\":1}}]},[[{\"gH\":2}]]]")
        #expect(try response("[{\"o\":{\"a\":1}}]", #"{ "rename": { "/*/o/a": "b" } }"#).text == "[{\"o\":{\"b\":1}}]")
        for scalar in ["1", "\"a_b\"", "null", "true"] { #expect(try response(scalar).text == scalar) }
    }

    @Test func `7 dots in keys are not paths: ObjectMapper 192, Mantle 508`() throws {
        #expect(
            try response(#"{"a.b":1,"a":{"b":2}}"#, #"{ "rename": { "a.b": "c.d" } }"#).text
                == #"{"c.d":1,"a":{"b":2}}"#)
    }

    @Test func `8 responses without a body stay empty: lura 535, Kong 5202, spring-cloud-gateway 1560`() throws {
        let stage = try GatewayStage(routes: Self.both, profiles: ["mobile": Self.snake])
        try stage.backend.script(.bare(204))
        try stage.backend.script(.bare(204, "Content-Type: application/json"))
        try stage.backend.script(.bare(304, "ETag: \"a\""))
        try stage.backend.script(.response(200, ""))
        for status in [204, 204, 304, 200] {
            let response = try stage.exchange(HTTPText.message("GET /", isLast: true))
            #expect(response.message.status == status)
            #expect(response.message.body.isEmpty)
            #expect(status == 200 || response.message["Content-Length"] == nil)
        }
        // The next request on the connection gets its own response.
        let client = try stage.client()
        try client.send(HTTPText.message("DELETE /") + HTTPText.message("GET /"))
        #expect(try client.finalResponse().whole.status == 200)
        #expect(try client.finalResponse().whole.status == 200)
    }

    @Test func `9 other types pass, and large responses have no limit: kgateway 3649 and 3830`() throws {
        let html = try response("<html>down</html>", type: "text/html")
        #expect(html.status == 200 && html.text == "<html>down</html>")
        let large = "[" + String(repeating: "{\"first_name\":\"Ada\"},", count: 30_000) + "1]"
        #expect(try response(large).text == large.replacing("first_name", with: "firstName"))
        // A complete HTML body with the media type of JSON gives an error, not a crash.
        #expect(try response("<html>down</html>").status == 502)
    }

    @Test func `11 validators belong to the converted bytes: apisix 12707, nginx 1709`() throws {
        var tags: [String] = []
        for profile in [Self.snake, #"{ "keys": "PascalCase" }"#] {
            let stage = try GatewayStage(
                routes: #"{ "match": "/", "upstream": "shop", "response": { "profile": "mobile" } }"#,
                profiles: ["mobile": profile])
            try stage.backend.script(.response(200, "{\"a_b\":1}", "ETag: \"v\""))
            tags.append(try #require(try stage.ask("GET /")["ETag"]))
            #expect(
                try stage.forwarded("GET /", "If-None-Match: \(tags[0])")["If-None-Match"]
                    == (tags.count == 1 ? "\"v\"" : nil))
        }
        #expect(tags[0] != tags[1])
        let kept = try GatewayStage(routes: GatewayStage.converting)
        try kept.backend.script(.response(200, GatewayStage.ada.before, "Cache-Control: no-transform"))
        #expect(try kept.ask("GET /").text == GatewayStage.ada.before)
    }

    @Test func `12 keys that are data stay: djangorestframework-camel-case 35, olive_branch 21`() throws {
        #expect(
            try response("{\"head_line\":1,\"translations\":{\"en-GB\":{\"x_y\":1},\"pt_BR\":2}}").text
                == "{\"headLine\":1,\"translations\":{\"en-GB\":{\"x_y\":1},\"pt_BR\":2}}")
    }

    @Test func `13 digits, acronyms and underscores: drf-camel-case 50, Newtonsoft 1916, vrl 1322`() throws {
        let profile = #"{ "keys": "snake_case" }"#
        #expect(
            try response(
                "{\"key10\":1,\"_id\":2,\"MD5\":3,\"XMLHttpRequest\":4,\"address1\":5}", profile,
                routes: #"{ "match": "/", "upstream": "shop", "response": { "profile": "mobile" } }"#
            ).text
                == "{\"key10\":1,\"_id\":2,\"md5\":3,\"xml_http_request\":4,\"address1\":5}")
    }

    @Test func `14 the inverse restores converted keys: swift-corelibs-foundation 3752`() throws {
        let profile = #"{ "rename": { "pictureURL": "picture_url" } }"#
        let stage = try GatewayStage(routes: Self.both, profiles: ["mobile": profile])
        try stage.backend.script(.response(200, "{\"pictureURL\":\"x\"}"))
        let got = try stage.ask("GET /").text
        #expect(got == "{\"picture_url\":\"x\"}")
        #expect(
            try stage.forwarded("PUT /", "Content-Type: application/json", body: got).text == "{\"pictureURL\":\"x\"}")
    }

    @Test func `15 collisions lose nothing silently: typia 2054, Kong's rename of a missing key`() throws {
        #expect(try response("{\"a_b\":1,\"aB\":2}").status == 502)
        #expect(try response("{\"b\":1}", #"{ "rename": { "a": "b" } }"#).text == "{\"b\":1}")
        let stage = try GatewayStage(
            routes: #"{ "match": "/", "upstream": "shop", "request": { "profile": "mobile" } }"#,
            profiles: ["mobile": Self.snake])
        let refused = try stage.ask("POST /", "Content-Type: application/json", body: "{\"a_b\":1,\"aB\":2}")
        #expect(refused.status == 422)
        #expect(try stage.backend.requests.isEmpty)
    }
}
