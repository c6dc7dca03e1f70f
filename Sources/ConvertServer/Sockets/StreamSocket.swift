import Glibc

/// A connected socket that never blocks.
package struct StreamSocket: ~Copyable, Sendable {
    /// The result of a read or a write.
    package enum Transfer: Sendable, Equatable {
        /// The number of bytes. 0 from a read is the end of the peer's bytes.
        case bytes(Int)
        case wouldBlock
        /// The connection is lost.
        case failed
    }

    private let descriptor: FileDescriptor

    package var number: Int32 { descriptor.number }

    /// `descriptor` must be a stream socket with `O_NONBLOCK` set.
    package init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Reads into the beginning of the buffer, up to its capacity and `maxBytes`.
    package func read(into buffer: inout ReadBuffer, maxBytes: Int = ReadBuffer.capacity) -> Transfer {
        let (number, base) = unsafe (number, buffer.base)
        let capacity = min(maxBytes, ReadBuffer.capacity)
        let transfer = Self.transfer { unsafe recv(number, base, capacity, 0) }
        if case .bytes(let count) = transfer { buffer.setCount(count) }
        return transfer
    }

    /// The result that a read of one byte would have. The byte stays unread.
    package func peek() -> Transfer {
        let number = number
        var byte: UInt8 = 0
        return Self.transfer { unsafe recv(number, &byte, 1, Int32(MSG_PEEK)) }
    }

    /// Writes as much of the three pieces as the system accepts at once, from their beginning.
    package func write(_ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>) -> Transfer {
        // Head and body are nearly always one piece, and its call is cheaper.
        if second.isEmpty, third.isEmpty { return write(first) }
        return unsafe first.withUnsafeBytes { first in
            unsafe second.withUnsafeBytes { second in
                unsafe third.withUnsafeBytes { third in
                    var pieces = unsafe (Self.piece(first), Self.piece(second), Self.piece(third))
                    return unsafe withUnsafeMutablePointer(to: &pieces) { pointer in
                        unsafe pointer.withMemoryRebound(to: iovec.self, capacity: 3) { unsafe send($0, count: 3) }
                    }
                }
            }
        }
    }

    private func write(_ bytes: Span<UInt8>) -> Transfer {
        let number = number
        return unsafe bytes.withUnsafeBytes { bytes in
            Self.transfer { unsafe Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
        }
    }

    /// `writev` has no MSG_NOSIGNAL; `sendmsg` is the same call with flags.
    private func send(_ pieces: UnsafeMutablePointer<iovec>, count: Int) -> Transfer {
        let number = number
        var message = unsafe msghdr()
        unsafe message.msg_iov = pieces
        unsafe message.msg_iovlen = count
        return Self.transfer { unsafe sendmsg(number, &message, Int32(MSG_NOSIGNAL)) }
    }

    /// The result of a call that returns a number of bytes, or -1 with `errno` set. It is repeated if it was interrupted.
    @inline(__always)
    private static func transfer(_ call: () -> Int) -> Transfer {
        while true {
            let count = call()
            if count >= 0 { return .bytes(count) }
            if errno != EINTR { return errno == EAGAIN ? .wouldBlock : .failed }
        }
    }

    private static func piece(_ bytes: UnsafeRawBufferPointer) -> iovec {
        unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }

    /// The written bytes that the system still buffers: those that the peer has not acknowledged. For a Unix socket, it
    /// is an amount that grows with the unread bytes. 0 if the system does not report it.
    package var unsentBytes: Int {
        var count: Int32 = 0
        return unsafe ioctl(number, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    package func endSending() { _ = shutdown(number, Int32(SHUT_WR)) }

    /// Makes the following close a reset. No peer takes a reset for the end of a message. It destroys bytes that the
    /// peer has not received yet. Unix sockets have no reset: they just close.
    package func resetWhenClosed() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }
}
