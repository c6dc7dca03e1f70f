import Glibc

/// One request over a blocking socket: enough HTTP to check the local server.
package struct HealthProbe {
    /// The request, and the status of a healthy server.
    package enum Question: Sendable, Hashable {
        /// `GET /healthz`
        case health
        /// `OPTIONS *`. A listener that serves only routes handles it itself.
        case server

        package var request: String {
            switch self {
            case .health: "GET /healthz"
            case .server: "OPTIONS *"
            }
        }

        package var status: Int {
            switch self {
            case .health: 200
            case .server: 204
            }
        }
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
        defer { _ = close(socket) }
        let request = Array("\(question.request) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        let sent = unsafe request.withUnsafeBytes {
            unsafe send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == request.count else { throw SystemCallError.last("send") }
        var response: [UInt8] = []
        while response.count < Self.statusLineBytes {
            var buffer = [UInt8](repeating: 0, count: 512)
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, 0) }
            guard count >= 0 else { throw SystemCallError.last("recv") }
            guard count > 0 else { return false }
            response += buffer[..<count]
        }
        return response.starts(with: "HTTP/1.1 \(question.status)".utf8)
    }

    private func connected() throws(SystemCallError) -> Int32 {
        switch address {
        case .tcp("", let port), .tcp("0.0.0.0", let port): try Self.connect(host: "127.0.0.1", port: String(port))
        case .tcp("::", let port): try Self.connect(host: "::1", port: String(port))
        case .tcp(let host, let port): try Self.connect(host: host, port: String(port))
        case .unix(let path, _): try Self.connect(path: path)
        }
    }
}

extension HealthProbe {
    private static func connect(host: String, port: String) throws(SystemCallError) -> Int32 {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, port, &hints, &found) == 0, let first = unsafe found else {
            throw SystemCallError(call: "getaddrinfo", number: EHOSTUNREACH)
        }
        defer { unsafe freeaddrinfo(first) }
        let socket = try open(family: unsafe first.pointee.ai_family)
        return try finish(
            unsafe Glibc.connect(socket, first.pointee.ai_addr, first.pointee.ai_addrlen), of: socket)
    }

    private static func connect(path: String) throws(SystemCallError) -> Int32 {
        guard path.utf8.count < maxLocalPathBytes else { throw SystemCallError(call: "connect", number: ENAMETOOLONG) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let socket = try open(family: AF_UNIX)
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(socket, $0, length)
            }
        }
        return try finish(result, of: socket)
    }

    /// The maximum length of a Unix socket's path, including its final NUL.
    private static var maxLocalPathBytes: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) }

    /// A socket whose calls have a timeout. On Linux the send timeout also applies to `connect`.
    private static func open(family: Int32) throws(SystemCallError) -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemCallError.last("socket") }
        var timeout = timeval(tv_sec: maxSeconds, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            unsafe setsockopt(descriptor, SOL_SOCKET, option, &timeout, length)
        }
        return descriptor
    }

    private static func finish(_ result: Int32, of socket: Int32) throws(SystemCallError) -> Int32 {
        guard result == 0 else {
            let error = SystemCallError.last("connect")
            _ = close(socket)
            throw error
        }
        return socket
    }
}
