import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPSemantics
@testable import Sockets

/// A backend and clients from other projects: nginx, curl and Python's http.client.
struct GatewayNginxTests {
    /// nginx from Debian with a directory of files, on a port that the system has chosen.
    private final class Nginx {
        struct Failure: Error { let log: String }

        let directory: TemporaryDirectory
        let port: UInt16
        private let child: pid_t
        private static let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]

        init(files: [String: String], server: String = "") throws {
            let directory = try TemporaryDirectory()
            self.directory = directory
            for (name, text) in files { _ = try directory.write(name, text) }
            let port = try FreePorts.find(1)[0]
            self.port = port
            let user = geteuid() == 0 ? "user root;" : ""
            let temporary = Self.temporary.map { "\($0)_temp_path \(directory.path)/t-\($0);" }.joined(separator: " ")
            let configuration = try directory.write(
                "nginx.conf",
                """
                \(user) daemon off; worker_processes 1; pid \(directory.path)/pid; error_log \(directory.path)/errors;
                events { worker_connections 256; }
                http {
                  access_log off; \(temporary)
                  types { application/json json; text/html html; }
                  gzip on; gzip_types application/json; gzip_min_length 100; gzip_proxied any;
                  server { listen 127.0.0.1:\(port); root \(directory.path); \(server) }
                }
                """)
            let child = try ChildProcess(
                command: "nginx", ["-e", "\(directory.path)/errors", "-c", configuration],
                input: .closed, output: .file(try directory.write("output", ""))
            ).launch()
            self.child = child
            _ = waits { (try? RawClient("127.0.0.1:\(port)")) != nil || ChildProcess.hasEnded(child) }
            if !ChildProcess.hasEnded(child) { return }
            let log = try? InputFile(path: "\(directory.path)/output").readAll(maxBytes: 10_000)
            throw Failure(log: String(decoding: log ?? [], as: UTF8.self))
        }

        deinit {
            kill(child, SIGTERM)
            _ = ChildProcess.end(child)
        }
    }

    private static let page =
        "[" + (0..<200).map { "{\"first_name\": \"Ada\", \"order_id\": \($0)}" }.joined(separator: ",\n ") + "]"
    private static let pageAfter =
        "[" + (0..<200).map { "{\"firstName\":\"Ada\",\"orderId\":\($0)}" }.joined(separator: ",") + "]"

    private func stage(_ nginx: Nginx) throws -> GatewayStage {
        try GatewayStage(
            routes:
                #"{ "match": "/api", "upstream": "shop", "stripPrefix": "/api", "response": { "profile": "mobile" } }, { "match": "/", "upstream": "shop" }"#,
            profiles: ["mobile": #"{ "keys": "camelCase" }"#],
            servers: { _ in ["http://127.0.0.1:\(nginx.port)"] })
    }

    @Test func `nginx's files arrive converted, compressed and uncompressed, and its validators work`() throws {
        let nginx = try Nginx(files: ["page.json": Self.page, "site.html": "<html></html>"])
        let stage = try stage(nginx)
        for coding in ["gzip", "deflate", "identity"] {
            let response = try stage.ask("GET /api/page.json", "Accept-Encoding: \(coding)")
            #expect(String(decoding: try response.content(), as: UTF8.self) == Self.pageAfter, "\(coding)")
            #expect(response["Content-Encoding"] == (coding == "identity" ? nil : coding))
            #expect(response["Server"]?.hasPrefix("nginx") == true)
            let tag = try #require(response["ETag"])
            let same = try stage.ask("GET /api/page.json", "Accept-Encoding: \(coding)", "If-None-Match: \(tag)")
            #expect(same.status == 304, "\(coding) \(tag)")
            #expect(same["ETag"] == tag)
        }
        #expect(try stage.ask("GET /page.json").text == Self.page)
        #expect(try stage.ask("GET /page.json", "Range: bytes=0-3").status == 206)
        #expect(try stage.ask("GET /api/page.json", "Range: bytes=0-3").text == Self.pageAfter)
        let missing = try stage.ask("GET /api/nothing")
        #expect(missing.status == 404)
        #expect(missing["Convert-Status"] == "skipped;type")
        let head = try stage.exchange(HTTPText.message("HEAD /api/page.json", isLast: true)).message
        #expect(head.status == 200 && head["Content-Length"] == nil)
    }

    @Test func `nginx's redirects point to the gateway`() throws {
        let nginx = try Nginx(
            files: [:],
            server:
                "port_in_redirect off; location /old { return 301 /new; } location /abs { return 302 http://$http_host/new; }"
        )
        let stage = try stage(nginx)
        for path in ["/api/old", "/api/abs"] {
            let location = try #require(try stage.ask("GET \(path)")["Location"])
            #expect(location == "/api/new", "\(path): \(location)")
        }
    }

    @Test func `an nginx that restarts fails no request`() throws {
        let nginx = try Nginx(files: ["page.json": "{\"a_b\":1}"], server: "keepalive_requests 2;")
        let stage = try stage(nginx)
        let client = try stage.client()
        for _ in 0..<50 {
            try client.send(HTTPText.message("GET /api/page.json"))
            #expect(try client.finalResponse().whole.text == "{\"aB\":1}")
        }
    }

    @Test func `curl gets its responses, compressed, in 1.0 and 1.1, with a body and Expect`() throws {
        let stage = try GatewayStage(
            routes:
                #"{ "match": "/", "upstream": "shop", "request": { "profile": "mobile" }, "response": { "profile": "mobile" } }"#
        )
        let coded = try PythonCoding.encode(Array(GatewayStage.ada.before.utf8), .gzip)
        try stage.backend.script(.response(200, bytes: coded, "Content-Encoding: gzip"))
        for arguments in [
            ["--compressed"], ["--http1.0"], [],
            ["-d", GatewayStage.ada.before, "-H", "Content-Type: application/json"],
            ["-H", "Expect: 100-continue", "-d", GatewayStage.ada.before, "-H", "Content-Type: application/json"],
            [
                "-H", "Transfer-Encoding: chunked", "-d", GatewayStage.ada.before, "-H",
                "Content-Type: application/json",
            ],
        ] {
            let options = ["-sS", "--max-time", "8", "-w", " %{http_code}"]
            let outcome = try ChildProcess(
                command: "curl", options + arguments + ["http://\(stage.server.address)/"]
            ).run()
            #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            #expect(outcome.text == GatewayStage.ada.after + " 200", "\(arguments)")
            if arguments.contains("-d") { #expect(try stage.backend.lastRequest().text == GatewayStage.ada.after) }
        }
    }

    @Test func `Python's client keeps its connection over many requests`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script(.response(200, GatewayStage.ada.before))
        let script = """
            import http.client, sys
            connection = http.client.HTTPConnection(sys.argv[1], timeout=8)
            for number in range(50):
                connection.request("POST" if number % 2 else "GET", "/", b"x" * number if number % 2 else None)
                response = connection.getresponse()
                assert (response.status, response.read()) == (200, b'{"fn":"Ada"}'), number
            print("good")
            """
        let outcome = try ChildProcess(command: "python3", ["-c", script, stage.server.address]).run()
        #expect(outcome.text == "good\n", "\(outcome.errors)")
    }
}
