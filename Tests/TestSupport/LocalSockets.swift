import Glibc

@testable package import Sockets

/// Two connected Unix sockets; the first is the server's.
package struct SocketPair: ~Copyable {
    package let server: StreamSocket
    private let client: FileDescriptor

    package init() throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemCallError.last("socketpair") }
        server = StreamSocket(FileDescriptor(owning: ends[0]))
        client = FileDescriptor(owning: ends[1])
    }

    /// Closes the client in both directions, as the server sees it.
    package func closeClient() { _ = shutdown(client.number, Int32(SHUT_RDWR)) }

    /// The bytes that have arrived at the client.
    package func received() -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(client.number, $0.baseAddress, $0.count, 0)
            }
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
    }

    /// Sends a text from the client.
    package func send(_ text: String) {
        var bytes = Array(text.utf8)
        unsafe bytes.withUnsafeMutableBytes {
            _ = unsafe Glibc.send(client.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }
}

/// A listener on a Unix socket whose queue has room for one connection.
package final class NarrowListener {
    private let descriptor: FileDescriptor

    package init(at path: String) throws {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(AF_UNIX, kind, 0)
        guard number >= 0 else { throw SystemCallError.last("socket") }
        descriptor = FileDescriptor(owning: number)
        let address = try SocketAddress(path: path)
        guard unsafe address.withPointer({ unsafe bind(number, $0, $1) }) == 0 else {
            throw SystemCallError.last("bind")
        }
        guard listen(number, 0) == 0 else { throw SystemCallError.last("listen") }
    }

    /// Accepts the connection in the queue.
    package func accept() throws -> StreamSocket {
        let (number, _) = SocketAddress.accept(at: descriptor.number)
        guard number >= 0 else { throw SystemCallError.last("accept") }
        return StreamSocket(FileDescriptor(owning: number))
    }
}

extension StreamSocket {
    /// A socket that connects, or is in the queue of its listener. Throws if a listener on a Unix socket has no room.
    package static func connecting(to address: SocketAddress) throws -> StreamSocket {
        let socket = try unconnected(for: address)
        guard try socket.connect(to: address) else { throw SystemCallError(call: "connect", number: EAGAIN) }
        return socket
    }
}

/// The path of a Unix socket that a server has left behind.
package enum StaleSocket {
    package static func leave(at path: String) throws {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw SystemCallError.last("socket") }
        defer { _ = close(number) }
        let address = try SocketAddress(path: path)
        guard unsafe address.withPointer({ unsafe bind(number, $0, $1) }) == 0 else {
            throw SystemCallError.last("bind")
        }
    }
}
