import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// The built program with clients that read late, little or nothing. The system accepts megabytes for such a client at once, and does not
/// report how much of them the client reads.
@Suite(.serialized) struct SlowReaderTests {
    /// `[1,1,…,1]` with at least this number of bytes.
    private static func payload(bytes: Int) -> String { "[" + String(repeating: "1,", count: bytes / 2) + "1]" }

    /// The same with an error at its end.
    private static func malformed(bytes: Int) -> String { String(payload(bytes: bytes).dropLast()) + "}" }

    /// Waits until a response was cut off.
    private static func waitForCut(_ server: LiveServer) throws {
        _ = try server.wait { $0.contains("\"outcome\":\"aborted\"") ? true : nil }
    }

    /// Reads until the connection is reset; nil if it ends in another way.
    private static func receiveUntilReset(_ client: RawClient) -> String? {
        var received: [UInt8] = []
        while let bytes = try? client.receive() {
            if bytes.isEmpty { return nil }
            received += bytes
        }
        return String(decoding: received, as: UTF8.self)
    }

    @Test func `a response before a truncated one arrives whole, however late it is read`() throws {
        let server = try LiveServer("--commit-bytes", "1000", "--loops", "1")
        let payload = Self.payload(bytes: 400_000)
        let client = try RawClient(server.address)
        let requests =
            HTTPText.post("/v1/minify", payload) + HTTPText.post("/v1/minify", Self.malformed(bytes: 300_000))
        let sender = Background { try? client.send(requests) }
        try Self.waitForCut(server)
        // An immediate reset would by now have discarded the bytes for which the client's system had no room.
        usleep(100_000)
        let text = try #require(Self.receiveUntilReset(client))
        sender.wait()
        #expect(HTTPText.body(text) == payload)
        #expect(text.matches(of: /HTTP\/1\.1 200/).count == 2)
        #expect(!text.hasSuffix("\r\n0\r\n\r\n"))
    }

    @Test func `a connection that waits for its reset ends at the write deadline`() throws {
        let server = try LiveServer("--commit-bytes", "1000", "--loops", "1", "--write-seconds", "1")
        let before = try #require(server.restingDescriptorCount())
        let client = try RawClient(server.address, receiveBufferBytes: 4096)
        let sender = Background { try? client.send(HTTPText.post("/v1/minify", Self.malformed(bytes: 400_000))) }
        try Self.waitForCut(server)
        sender.wait()
        withExtendedLifetime(client) {
            #expect(server.restingDescriptorCount() == before + 1)
            #expect(waits { server.measures.descriptorCount == before })
        }
    }

    @Test func `a client that reads slowly but steadily keeps its connection until it stops`() throws {
        let server = try LiveServer("--write-seconds", "1", "--loops", "1")
        let payload = Self.payload(bytes: 8 * 1024 * 1024)
        for stops in [false, true] {
            let client = try RawClient(server.address, receiveBufferBytes: 64 * 1024)
            let sender = Background { try? client.send(HTTPText.post("/v1/minify", payload, isLast: true)) }
            var received: [UInt8] = []
            // 200 kB a second, for the time of three deadlines.
            while received.count < 600_000 {
                let bytes = try client.receive()
                received += bytes
                usleep(useconds_t(bytes.count * 5))
            }
            #expect(!server.log.contains("\"outcome\""))
            if stops {
                try Self.waitForCut(server)
            } else {
                received += try client.receiveAll()
                #expect(HTTPText.body(String(decoding: received, as: UTF8.self)) == payload)
            }
            sender.wait()
        }
    }
}
