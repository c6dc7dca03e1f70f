import TestSupport
import Testing

struct CompileQueueServerTests {
    @Test func `the server responds to other clients while it checks a long profile`() throws {
        let server = try LiveServer("--loops", "1")
        let rules = (0..<30_000).map { "\"name\($0)\":\"n\($0)\"" }.joined(separator: ",")
        let client = try RawClient(server.address)
        try client.send(HTTPText.post("/v1/profiles/check", "{\"rename\":{\(rules)}}", isLast: true))
        // The check does not run on the loop, so these requests get responses meanwhile.
        for _ in 0..<20 { #expect(HTTPText.status(try server.get("/healthz")) == 200) }
        #expect(try client.text().contains("\"valid\":true"))
        let paths = try server.wait { log -> [String]? in
            let paths = log.matches(of: /"path":"([^"]+)"/).map { String($0.1) }
            return paths.count == 21 ? paths : nil
        }
        #expect(paths.last == "/v1/profiles/check")
    }
}
