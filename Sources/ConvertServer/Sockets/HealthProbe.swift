import Glibc

/// One request over a blocking socket: enough HTTP to check the local server.
package struct HealthProbe {
    /// The request, and the status of a healthy server.
    package struct Question: Sendable {
        let request: String
        package let status: Int

        package static let health = Question(request: "GET /healthz", status: 200)
        /// A listener that serves only routes handles it itself.
        package static let server = Question(request: "OPTIONS *", status: 204)
    }

    /// The timeout of connecting, of sending and of each read.
    package static let maxSeconds = 3
    /// The checked bytes of the status line: `HTTP/1.1 200`.
    private static let statusLineBytes = 12

    private let address: ListenAddress
    private let question: Question

    /// Makes a probe of `address`. For an address that means "every interface", it uses the loopback interface.
    package init(_ address: ListenAddress, _ question: Question = .health) {
        self.address = address
        self.question = question
    }

    /// Whether the server responds with the status of a healthy server.
    package func isHealthy() throws(SystemCallError) -> Bool {
        let socket = try connected()
        let request = Array("\(question.request) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        let sent = unsafe request.withUnsafeBytes {
            unsafe send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == request.count else { throw SystemCallError.last("send") }
        var response: [UInt8] = []
        while response.count < Self.statusLineBytes {
            var buffer = [UInt8](repeating: 0, count: 512)
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(socket.number, $0.baseAddress, $0.count, 0)
            }
            guard count >= 0 else { throw SystemCallError.last("recv") }
            guard count > 0 else { return false }
            response += buffer[..<count]
        }
        return response.starts(with: "HTTP/1.1 \(question.status)".utf8)
    }

    /// A connected socket whose calls have a timeout. On Linux the send timeout also applies to `connect`.
    private func connected() throws(SystemCallError) -> FileDescriptor {
        let address = try socketAddress()
        let descriptor = try FileDescriptor(socketOf: address.family, blocks: true)
        let number = descriptor.number
        var timeout = timeval(tv_sec: Self.maxSeconds, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            _ = unsafe setsockopt(number, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        guard unsafe address.withPointer({ unsafe connect(number, $0, $1) }) == 0 else {
            throw SystemCallError.last("connect")
        }
        return descriptor
    }

    private func socketAddress() throws(SystemCallError) -> SocketAddress {
        switch address {
        case .tcp("", let port), .tcp("0.0.0.0", let port): try SocketAddress(host: "127.0.0.1", port: port)
        case .tcp("::", let port): try SocketAddress(host: "::1", port: port)
        case .tcp(let host, let port): try SocketAddress(host: host, port: port)
        case .unix(let path, _): try SocketAddress(path: path)
        }
    }
}
