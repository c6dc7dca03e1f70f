import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// The metrics and logs of the built program for known traffic.
struct ObservedServerTests {
    /// One request and its response on a connection that is then closed.
    private static func exchange(_ server: LiveServer, _ request: [UInt8], endsSending: Bool = false) throws
        -> ReceivedResponse
    {
        let client = try RawClient(server.address)
        try client.send(request)
        if endsSending { client.endSending() }
        return try ReceivedResponse(client.receiveAll())
    }

    private static func metrics(_ server: LiveServer) throws -> ExpositionDocument {
        // The response is always the text format, whatever Accept contains.
        let request = "GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: image/png\r\nConnection: close\r\n\r\n"
        let response = try exchange(server, Array(request.utf8))
        #expect(response.status == 200)
        #expect(response["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        return try ExpositionDocument(response.body)
    }

    @Test func `known traffic gives the expected counts`() throws {
        let server = try LiveServer(
            profiles: [
                "mobile": "{\"rename\":{\"firstName\":\"fn\"}}", "broken": "{\"renme\":1}",
            ], "--loops", "1")
        let coded = try PythonCoding.encode(
            Array("{\"firstName\": \"\(String(repeating: "a", count: 5000))\"}".utf8), .gzip)
        for _ in 0..<3 { _ = try server.post("/v1/convert/mobile", "{\"firstName\":1}") }
        let response = try Self.exchange(
            server,
            Array(
                ("POST /v1/convert/mobile HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nAccept-Encoding: gzip\r\n"
                    + "Content-Length: \(coded.count)\r\nConnection: close\r\n\r\n").utf8) + coded)
        _ = try server.post("/v1/minify", "[1,]")
        _ = try server.post("/v1/minify", "[1, 2]")
        _ = try server.post("/v1/normalize?keys=camelCase", "{\"a_b\":1,\"aB\":2}")
        _ = try server.post("/v1/minify", "a=b", type: "application/x-www-form-urlencoded")
        _ = try server.post("/v1/minify", "x", type: "text/plain")
        _ = try server.post("/v1/convert/nobody", "{}")
        _ = try server.get("/v1/convert/mobile")
        _ = try server.get("/nothing/here")
        _ = try server.ask("no http\r\n\r\n")
        _ = try server.ask("OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let half = "POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n[1"
        #expect(try Self.exchange(server, Array(half.utf8), endsSending: true).status == 400)

        let document = try Self.metrics(server)
        let requests: [(route: String, status: String, profile: String?, count: String)] = [
            ("/v1/convert/{profile}", "200", "mobile", "4"), ("/v1/convert/{profile}", "404", nil, "1"),
            ("/v1/convert/{profile}", "405", nil, "1"), ("/v1/minify", "200", nil, "2"),
            ("/v1/minify", "400", nil, "2"),
            ("/v1/minify", "415", nil, "1"), ("/v1/normalize", "422", nil, "1"), ("(unmatched)", "404", nil, "1"),
            ("(unmatched)", "400", nil, "1"), ("*", "204", nil, "1"),
        ]
        for row in requests {
            var labels = ["route": row.route, "status": row.status]
            labels["profile"] = row.profile
            #expect(document.value("convert_requests_total", labels) == row.count, "\(labels)")
        }
        #expect(document["convert_requests_total"]?.samples.count == requests.count)
        let byProfile = ["route": "/v1/convert/{profile}"]
        #expect(document.value("convert_request_duration_seconds_count", byProfile) == "6")
        // `{"firstName":1}` has 15 bytes, the response `{"fn":1}` 8.
        #expect(document.value("convert_request_body_bytes_total", byProfile) == "\(45 + coded.count)")
        let sent = try #require(document.value("convert_response_body_bytes_total", byProfile).flatMap { Int($0) })
        #expect(sent > 24 + response.body.count && response["Content-Encoding"] == "gzip")

        let conversions: [(result: String, code: String?, count: String)] = [
            ("ok", nil, "6"), ("aborted", nil, "1"), ("fault", "json", "1"), ("fault", "collision", "1"),
            ("fault", "limit", "0"),
        ]
        for row in conversions {
            var labels = ["result": row.result]
            labels["code"] = row.code
            #expect(document.value("convert_conversions_total", labels) == row.count, "\(labels)")
        }
        #expect(document.value("convert_connections_accepted_total") == "16")
        #expect(document.value("convert_profile_reloads_total", ["result": "failure"]) == "1")
        #expect(document.value("convert_profiles_loaded") == "1")
        #expect(document.value("convert_profile_last_reload_successful") == "0")
        // The previous scrape has ended by now.
        let scrapes = ["route": "/metrics", "status": "200"]
        #expect(try Self.metrics(server).value("convert_requests_total", scrapes) == "1")
        // All connections except the scrape's own close in time.
        #expect(try waits { try Self.metrics(server).value("convert_connections_open") == "1" })
    }

    @Test func `refused connections and changed profiles are counted`() throws {
        let server = try LiveServer(
            profiles: ["a": "{}"], "--max-connections", "1", "--max-connections-per-client", "0", "--loops", "1")
        let held = try server.busyClient()
        #expect(HTTPText.status(try server.get("/healthz")) == 503)
        try held.send("[ ]")
        _ = try held.receive()
        _ = try server.profiles.write("b.json", "{}")
        server.signal(SIGHUP)
        var text = ""
        let isReloaded = try waits {
            try held.send("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
            text = String(decoding: try held.receive(), as: UTF8.self)
            return text.contains("\nconvert_profiles_loaded 2\n")
        }
        #expect(isReloaded)
        #expect(text.contains("\nconvert_connections_refused_total{reason=\"limit\"} 1\n"))
        #expect(text.contains("\nconvert_requests_total{route=\"(unmatched)\",status=\"503\"} 1\n"))
        #expect(text.contains("\nconvert_profile_last_reload_successful 1\n"))
    }

    @Test func `a log line has the problem's code and the request's times`() throws {
        let server = try LiveServer()
        let response = try server.post("/v1/minify", "[1,]")
        #expect(HTTPText.field("Server-Timing", response)?.wholeMatch(of: /convert;dur=[0-9]+\.[0-9]{2}/) != nil)
        let line = try server.wait { log in
            log.split(separator: "\n").first { $0.contains("\"requestId\"") }.map(String.init)
        }
        #expect(line.contains("\"status\":400,\"code\":\"json\","))
        let took = try #require(line.firstMatch(of: /"durationMicros":([0-9]+)/).flatMap { Int($0.1) })
        #expect(took > 0)
    }
}
