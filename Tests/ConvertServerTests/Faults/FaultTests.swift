import Glibc
import Synchronization
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// The built program when its peers or its system fail.
@Suite(.serialized) struct FaultTests {
    private static let request = HTTPText.post("/v1/minify", "[ 1 ]", isLast: true)

    private func isServing(_ server: LiveServer, at address: String? = nil) throws -> Bool {
        let client = try RawClient(address ?? server.address)
        try client.send(Self.request)
        return HTTPText.body(try client.text()) == "[1]"
    }

    @Test func `a reset within a body or a response frees the memory of the connection`() throws {
        let server = try LiveServer("--commit-bytes", "1000")
        #expect(try isServing(server))
        let before = try #require(server.restingDescriptorCount())
        let rows = [
            // Within a head, within a body before any response, and within a response that has begun.
            "POST /v1/minify HTTP/1.1\r\nHo", "POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n[1",
            "POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n[\""
                + String(repeating: "a", count: 500_000),
            "POST /v1/minify HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1,2",
        ]
        for row in rows {
            for _ in 0..<20 {
                let client = try RawClient(server.address, receiveBufferBytes: 4096)
                try client.send(row)
                client.resetWhenClosed()
            }
        }
        #expect(waits { (server.measures.descriptorCount ?? .max) <= before })
        #expect(try isServing(server))
        #expect(!server.hasEnded)
    }

    @Test func `a client that closes its sending side after its request gets its response`() throws {
        let server = try LiveServer()
        let large = "[" + String(repeating: "1,", count: 2 << 20) + "1]"
        for payload in ["[1]", large] {
            let client = try RawClient(server.address)
            let sender = Background {
                try? client.send(HTTPText.post("/v1/minify", payload))
                client.endSending()
            }
            let response = try client.text()
            sender.wait()
            #expect(HTTPText.status(response) == 200)
            #expect(HTTPText.body(response) == payload)
        }
    }

    @Test func `without descriptors, accepting pauses, uses no CPU time and continues later`() throws {
        let server = try LiveServer("--loops", "1", "--head-seconds", "60")
        #expect(try isServing(server))
        _ = server.restingDescriptorCount()
        // The limit is lowered after the start, because at its start the server limits connections by its descriptors.
        try server.limitDescriptors(to: 64)
        var clients: [RawClient] = []
        // The system completes connections by itself, so there are more than the server can accept.
        for _ in 0..<100 { clients.append(try RawClient(server.address)) }
        #expect(waits { (server.measures.descriptorCount ?? 0) >= 62 })
        let before = try #require(server.measures.processorSeconds)
        usleep(1_000_000)
        let used = try #require(server.measures.processorSeconds) - before
        #expect(used < 0.3, "\(used) s of one second")
        // A client that was accepted before is still served.
        try clients[0].send(Self.request)
        #expect(HTTPText.body(try clients[0].text()) == "[1]")
        clients.removeAll()
        #expect(waits { (try? isServing(server)) == true })
        #expect(!server.hasEnded)
    }

    @Test func `a full server also responds to a client that sends everything before it reads`() throws {
        let server = try LiveServer("--max-connections", "1")
        let first = try server.busyClient()
        let body = "[" + String(repeating: "1,", count: 2 << 20) + "1]"
        for _ in 0..<5 {
            let second = try RawClient(server.address)
            try second.send(HTTPText.post("/v1/minify", body))
            second.endSending()
            let response = try second.text()
            #expect(HTTPText.status(response) == 503 && HTTPText.field("Retry-After", response) != nil)
        }
        try first.send("[1]")
        #expect(HTTPText.body(String(decoding: try first.receive(), as: UTF8.self)) == "[1]")
    }

    @Test func `clients that already wait use no descriptor that the start needs`() throws {
        for _ in 0..<3 {
            let address = "127.0.0.1:\(try FreePorts.find(1)[0])"
            let isOver = Atomic(false)
            let storm = Background {
                var clients: [RawClient] = []
                while !isOver.load(ordering: .relaxed) {
                    if let client = try? RawClient(address) { clients.append(client) } else { usleep(200) }
                    if clients.count > 300 { clients.removeFirst(150) }
                }
            }
            defer {
                isOver.store(true, ordering: .relaxed)
                storm.wait()
            }
            let server = try LiveServer(listen: [address], maxDescriptors: 96, "--loops", "8")
            usleep(100_000)
            #expect(!server.hasEnded)
        }
    }

    @Test func `clients that disconnect before they are accepted leave nothing behind`() throws {
        let server = try LiveServer("--loops", "1")
        #expect(try isServing(server))
        let before = try #require(server.restingDescriptorCount())
        server.signal(SIGSTOP)
        for number in 0..<50 {
            let client = try RawClient(server.address)
            if number % 2 == 0 { try client.send(Self.request) }
            client.resetWhenClosed()
        }
        server.signal(SIGCONT)
        #expect(try isServing(server))
        #expect(waits { server.measures.descriptorCount == before })
    }

    @Test func `a full disk under the log stops no request`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        let child = try ChildProcess(
            program: BuiltProgram.path, arguments: ["serve", "--listen", "unix:\(path)", "--loops", "1"],
            input: .closed, output: .file("/dev/full")
        ).launch()
        var ended: Int32?
        defer { if ended == nil { _ = ChildProcess.end(child) } }
        try #require(waits { (try? RawClient("unix:\(path)")) != nil })
        for _ in 0..<20 {
            let client = try RawClient("unix:\(path)")
            try client.send(Self.request)
            #expect(HTTPText.body(try client.text()) == "[1]")
        }
        #expect(!ChildProcess.hasEnded(child))
        let status = ChildProcess.end(child)
        ended = status
        #expect(status == 0)
    }

    @Test func `a Unix socket replaces a stale path and removes its own`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        try StaleSocket.leave(at: path)
        let server = try LiveServer(listen: ["unix:\(path)"], "--loops", "2")
        #expect(server.addresses == ["unix:\(path)"])
        for _ in 0..<50 { #expect(try isServing(server)) }
        // The path of a running server is not taken over.
        let outcome = try BuiltProgram.run("serve", "--listen", "unix:\(path)")
        #expect(outcome.status == ExitCode.badConfiguration.rawValue)
        #expect(try isServing(server))
        server.signal(SIGTERM)
        #expect(server.exitCode() == 0)
        #expect(unsafe access(path, F_OK) != 0)
    }

    @Test func `several listeners of all families work together and end together`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        let hasIPv6 = (try? Listener(.tcp(host: "::1", port: 0))) != nil
        var listen = ["127.0.0.1:0", "127.0.0.2:0", "unix:\(path)"]
        if hasIPv6 { listen.append("[::1]:0") } else { print("skipped: this machine has no IPv6") }
        let server = try LiveServer(listen: listen, "--loops", "2")
        #expect(server.addresses.count == listen.count)
        for address in server.addresses {
            for _ in 0..<10 { #expect(try isServing(server, at: address), "\(address)") }
        }
        #expect(server.addresses.contains { $0.hasPrefix("[::1]:") } == hasIPv6)
        server.signal(SIGTERM)
        #expect(server.exitCode() == 0)
        for address in server.addresses { #expect((try? RawClient(address)) == nil, "\(address)") }
    }
}
