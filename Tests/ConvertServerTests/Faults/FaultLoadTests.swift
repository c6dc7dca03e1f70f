import TestSupport
import Testing

@testable import ConvertServer

/// The built program under many clients. The limits on time are loose, since other tests share the machine.
@Suite(.serialized) struct FaultLoadTests {
    @Test func `clients that send their heads byte by byte delay no other client`() throws {
        let server = try LiveServer("--loops", "1")
        let found = try FaultClients.run("slow-heads", server, count: 200)
        #expect(try #require(found["p99_ms"]) < (FaultClients.isFull ? 50 : 250) || Sanitizer.isActive)
        #expect(!server.hasEnded)
    }

    /// The kinds of hostile clients. Each has its own address, as many connections as it gets, and works as hard as one client can.
    private static let hostile = [
        "silent", "dribbled-heads", "dribbled-bodies", "slow-readers", "growing", "costly-profiles", "long-profiles",
        "envelopes", "pipelined", "new-names", "bombs", "compressed", "many-short",
    ]
    @Test func `a normal client gets its responses beside a hostile client of each kind`() throws {
        for kind in Self.hostile {
            // The limit is low, so that one client can try to use all connections.
            let server = try LiveServer("--loops", "1", "--max-connections", "200", "--access-log", "off")
            try Self.play(kind, at: server)
        }
    }

    @Test func `a normal client behind a gateway gets its responses beside hostile ones`() throws {
        let (directory, profiles) = (try TemporaryDirectory(), try TemporaryDirectory())
        _ = try profiles.write("plain.json", "{}")
        for kind in Self.hostile {
            let backend = try LiveServer()
            let file = try directory.write(
                "convert.json",
                """
                { "listen": ["127.0.0.1:0"], "profiles": "\(profiles.path)", "loops": 1, "maxConnections": 200,
                  "accessLog": "off", "upstreams": { "u": { "servers": ["http://\(backend.address)"] } },
                  "routes": [{ "match": "/", "upstream": "u", "response": { "profile": "plain" } }] }
                """)
            // The other kinds make the backend work, and for the backend the gateway is one client.
            let isPrompt = ["silent", "dribbled-heads", "dribbled-bodies", "slow-readers", "many-short"].contains(kind)
            try Self.play(kind, at: LiveServer(configuration: file, in: directory, []), isPrompt: isPrompt)
        }
    }

    private static func play(_ kind: String, at server: LiveServer, isPrompt: Bool = true) throws {
        let found = try FaultClients.run("beside-\(kind)", server, count: FaultClients.isFull ? 150 : 30)
        #expect(try #require(found["did"]) > 0, "\(kind)")
        #expect(try #require(found["asked"]) > 0 && found["answered"] == found["asked"], "\(kind)")
        #expect(!server.hasEnded, "\(kind)")
        guard FaultClients.isFull, isPrompt else { return }
        #expect(try #require(found["p99_ms"]) < 50 || Sanitizer.isActive, "\(kind)")
    }

    @Test(.enabled(if: FaultClients.maxDescriptors > (FaultClients.isFull ? 5200 : 1200), "too few descriptors"))
    func `idle connections cost little memory and are still served`() throws {
        // With one loop, the first response shows that the server has opened all its own descriptors.
        let server = try LiveServer("--loops", "1")
        let count = FaultClients.isFull ? 5000 : 1000
        #expect(HTTPText.status(try server.get("/healthz")) == 200)
        let before = try #require(server.measures.descriptorCount)
        let found = try FaultClients.run("idle", server, count: count)
        #expect(try #require(found["descriptors"]) >= Double(count))
        #expect(try #require(found["bytes_per_connection"]) < 8 * 1024 || Sanitizer.isActive)
        #expect(waits { (server.measures.descriptorCount ?? .max) <= before })
    }

    @Test func `short connections leak no descriptors and no memory`() throws {
        let server = try LiveServer()
        let found = try FaultClients.run("short", server, count: FaultClients.isFull ? 100_000 : 2000)
        #expect(try #require(found["descriptors_after"]) <= #require(found["descriptors_before"]))
        #expect(try #require(found["growth_kb"]) < 4096 || Sanitizer.isActive)
    }

    @Test func `a response that nobody reads is buffered, then arrives whole`() throws {
        let server = try LiveServer("--max-body-bytes", "0", "--max-request-cpu-seconds", "0")
        let count = FaultClients.isFull ? 1 << 30 : 64 << 20
        let found = try FaultClients.run("unread", server, count: count)
        // The server accepts no more than the system's buffers and its own limits allow.
        #expect(try #require(found["sent_when_stuck"]) < Double(count))
        #expect(try #require(found["received"]) > Double(count))
        #expect(try #require(found["peak_kb"]) < 48 * 1024 || Sanitizer.isActive)
    }

    @Test func `SIGTERM under load loses no accepted request`() throws {
        let server = try LiveServer()
        let found = try FaultClients.run("ending", server, count: FaultClients.isFull ? 100 : 20)
        #expect(try #require(found["answered"]) > 0)
        #expect(found["lost"] == 0)
        #expect(found["cut"] == 0)
        let unanswered = server.log.split(separator: "\n").filter {
            $0.contains("\"path\":\"/v1/minify\"") && !$0.contains("\"status\":200")
        }
        #expect(unanswered.isEmpty, "\(unanswered)")
        #expect(server.exitCode() == 0)
        // The log also contains every response that a client has read.
        let logged = server.log.split(separator: "\n").count { $0.contains("\"path\":\"/v1/minify\",\"status\":200") }
        #expect(Double(logged) == found["answered", default: 0] + found["late", default: 0])
    }
}
