import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Text

/// The share of the built program's connections and descriptors that one client may use.
@Suite(.serialized) struct ClientShareTests {
    private static let request = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

    /// A client that has received a response and stays connected.
    private static func idle(_ server: LiveServer, from source: String? = nil) throws -> RawClient {
        let client = try RawClient(server.address, from: source)
        try client.send(request)
        #expect(HTTPText.status(String(decoding: try client.receive(), as: UTF8.self)) == 200)
        return client
    }

    @Test func `a new client replaces the connection that was idle longest, never an active one`() throws {
        let server = try LiveServer(
            "--max-connections", "4", "--max-connections-per-client", "0", "--loops", "1")
        let busy = try server.busyClient()
        let silent = try RawClient(server.address)
        var idle: [RawClient] = []
        for _ in 0..<2 { idle.append(try Self.idle(server)) }
        // There are four connections. A new one replaces the one that was idle longest, and first the one that never sent a request.
        for gone in [silent, idle[0]] {
            idle.append(try Self.idle(server))
            #expect(try gone.receive().isEmpty)
        }
        // A new request restarts the idle time.
        try idle[1].send(Self.request)
        #expect(HTTPText.status(String(decoding: try idle[1].receive(), as: UTF8.self)) == 200)
        idle.append(try Self.idle(server))
        #expect(try idle[2].receive().isEmpty)
        // If all connections are in use, the next one is refused.
        try busy.send("[ ")
        for client in [idle[1], idle[3], idle[4]] { try client.send("GET /healthz HTTP/1.1\r\nHo") }
        let response = try RawClient(server.address).text()
        #expect(HTTPText.status(response) == 503)
        #expect(response.contains("\"code\":\"full\""))
        for client in [idle[1], idle[3], idle[4]] {
            try client.send("st: x\r\n\r\n")
            #expect(HTTPText.status(String(decoding: try client.receive(), as: UTF8.self)) == 200)
        }
        try busy.send("]")
        #expect(HTTPText.body(String(decoding: try busy.receive(), as: UTF8.self)) == "[]")
    }

    @Test func `an idle connection of admin gives way to a probe, and those of clients only to clients`() throws {
        let directory = try TemporaryDirectory()
        let admin = "unix:\(directory.path)/admin"
        let server = try LiveServer(
            "--admin", admin, "--max-connections", "2", "--max-connections-per-client", "0", "--loops", "1")
        let request = "GET /v1/profiles HTTP/1.1\r\nHost: x\r\n\r\n"
        func idle(_ address: String) throws -> RawClient {
            let client = try RawClient(address)
            try client.send(request)
            #expect(HTTPText.status(String(decoding: try client.receive(), as: UTF8.self)) == 200)
            return client
        }
        // The limit of `admin` is the same number.
        let clients = [try idle(server.address), try idle(server.address)]
        let operators = [try idle(admin), try idle(admin)]
        let probe = try idle(admin)
        #expect(try operators[0].receive().isEmpty)
        let latest = try idle(server.address)
        #expect(try clients[0].receive().isEmpty)
        for kept in [clients[1], latest, operators[1], probe] {
            try kept.send(request)
            #expect(HTTPText.status(String(decoding: try kept.receive(), as: UTF8.self)) == 200)
        }
        #expect(try BuiltProgram.run("health", environment: ["CONVERT_ADMIN": admin]).status == 0)
    }

    @Test func `one client's connections are counted together, and other clients can connect`() throws {
        let server = try LiveServer("--max-connections-per-client", "2", "--loops", "2")
        var clients = [try Self.idle(server, from: "127.0.0.2"), try Self.idle(server, from: "127.0.0.2")]
        let response = try RawClient(server.address, from: "127.0.0.2").text()
        #expect(HTTPText.status(response) == 503)
        #expect(response.contains("\"code\":\"client-full\""))
        #expect(HTTPText.field("Retry-After", response) == "1")
        for _ in 0..<2 { clients.append(try Self.idle(server, from: "127.0.0.3")) }
        // A connection that ends makes room for another.
        clients.removeFirst(2)
        let isFree = waits {
            guard let client = try? RawClient(server.address, from: "127.0.0.2") else { return false }
            try? client.send(HTTPText.post("/v1/minify", "[ ]", isLast: true))
            return (try? client.text()).map { HTTPText.status($0) == 200 } ?? false
        }
        #expect(isFree)
        withExtendedLifetime(clients) {}
    }

    @Test func `no client can use all connections by default`() throws {
        let server = try LiveServer("--max-connections", "8", "--loops", "1")
        var clients: [RawClient] = []
        for _ in 0..<6 { clients.append(try server.busyClient(from: "127.0.0.2")) }
        #expect(HTTPText.status(try RawClient(server.address, from: "127.0.0.2").text()) == 503)
        for _ in 0..<2 { clients.append(try server.busyClient(from: "127.0.0.3")) }
        withExtendedLifetime(clients) {}
    }

    @Test func `trusted proxies, Unix sockets and local programs have no limit for one client`() throws {
        let directory = try TemporaryDirectory()
        let path = "unix:\(directory.path)/socket"
        let server = try LiveServer(
            listen: ["127.0.0.1:0", path], "--max-connections-per-client", "1", "--trusted-proxies", "127.0.0.2")
        var clients: [RawClient] = []
        for _ in 0..<3 {
            clients.append(try Self.idle(server, from: "127.0.0.2"))
            clients.append(try Self.idle(server, from: "127.0.0.1"))
            let local = try RawClient(path)
            try local.send(Self.request)
            #expect(HTTPText.status(String(decoding: try local.receive(), as: UTF8.self)) == 200)
            clients.append(local)
        }
        clients.append(try Self.idle(server, from: "127.0.0.3"))
        #expect(HTTPText.status(try RawClient(server.address, from: "127.0.0.3").text()) == 503)
    }

    @Test func `a network of 64 bits is one client, and so is an IPv4 address`() {
        let rows = [
            ("2001:db8::1", "2001:db8::2", true), ("2001:db8::1", "2001:db8:0:0:ffff::", true),
            ("2001:db8::1", "2001:db8:0:1::1", false), ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1", "::ffff:192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false),
            ("0.0.0.0", "::", false),
        ]
        for (one, other, isSame) in rows {
            #expect((IPAddress(one)?.clientNetwork == IPAddress(other)?.clientNetwork) == isSame, "\(one) \(other)")
        }
    }

    @Test func `a connection that sends nothing is closed after the head timeout`() throws {
        let server = try LiveServer("--head-seconds", "1", "--keep-alive-seconds", "3600", "--loops", "1")
        let kept = try Self.idle(server)
        let silent = try RawClient(server.address)
        #expect(try silent.receive().isEmpty)
        try kept.send(Self.request)
        #expect(HTTPText.status(String(decoding: try kept.receive(), as: UTF8.self)) == 200)
    }

    @Test func `a full gateway with few descriptors logs it, and still serves admin and its routes`()
        throws
    {
        let stage = try GatewayStage(maxDescriptors: 64, "--loops", "1", "--max-connections-per-client", "0")
        #expect(waits { stage.server.log.contains("64 descriptors, ") })
        try stage.backend.script("/gated", [.gate("go")] + .response(200, "ok"))
        var clients: [RawClient] = []
        for _ in 0..<80 { clients.append(try RawClient(stage.server.address)) }
        for client in clients { try? client.send("GET /gated HTTP/1.1\r\nHost: shop.example\r\n\r\n") }
        // Each accepted client has its connection to the backend.
        #expect(try stage.backend.waitsForRequests { $0.count >= 5 })
        for _ in 0..<5 {
            for path in ["/healthz", "/metrics"] { #expect(try stage.askAdmin(path).status == 200) }
        }
        #expect(!stage.server.log.contains("upstream-unreachable"))
        try stage.backend.open(gate: "go")
    }

    @Test func `a descriptor is reserved for admin when all others are in use`() throws {
        let stage = try GatewayStage("--loops", "1", "--max-connections-per-client", "0")
        #expect(try stage.askAdmin("/healthz").status == 200)
        let open = try #require(stage.server.restingDescriptorCount())
        try stage.server.limitDescriptors(to: open + 20)
        var clients: [RawClient] = []
        for _ in 0..<60 { clients.append(try RawClient(stage.server.address)) }
        #expect(waits { (stage.server.measures.descriptorCount ?? 0) >= open + 19 })
        for _ in 0..<5 { #expect(try stage.askAdmin("/healthz").status == 200) }
        withExtendedLifetime(clients) {}
    }
}
