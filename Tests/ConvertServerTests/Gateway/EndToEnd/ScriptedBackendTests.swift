import TestSupport
import Testing

@testable import ConvertServer

/// The tools of the tests, used against each other without a gateway between them.
struct ScriptedBackendTests {
    private func client(_ backend: ScriptedBackend) throws -> GatewayClient {
        try GatewayClient(String(backend.servers[0].dropFirst("http://".count)))
    }

    @Test func `scripts are used in order, the last one repeatedly, and requests are recorded`() throws {
        let backend = try ScriptedBackend()
        try backend.script(.response(201, "one"))
        try backend.script(.chunked(["two", "three"]))
        let client = try self.client(backend)
        try client.send(HTTPText.message("POST /a?b", ["X-A: 1"], body: "payload"))
        let first = try client.finalResponse().whole
        #expect(first.status == 201 && first.text == "one")
        for _ in 0..<2 {
            try client.send(
                HTTPText.message("GET /", ["Transfer-Encoding: chunked"], body: "3\r\nabc\r\n0\r\n\r\n"))
            #expect(try client.finalResponse().whole.text == "twothree")
        }
        let requests = try backend.requests
        #expect(requests.map(\.line) == ["POST /a?b HTTP/1.1", "GET / HTTP/1.1", "GET / HTTP/1.1"])
        #expect(requests.map(\.text) == ["payload", "abc", "abc"])
        #expect(requests.map(\.connection) == [0, 0, 0])
        #expect(requests[0]["x-a"] == "1")
    }

    @Test func `cuts, resets and gates work`() throws {
        let backend = try ScriptedBackend()
        try backend.script("/cut", .chunked(["a"], isCut: true) + [.close])
        try backend.script("/reset", [.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"), .reset])
        try backend.script("/gate", [.gate("go")] + .response(200, "x", "HTTP/1.1: x"))
        for (path, ending) in [("/cut", GatewayClient.Ending.closed), ("/reset", .reset)] {
            let client = try self.client(backend)
            try client.send(HTTPText.message("GET \(path)"))
            let response = try client.finalResponse()
            #expect(!response.isWhole)
            #expect(response.ending == ending)
        }
        let client = try self.client(backend)
        try client.send(HTTPText.message("GET /gate"))
        #expect(try backend.waitsForRequests(until: { $0.count == 3 }))
        try backend.open(gate: "go")
        #expect(try client.finalResponse().whole.text == "x")
        #expect(try backend.connections.map(\.state) == [.closed, .closed, .open])
    }

    @Test func `a scripted server can refuse connections, and another never responds`() throws {
        let backend = try ScriptedBackend(listeners: 2)
        try backend.down(0)
        #expect(throws: RawClient.Failure.self) { _ = try self.client(backend) }
        try backend.up(0)
        let client = try self.client(backend)
        try client.send(HTTPText.message("GET /"))
        #expect(try client.finalResponse().whole.text == "ok")
        #expect(throws: RawClient.Failure.self) {
            _ = try RawClient(String(backend.refusing.dropFirst("http://".count)))
        }
    }
}
