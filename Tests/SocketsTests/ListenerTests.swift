import Glibc
import Testing

@testable import Sockets

/// The errors of `accept` (accept(2)), most of which a test cannot cause.
struct ListenerTests {
    @Test func `accepting pauses when descriptors or memory run out, and continues after a lost connection`() {
        for code in [EMFILE, ENFILE, ENOBUFS, ENOMEM] {
            guard case .exhausted = Listener.failure(code) else {
                Issue.record("errno \(code)")
                continue
            }
        }
        // These include network errors of the new connection, which Linux returns from `accept`.
        for code in [ECONNABORTED, EINTR, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, ENETUNREACH] {
            guard case .lost = Listener.failure(code) else {
                Issue.record("errno \(code)")
                continue
            }
        }
        guard case .none = Listener.failure(EAGAIN) else {
            Issue.record("errno \(EAGAIN)")
            return
        }
    }

    @Test func `the system probes accepted and outgoing connections whose peers are silent`() throws {
        let listener = try Listener(.tcp(host: "127.0.0.1", port: 0))
        guard case .tcp(_, let port) = listener.address else {
            Issue.record("\(listener.address)")
            return
        }
        let address = try SocketAddress(host: "127.0.0.1", port: port)
        let client = try StreamSocket.unconnected(for: address)
        #expect(try client.connect(to: address))
        guard let server = Self.connection(of: listener) else {
            Issue.record("no connection")
            return
        }
        for number in [client.number, server.number] {
            let tcp = Int32(IPPROTO_TCP)
            for (level, option) in [(SOL_SOCKET, SO_KEEPALIVE), (tcp, TCP_NODELAY)] {
                #expect(Self.option(level, option, of: number) == 1)
            }
            #expect(Self.option(tcp, TCP_KEEPIDLE, of: number) == 60)
        }
    }

    private static func connection(of listener: Listener) -> StreamSocket? {
        for _ in 0..<1_000_000 {
            if case .connection(let socket, from: _) = listener.accept() { return socket }
        }
        return nil
    }

    private static func option(_ level: Int32, _ option: Int32, of number: Int32) -> Int32 {
        var value: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe getsockopt(number, level, option, &value, &length)
        return value
    }
}
