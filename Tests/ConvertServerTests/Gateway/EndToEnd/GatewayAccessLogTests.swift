import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertServer

/// The access log, the server's log and the metrics: their contents about upstreams, and about requests that never reach one.
struct GatewayAccessLogTests {
    private func lines(_ stage: GatewayStage, count: Int) throws -> [AccessLogLine] {
        #expect(waits { stage.accessLog.count == count }, "\(stage.accessLog)")
        return try stage.accessLog.map { try JSONDecoder().decode(AccessLogLine.self, from: Data($0.utf8)) }
    }

    @Test func `the log line of a refused request has client, host, user agent and route`() throws {
        let stage = try GatewayStage(
            routes: #"""
                { "name": "api", "match": "/api", "upstream": "shop",
                  "request": { "profile": "mobile", "required": true } },
                { "match": "/get", "upstream": "shop", "methods": ["GET"] }
                """#, root: #""maxBodyBytes": 100,"#)
        let rows: [(line: String, fields: [String], status: Int, route: String)] = [
            ("GET /a/../b", [], 400, "(unmatched)"), ("GET /nothing", [], 404, "(unmatched)"),
            ("POST /get", [], 405, "/get"), ("POST /api/x", ["Content-Length: 999"], 413, "api"),
            ("POST /api/x", ["Content-Type: text/plain", "Content-Length: 1"], 415, "api"),
            (
                "POST /api/x", ["Content-Type: application/json", "Content-Encoding: compress", "Content-Length: 1"],
                415, "api"
            ),
            ("GET /api/x", ["Via: 1.1 edge-1"], 508, "api"),
        ]
        for row in rows {
            let message = HTTPText.message(row.line, row.fields + ["User-Agent: ua"], isLast: true)
            #expect(try stage.exchange(message).message.status == row.status, "\(row.line)")
        }
        let lines = try lines(stage, count: rows.count)
        for row in rows {
            let path = String(row.line.split(separator: " ")[1])
            let line = try #require(
                lines.first { $0.status == row.status && $0.path == path && $0.route == row.route }, "\(row) \(lines)")
            #expect(line.client == "127.0.0.1" && line.host == "shop.example" && line.userAgent == "ua")
            #expect(line.protocol == "HTTP/1.1")
        }
        let metrics = try stage.askAdmin("/metrics").text
        #expect(metrics.contains(#"convert_requests_total{route="api",status="413",profile="mobile"} 1"#))
        #expect(metrics.contains(#"convert_requests_total{route="api",status="415",profile="mobile"} 2"#))
        #expect(metrics.contains(#"convert_requests_total{route="api",status="508",profile="mobile"} 1"#))
    }

    @Test func `a full server logs the clients that it refused`() throws {
        let server = try LiveServer(
            profiles: [:], "--max-connections", "1", "--max-connections-per-client", "0", "--loops", "1")
        let held = try server.busyClient()
        #expect(HTTPText.status(try server.get("/healthz")) == 503)
        #expect(
            waits {
                server.log.split(separator: "\n").contains {
                    $0.contains(#""client":"127.0.0.1""#) && $0.contains(#""status":503,"code":"full""#)
                }
            }, "\(server.log)")
        withExtendedLifetime(held) {}
    }

    @Test func `a log line has the server that responded, the number of attempts and their time`() throws {
        let stage = try GatewayStage(servers: { [$0.refusing, $0.servers[0]] }, "--loops", "1")
        for _ in 0..<3 { #expect(try stage.ask("GET /").status == 200) }
        let lines = try lines(stage, count: 3)
        for line in lines {
            #expect(line.upstream == "shop" && line.server == stage.backend.servers[0])
            #expect(line.upstreamMicros ?? 0 > 0)
        }
        // Round robin begins with either server. A retry takes a turn as well, so all later requests get the refusing server first.
        #expect(lines.compactMap(\.attempts).reduce(0, +) >= 5, "\(lines)")
        let metrics = try stage.askAdmin("/metrics").text
        let own = #"{upstream="shop",server="\#(stage.backend.servers[0])"}"#
        #expect(metrics.contains("convert_upstream_duration_seconds_count\(own) 3"), "\(metrics)")
        #expect(metrics.matches(of: /convert_upstream_duration_seconds_count/).count == 2)
    }

    @Test func `a retry for which there is no server is not an attempt`() throws {
        let stage = try GatewayStage(
            upstream:
                #""health": { "path": "/h", "intervalSeconds": 0.1, "timeoutSeconds": 60, "unhealthyAfter": 1 },"#)
        try stage.backend.script("/x", [.gate("x"), .close])
        let client = try stage.client()
        try client.send(HTTPText.message("GET /x", [], isLast: true))
        #expect(try stage.backend.waitsForRequests { $0.contains { $0.target == "/x" } })
        try stage.backend.script("/h", .response(500, "no"))
        #expect(waits { stage.server.log.contains("is unhealthy by its checks") }, "\(stage.server.log)")
        try stage.backend.open(gate: "x")
        #expect(try client.finalResponse().whole.text.contains(#""code":"no-server""#))
        #expect(try lines(stage, count: 1).map(\.attempts) == [1])
    }

    @Test func `failed health checks and recoveries are reported by log lines and a gauge`()
        throws
    {
        let stage = try GatewayStage(
            upstream:
                #""health": { "path": "/h", "intervalSeconds": 0.1, "timeoutSeconds": 60, "healthyAfter": 1, "unhealthyAfter": 1 },"#,
            listeners: 2)
        let bad = stage.backend.servers[0]
        func gauge() throws -> String? {
            try stage.askAdmin("/metrics").text.split(separator: "\n").first {
                $0.hasPrefix("convert_upstream_server_healthy{") && $0.contains(#"server="\#(bad)""#)
            }.map { String($0.suffix(1)) }
        }
        #expect(try waits { try gauge() == "1" })
        try stage.backend.script("/h", listener: 0, .response(500, "no"))
        #expect(try waits { try gauge() == "0" })
        let line = "the upstream `shop`: \(bad) is unhealthy by its checks and gets no requests (GET /h: status 500)"
        #expect(
            waits {
                stage.server.log.split(separator: "\n").contains {
                    $0.contains(#""level":"warning""#) && $0.contains(line)
                }
            }, "\(stage.server.log)")
        try stage.backend.script("/h", listener: 0, .response(200, "ok"))
        #expect(try waits { try gauge() == "1" })
        #expect(waits { stage.server.log.contains("\(bad) is healthy again by its checks") })
    }

    @Test func `a server with failed connections is reported by a log line and a gauge`() throws {
        let stage = try GatewayStage(servers: { [$0.refusing, $0.servers[0]] })
        for _ in 0..<12 { _ = try stage.ask("GET /") }
        #expect(waits { stage.server.log.contains("has failed 5 connections in a row") })
        let metrics = try stage.askAdmin("/metrics").text.split(separator: "\n")
        let gauges = metrics.filter { $0.hasPrefix("convert_upstream_server_healthy{") }
        #expect(gauges.map { $0.suffix(2) } == [" 0", " 1"], "\(gauges)")
    }
}
