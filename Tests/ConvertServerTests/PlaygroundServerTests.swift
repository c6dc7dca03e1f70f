import TestSupport
import Testing

struct PlaygroundServerTests {
    /// A build may have the page or not.
    @Test func `the built program has a page with its policy, or none`() throws {
        let server = try LiveServer()
        let client = try RawClient(server.address)
        try client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let response = try ReceivedResponse(client.receiveAll())
        guard response.status == 200 else {
            #expect(response.status == 404 && response.text.contains("make playground"))
            return
        }
        #expect(response.text.hasPrefix("<!doctype html>"))
        let policy = try #require(response["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'sha256-"))
        #expect(policy.hasSuffix("; frame-ancestors 'none'"))
        #expect(!policy.contains("connect-src") && !policy.contains("unsafe-inline") && !policy.contains("http"))
    }
}
