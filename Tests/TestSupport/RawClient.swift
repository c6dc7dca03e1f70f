import Glibc

@testable import Sockets

/// A blocking connection that sends and receives bytes unchanged.
package final class RawClient: Sendable {
    package enum Failure: Error {
        case call(String, Int32)
        case address(String)
        /// No bytes arrived within the time limit of a call.
        case silence
    }

    private let number: Int32

    /// `address` is in the server's notation, for example `127.0.0.1:PORT`. No call takes longer than a minute, which a busy machine may
    /// need.
    /// With `source` it connects from that address of this machine, so that a server can distinguish clients.
    package init(_ address: String, receiveBufferBytes: Int32? = nil, from source: String? = nil) throws {
        let socketAddress =
            switch ListenAddress(address) {
            case .tcp(let host, let port): try SocketAddress(host: host, port: port)
            case .unix(let path, _): try SocketAddress(path: path)
            case nil: throw Failure.address(address)
            }
        number = socket(socketAddress.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard number >= 0 else { throw Failure.call("socket", errno) }
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(number, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        if var bytes = receiveBufferBytes {
            unsafe setsockopt(number, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        if let source {
            let own = try SocketAddress(host: source, port: 0)
            guard unsafe own.withPointer({ unsafe bind(number, $0, $1) }) == 0 else {
                throw Failure.call("bind", errno)
            }
        }
        guard unsafe socketAddress.withPointer({ unsafe connect(number, $0, $1) }) == 0 else {
            throw Failure.call("connect", errno)
        }
    }

    deinit { _ = close(number) }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure.call("send", errno) }
            sent += count
        }
    }

    /// Ends the sending side.
    package func endSending() { _ = shutdown(number, Int32(SHUT_WR)) }

    /// Closes with a reset when this object is released.
    package func resetWhenClosed() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    /// The next bytes that arrive, empty at the end; throws on a reset and on silence.
    package func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(number, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw errno == EAGAIN ? Failure.silence : Failure.call("recv", errno) }
        return Array(buffer[..<count])
    }

    /// All bytes up to the end.
    package func receiveAll() throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let bytes = try receive()
            if bytes.isEmpty { return all }
            all += bytes
        }
    }

    /// All bytes up to the end, as text.
    package func text() throws -> String { String(decoding: try receiveAll(), as: UTF8.self) }
}
