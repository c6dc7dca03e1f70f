import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// The built program as a server, used over sockets.
@Suite(.serialized) struct ServerTests {
    private static let mobile = ["mobile": "{\"rename\":{\"firstName\":\"fn\"}}"]

    /// `[1,1,…,1]` with at least this number of bytes.
    private static func payload(bytes: Int) -> String { "[" + String(repeating: "1,", count: bytes / 2) + "1]" }

    @Test func `a request gets a response and a log line`() throws {
        let server = try LiveServer(profiles: Self.mobile)
        let response = try server.post("/v1/convert/mobile?direction=forward", "{\"firstName\": \"Ada\"}")
        #expect(HTTPText.status(response) == 200)
        #expect(HTTPText.body(response) == "{\"fn\":\"Ada\"}")
        let line = try server.wait { log in
            log.split(separator: "\n").first { $0.contains("\"requestId\"") }.map(String.init)
        }
        #expect(line.contains("\"method\":\"POST\",\"host\":\"x\",\"path\":\"/v1/convert/mobile\",\"status\":200"))
        #expect(line.contains("\"bytesIn\":20,\"bytesOut\":12,"))
        // The request begins and ends in one turn of the loop, but its duration is never 0.
        #expect(line.contains(/"durationMicros":[1-9]/))
        #expect(line.contains("\"profile\":\"mobile\""))
        #expect(!server.log.contains("Ada") && !server.log.contains("direction"))
    }

    @Test func `pipelined requests get responses in order, sent whole or byte by byte`() throws {
        let server = try LiveServer("--loops", "1")
        let requests =
            (0..<50).map { HTTPText.post("/v1/minify", "[ \($0) ]") }.joined()
            + HTTPText.post("/v1/minify", "\"end\"", isLast: true)
        for isBytewise in [false, true] {
            let client = try RawClient(server.address)
            if isBytewise {
                for byte in requests.utf8 { try client.send([byte]) }
            } else {
                try client.send(requests)
            }
            let bodies = try client.text().matches(of: /\r\n\r\n(\[[0-9]+\]|"end")/).map { String($0.1) }
            #expect(bodies == (0..<50).map { "[\($0)]" } + ["\"end\""])
        }
    }

    @Test func `a large payload is streamed whole to a reader that starts late`() throws {
        let server = try LiveServer()
        let payload = Self.payload(bytes: 6 * 1024 * 1024)
        let client = try RawClient(server.address, receiveBufferBytes: 64 * 1024)
        let sender = Background { try? client.send(HTTPText.post("/v1/minify", payload, isLast: true)) }
        usleep(300_000)
        let response = try client.text()
        sender.wait()
        #expect(HTTPText.field("Transfer-Encoding", response) == "chunked")
        #expect(HTTPText.body(response) == payload)
    }

    @Test func `an error after the start of the response resets the connection`() throws {
        let server = try LiveServer("--commit-bytes", "1000")
        let client = try RawClient(server.address)
        let request = HTTPText.post("/v1/minify", Self.payload(bytes: 100_000).dropLast() + "}")
        try client.send(String(request.dropLast()))
        let begun = try client.receive()
        #expect(HTTPText.status(String(decoding: begun, as: UTF8.self)) == 200)
        try client.send("}")
        #expect(throws: RawClient.Failure.self) { _ = try client.receiveAll() }
        #expect(HTTPText.status(try server.get("/healthz")) == 200)
        _ = try server.wait { $0.contains("\"outcome\":\"aborted\"") ? true : nil }
    }

    @Test func `a client that is still sending can read its refusal`() throws {
        let server = try LiveServer("--max-body-bytes", "1000000")
        for (body, status) in [("{,", 400), ("", 413)] {
            let client = try RawClient(server.address)
            let rest = Self.payload(bytes: 3_000_000)
            let sender = Background { try? client.send(HTTPText.post("/v1/minify", body + rest)) }
            let response = try client.text()
            sender.wait()
            #expect(HTTPText.status(response) == (body.isEmpty ? status : 413))
            #expect(HTTPText.field("Connection", response) == "close")
        }
    }

    @Test func `a client that reads only after a long body can read its refusal`() throws {
        let server = try LiveServer("--max-body-bytes", "1000000")
        for head in ["POST /v1/minify HTTP/1.1", "PUT /healthz HTTP/1.1"] {
            let client = try RawClient(server.address)
            try client.send("\(head)\r\nHost: x\r\nContent-Length: \(32 << 20)\r\n\r\n")
            // A reset during the upload would make this throw.
            try client.send([UInt8](repeating: UInt8(ascii: " "), count: 32 << 20))
            client.endSending()
            #expect(HTTPText.status(try client.text()) == 413, "\(head)")
        }
    }

    @Test func `a client of a full server gets Retry-After`() throws {
        let server = try LiveServer("--max-connections", "1", "--max-connections-per-client", "0", "--loops", "1")
        let first = try server.busyClient()
        let response = try withExtendedLifetime(first) { try RawClient(server.address).text() }
        #expect(HTTPText.status(response) == 503)
        #expect(HTTPText.field("Retry-After", response) == "1")
        #expect(HTTPText.field("Connection", response) == "close")
        #expect(HTTPText.field("Content-Type", response) == "application/problem+json")
        let name = try #require(HTTPText.field("X-Request-Id", response))
        #expect(response.contains("\"requestId\":\"\(name)\""))
        let bytes = try #require(HTTPText.field("Content-Length", response))
        _ = try server.wait { log in
            log.split(separator: "\n").first {
                $0.contains("\"requestId\":\"\(name)\",\"client\":\"127.0.0.1\",\"status\":503,\"code\":\"full\",")
                    && $0.contains("\"bytesOut\":\(bytes),")
            }
        }
    }

    @Test func `input that is not HTTP gets one problem and a closed connection`() throws {
        let server = try LiveServer()
        let rows: [(bytes: String, status: Int)] = [
            ("\u{16}\u{3}\u{1}", 400), ("GET / HTTP/1.1\r\n\r\n", 400), ("GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            ("GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
            ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: x\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nHost: x\r\nA: \(String(repeating: "a", count: 40_000))\r\n\r\n", 431),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ]
        for row in rows {
            let response = try server.ask(row.bytes)
            #expect(HTTPText.status(response) == row.status, "\(row.bytes.prefix(40))")
            #expect(HTTPText.field("Content-Type", response) == "application/problem+json")
            #expect(HTTPText.field("Connection", response) == "close")
        }
    }

    @Test func `heads, bodies and idle connections have timeouts`() throws {
        let server = try LiveServer("--head-seconds", "1", "--body-seconds", "1", "--keep-alive-seconds", "1")
        let rows: [(sent: String, status: Int?)] = [
            ("", nil), ("GET / HT", 408), (String(HTTPText.post("/v1/minify", "[1]").dropLast()), 408),
        ]
        for row in rows {
            let client = try RawClient(server.address)
            try client.send(row.sent)
            #expect(HTTPText.status(try client.text()) == row.status, "\(row.sent)")
        }
    }

    @Test func `a peer that reads nothing loses its connection`() throws {
        let server = try LiveServer("--write-seconds", "1")
        let client = try RawClient(server.address, receiveBufferBytes: 4096)
        // More than all the system's buffers hold in both directions.
        let request = HTTPText.post("/v1/minify", "\"" + String(repeating: "a", count: 40 * 1024 * 1024) + "\"")
        let sender = Background { try? client.send(request) }
        _ = try server.wait { $0.contains("\"outcome\":\"aborted\"") ? true : nil }
        sender.wait()
        #expect(HTTPText.status(try server.get("/healthz")) == 200)
    }

    /// The system reports a Unix socket as writable only while it is nearly empty.
    @Test(arguments: [false, true])
    func `a client that sends everything before it reads gets its response soon`(isLocal: Bool) throws {
        let directory = try TemporaryDirectory()
        let server = try LiveServer(listen: [isLocal ? "unix:\(directory.path)/socket" : "127.0.0.1:0"])
        let client = try RawClient(server.address, receiveBufferBytes: 64 * 1024)
        // More than the system's buffers hold in both directions.
        let payload = "\"" + String(repeating: "a", count: 30 * 1024 * 1024) + "\""
        let start = SystemClock.monotonic()
        try client.send(HTTPText.post("/v1/minify", payload, isLast: true))
        let response = try client.text().utf8
        #expect(response.starts(with: "HTTP/1.1 200 OK\r\n".utf8) && response.count > payload.utf8.count)
        #expect(response.suffix(5).elementsEqual("0\r\n\r\n".utf8))
        // Each pause until the server checks what the client has read would take seven seconds.
        #expect(SystemClock.monotonic() < start.advanced(milliseconds: 45_000))
    }

    @Test func `profiles are read again when they change and on SIGHUP`() throws {
        let server = try LiveServer(profiles: ["broken": "{\"renme\":1}"])
        #expect(HTTPText.status(try server.get("/readyz")) == 503)
        #expect(HTTPText.status(try server.post("/v1/convert/mobile", "{}")) == 404)
        #expect(server.log.contains("broken.json: 1:2: "))
        _ = try server.profiles.write("mobile.json", "{\"rename\":{\"a\":\"b\"}}")
        #expect(try waits { HTTPText.status(try server.get("/readyz")) == 200 })
        #expect(HTTPText.body(try server.post("/v1/convert/mobile", "{\"a\":1}")) == "{\"b\":1}")
        _ = try server.profiles.write("other.json", "{\"rename\":{\"a\":\"c\"}}")
        server.signal(SIGHUP)
        #expect(try waits { HTTPText.body(try server.post("/v1/convert/other", "{\"a\":1}")) == "{\"c\":1}" })
        #expect(!server.hasEnded)
    }

    @Test func `SIGTERM finishes requests in flight, closes idle connections and exits with 0`() throws {
        for arguments in [["--loops", "1"], ["--loops", "3"]] {
            let server = try LiveServer(arguments[0], arguments[1])
            let busy = try RawClient(server.address)
            let idle = try RawClient(server.address)
            try idle.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(!(try idle.receive()).isEmpty)
            let request = HTTPText.post("/v1/minify", "[ 1 ]")
            try busy.send(String(request.dropLast()))
            _ = try server.wait { $0.contains("/healthz") ? true : nil }
            server.signal(SIGTERM)
            #expect(try idle.receive().isEmpty)
            #expect(waits { (try? RawClient(server.address)) == nil })
            #expect(!server.hasEnded)
            try busy.send("]")
            let response = try busy.text()
            #expect(HTTPText.body(response) == "[1]")
            #expect(HTTPText.field("Connection", response) == "close")
            #expect(server.exitCode() == 0)
            #expect(server.log.contains("stopping: requests in flight have up to 30 s"))
            #expect(!server.log.contains("ending: "))
        }
    }

    @Test func `the server ends at the drain's deadline or at the second signal, with a response for each request`()
        throws
    {
        for seconds in ["1", "60"] {
            let server = try LiveServer("--drain-seconds", seconds)
            let client = try server.busyClient()
            server.signal(SIGTERM)
            #expect(waits { (try? RawClient(server.address)) == nil })
            if seconds == "60" { server.signal(SIGINT) }
            #expect(server.exitCode() == 0)
            let response = try client.text()
            #expect(HTTPText.status(response) == 503)
            #expect(response.contains("\"code\":\"draining\""), "\(response)")
            #expect(HTTPText.field("Connection", response) == "close")
            #expect(HTTPText.field("Retry-After", response) == "1")
            #expect(server.log.contains("\"status\":503,\"code\":\"draining\""), "\(server.log)")
            #expect(server.log.contains("ending: requests that are not finished are cut off"))
        }
    }

    @Test func `a response that is cut off ends with a reset`() throws {
        let server = try LiveServer("--drain-seconds", "1", "--commit-bytes", "1000")
        let client = try RawClient(server.address)
        // For a client of HTTP/1.0 the end of the connection ends the response.
        try client.send(
            "POST /v1/minify HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n[")
        try client.send(String(repeating: "1, ", count: 20_000))
        #expect(HTTPText.status(String(decoding: try client.receive(), as: UTF8.self)) == 200)
        server.signal(SIGTERM)
        var thrown: RawClient.Failure?
        do {
            while try !client.receive().isEmpty {}
        } catch let error as RawClient.Failure {
            thrown = error
        }
        guard case .call("recv", ECONNRESET) = thrown else {
            Issue.record("the response ended with \(thrown.map(String.init(describing:)) ?? "a plain end")")
            return
        }
        #expect(server.exitCode() == 0)
    }

    @Test func `during the drain delay, each connection gets one response, and readiness fails`() throws {
        let server = try LiveServer("--drain-delay-seconds", "2")
        let kept = try RawClient(server.address)
        try kept.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(HTTPText.field("Connection", String(decoding: try kept.receive(), as: UTF8.self)) == nil)
        server.signal(SIGTERM)
        #expect(try waits { HTTPText.status(try server.get("/readyz")) == 503 })
        #expect(HTTPText.body(try server.post("/v1/minify", "[ ]")) == "[]")
        for client in [kept, try RawClient(server.address)] {
            try client.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(HTTPText.field("Connection", String(decoding: try client.receive(), as: UTF8.self)) == "close")
        }
        #expect(server.exitCode() == 0)
    }

    @Test func `connections beyond the limit get a response with the reason`() throws {
        let server = try LiveServer("--max-connections", "2")
        var clients = [try server.busyClient(), try server.busyClient()]
        // Without this call, optimised tests would close the connections after their last use.
        let response = try withExtendedLifetime(clients) { try server.get("/healthz") }
        #expect(HTTPText.status(response) == 503)
        clients.removeAll()
        #expect(try waits { HTTPText.status(try server.get("/healthz")) == 200 })
    }

    @Test func `an address in use ends the start with the reason`() throws {
        let server = try LiveServer()
        let path = "\(server.profiles.path)/socket"
        _ = try server.profiles.write("socket", "not a socket")
        for address in ["unix:\(path)", server.address] {
            let outcome = try BuiltProgram.run("serve", "--listen", address)
            #expect(outcome.status == ExitCode.badConfiguration.rawValue)
            #expect(outcome.errors.contains(": Address already in use"))
        }
    }
}
