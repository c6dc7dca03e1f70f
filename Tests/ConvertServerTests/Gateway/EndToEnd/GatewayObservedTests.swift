import TestSupport
import Testing

@testable import ConvertServer

/// The contents of metrics, logs and problem responses about a gateway's traffic.
struct GatewayObservedTests {
    @Test func `metrics have labels for route, upstream, server, status and reason, never a path`()
        throws
    {
        let stage = try GatewayStage(
            routes:
                #"{ "name": "api", "match": "/api", "upstream": "shop", "response": { "profile": "mobile" } }, { "match": "/plain/", "upstream": "shop" }"#
        )
        try stage.backend.script("/api/secret-path", .response(200, "{}"))
        try stage.backend.script("/api/text", .response(404, "x", type: "text/plain"))
        try stage.backend.script("/plain/busy", .response(503, "x", type: "text/plain"))
        try stage.backend.script("/plain/reset", [.reset])
        try stage.backend.script("/plain/busy", .response(503, "{}"))
        for path in [
            "/api/secret-path?token=1", "/api/secret-path", "/api/text", "/plain/x", "/plain/busy", "/plain/reset",
            "/nowhere",
        ] {
            _ = try stage.ask("GET \(path)")
        }
        let text = try stage.askAdmin("/metrics").text
        for word in ["secret-path", "token", "nowhere", "shop.example"] { #expect(!text.contains(word), "\(word)") }
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let own = String(stage.backend.servers[0].dropFirst("http://".count))
        for (label, value) in [
            ("route", "api"), ("route", "/plain/"), ("upstream", "shop"), ("status", "2xx"), ("status", "4xx"),
            ("status", "5xx"),
            ("reason", "type"),
        ] {
            #expect(lines.contains { $0.contains("\(label)=\"\(value)\"") }, "\(label) \(value)")
        }
        #expect(lines.contains { $0.contains("server=\"") && $0.contains(own) })
        // Prometheus could read this text.
        _ = try ExpositionDocument(Array(text.utf8))
    }

    @Test func `the access log has one line for each request, with route and without query`() throws {
        let stage = try GatewayStage(
            routes: #"{ "name": "all", "match": "/", "upstream": "shop" }"#, root: #""trustedProxies": "127.0.0.1","#)
        for index in 0..<3 { _ = try stage.ask("GET /path\(index)?secret=\(index)", "X-Request-Id: id-\(index)") }
        #expect(waits { stage.accessLog.count == 3 })
        // Each loop writes its log lines on its own, so lines of different connections may change their order.
        for index in 0..<3 {
            let line = try #require(stage.accessLog.first { $0.contains("\"requestId\":\"id-\(index)\"") })
            #expect(line.contains("\"path\":\"/path\(index)\""))
            #expect(line.contains("\"status\":200"))
            #expect(line.contains("\"all\""))
            #expect(!line.contains("secret"))
        }
    }

    @Test func `problem responses of the gateway have the service's format`() throws {
        let stage = try GatewayStage(
            upstream: #""responseTimeoutSeconds": 0.1,"#, root: #""trustedProxies": "127.0.0.1","#,
            servers: { [$0.servers[0]] })
        try stage.backend.script("/reset", [.reset])
        try stage.backend.script("/hang", [.hang])
        for (line, fields, status) in [
            ("POST /reset", [], 502), ("POST /hang", [], 504), ("POST /x", ["Via: 1.1 edge-1"], 508),
        ] as [(String, [String], Int)] {
            let response = try stage.exchange(
                HTTPText.message(line, fields + ["X-Request-Id: the-id"], body: "", isLast: true)
            ).message
            #expect(response.status == status)
            #expect(response["Content-Type"] == "application/problem+json")
            #expect(response["X-Content-Type-Options"] == "nosniff")
            #expect(response["X-Request-Id"] == "the-id")
            #expect(response.values("Date").count == 1)
            for part in ["\"status\":\(status)", "\"title\":", "\"detail\":", "\"requestId\":\"the-id\""] {
                #expect(response.text.contains(part), "\(response.text)")
            }
            // HEAD gives the same response without the body.
            #expect(!response.text.contains("\(stage.backend.servers[0].suffix(5))"))
        }
        let head = try stage.exchange(HTTPText.message("HEAD /a/../b", isLast: true)).message
        #expect(head.status == 400 && head.body.isEmpty)
    }

    @Test func `responses of the gateway and of upstreams have X-Request-Id`() throws {
        let stage = try GatewayStage(
            routes: #"{ "match": "/a", "upstream": "shop", "methods": ["GET"], "response": { "profile": "mobile" } }"#)
        try stage.backend.script("/a/304", .bare(304))
        try stage.backend.script("/a/broken", .response(200, "{,"))
        for (line, status) in [
            ("GET /a", 200), ("GET /a/304", 304), ("GET /a/broken", 502), ("PUT /a", 405), ("GET /b", 404),
            ("GET /a/..", 400),
        ] {
            let response = try stage.ask(line)
            #expect(response.status == status, "\(line)")
            #expect(response.values("X-Request-Id").count == 1, "\(line)")
        }
    }
}
