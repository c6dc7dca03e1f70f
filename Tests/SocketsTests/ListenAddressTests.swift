import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Sockets

struct ListenAddressTests {
    @Test func `addresses are read and written in the form that clients use`() {
        let rows: [(text: String, address: ListenAddress, description: String)] = [
            ("127.0.0.1:8080", .tcp(host: "127.0.0.1", port: 8080), "http://127.0.0.1:8080"),
            ("localhost:0", .tcp(host: "localhost", port: 0), "http://localhost:0"),
            ("[::1]:65535", .tcp(host: "::1", port: 65535), "http://[::1]:65535"),
            ("[fe80::1%eth0]:80", .tcp(host: "fe80::1%eth0", port: 80), "http://[fe80::1%eth0]:80"),
            (":80", .tcp(host: "", port: 80), "http://:80"),
            ("unix:/run/a b.sock", .unix(path: "/run/a b.sock"), "unix:/run/a b.sock"),
            ("unix:/a?mode=0660", .unix(path: "/a", SocketAccess(mode: 0o660)), "unix:/a"),
            (
                "unix:/a?owner=www&group=1&mode=600",
                .unix(path: "/a", SocketAccess(mode: 0o600, owner: "www", group: "1")), "unix:/a"
            ),
            ("unix:/a?group=www&mode=600", .unix(path: "/a", SocketAccess(mode: 0o600, group: "www")), "unix:/a"),
        ]
        for row in rows {
            #expect(ListenAddress(row.text) == row.address, "\(row.text)")
            #expect(row.address.description == row.description)
        }
        for text in ["unix:/a?", "unix:?mode=0660", "unix:/a?mode=", "unix:/a?mode=0888", "unix:/a?mode=1777"] {
            #expect(ListenAddress(text) == nil, "\(text)")
        }
        for text in ["[x:y]:1", "[1:2]:1", "[%::1]:1", "[]:1", "[::1%]:1", "[::1%a]b]:1"] {
            #expect(ListenAddress(text) == nil, "\(text)")
        }
        for text in ["unix:/a?mode=0660&mode=0660", "unix:/a?group=", "unix:/a?user=www", "unix:/a?mode=0660&"] {
            #expect(ListenAddress(text) == nil, "\(text)")
        }
        for text in ["", "8080", "a:", "a:b", "a:65536", "a:-1", "a:+1", "::1:80", "[::1]", "[a]:1", "unix:"] {
            #expect(ListenAddress(text) == nil, "\(text)")
        }
    }

    @Test func `addresses overlap if the system refuses one while the other is in use`() throws {
        let rows: [(one: String, other: String, overlap: Bool)] = [
            ("127.0.0.1:80", "127.0.0.1:80", true), ("127.0.0.1:80", "127.0.0.1:81", false),
            ("127.0.0.1:80", "127.0.0.2:80", false), ("127.0.0.1:0", "127.0.0.1:0", false),
            ("0.0.0.0:80", "127.0.0.1:80", true), (":80", "127.0.0.1:80", true), (":80", "0.0.0.0:80", true),
            (":80", "[::]:80", false), ("[::]:80", "[::1]:80", true), ("[::1]:80", "[0::1]:80", true),
            ("localhost:80", "localhost:80", true), ("localhost:80", "127.0.0.1:80", false),
            ("localhost:80", "LocalHost:80", true), ("[fe80::1%a]:80", "[fe80::1%A]:80", false),
            ("unix:/a?mode=600", "unix:/a", true), ("unix:/a", "unix:/b", false), ("unix:a", ":80", false),
        ]
        for row in rows {
            let one = try #require(ListenAddress(row.one))
            let other = try #require(ListenAddress(row.other))
            #expect(one.overlaps(other) == row.overlap, "\(row)")
            #expect(other.overlaps(one) == row.overlap, "\(row)")
        }
    }

    @Test func `a name without an address is not reported as an address of another machine`() {
        #expect(
            SystemCallError(call: "getaddrinfo", number: EADDRNOTAVAIL).reason == "no address is known for this name")
        #expect(SystemCallError(call: "bind", number: EADDRNOTAVAIL).reason == "Cannot assign requested address")
    }

    @Test func `after listening has ended, connections in the queue are still accepted, and no others`() throws {
        let directory = try TemporaryDirectory()
        for address in [ListenAddress.tcp(host: "127.0.0.1", port: 0), .unix(path: "\(directory.path)/s")] {
            let (byte, nothing): ([UInt8], [UInt8]) = ([1], [])
            let isAccepted = Flag()
            let lateClient: Background
            do {
                let listener = try Listener(address)
                let boundAddress = listener.address.description.replacing("http://", with: "")
                let clients = try [RawClient(boundAddress), RawClient(boundAddress)]
                listener.closeDoor()
                // Its connect ends once the listener has closed: at once, or when the system tries again a second later.
                lateClient = Background {
                    if (try? RawClient(boundAddress)) != nil { isAccepted.value.withLock { $0 = true } }
                }
                usleep(100_000)
                for client in clients {
                    guard case .connection(let socket, _) = listener.accept() else {
                        Issue.record("a connection of the queue is lost at \(boundAddress)")
                        continue
                    }
                    let sent = socket.write(byte.span, nothing.span, nothing.span)
                    #expect(sent == .bytes(1))
                    #expect(try client.receive() == byte)
                }
                if case .connection = listener.accept() {
                    Issue.record("a later connection was accepted at \(boundAddress)")
                }
            }
            lateClient.wait()
            #expect(isAccepted.value.withLock { !$0 }, "\(address)")
        }
    }

    private final class Flag: Sendable {
        let value = Mutex(false)
    }

    @Test func `the server listens on IPv6 and Unix sockets, and replaces a stale path`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/s"
        do {
            let listener = try Listener(.unix(path: path))
            #expect(listener.address == .unix(path: path))
            #expect(throws: SystemCallError.self) { _ = try Listener(.unix(path: path)) }
        }
        // A killed server leaves a bound path at which no process listens.
        try StaleSocket.leave(at: path)
        _ = try Listener(.unix(path: path))

        guard let listener = try? Listener(.tcp(host: "::1", port: 0)) else { return }
        guard case .tcp("::1", let port) = listener.address else {
            Issue.record("not the address that was asked for: \(listener.address)")
            return
        }
        #expect(port != 0)
        let second = try Listener(.tcp(host: "::1", port: port), isShared: true)
        #expect(second.address == listener.address)
        #expect(throws: SystemCallError.self) { _ = try Listener(.tcp(host: "::1", port: port)) }
    }
}
