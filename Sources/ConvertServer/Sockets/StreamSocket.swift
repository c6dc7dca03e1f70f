import Glibc

/// A connected socket that never blocks.
package struct StreamSocket: ~Copyable, Sendable {
    /// How a read or a write went.
    package enum Transfer: Sendable, Equatable {
        /// So many bytes; 0 from a read is the end of what the peer sends.
        case bytes(Int)
        case wouldBlock
        /// The connection is gone.
        case failed
    }

    private let descriptor: FileDescriptor

    package var number: Int32 { descriptor.number }

    /// `descriptor` must be a stream socket with `O_NONBLOCK` set.
    package init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Reads what has come, as far as it goes into the buffer and `maxBytes`, into its beginning.
    package func read(into buffer: inout ReadBuffer, maxBytes: Int = ReadBuffer.capacity) -> Transfer {
        let capacity = min(maxBytes, ReadBuffer.capacity)
        while true {
            let count = unsafe recv(number, buffer.base, capacity, 0)
            if count >= 0 {
                buffer.setCount(count)
                return .bytes(count)
            }
            if errno != EINTR { return errno == EAGAIN ? .wouldBlock : .failed }
        }
    }

    /// What a read would find, of bytes the first; it is left to be read.
    package func peek() -> Transfer {
        var byte: UInt8 = 0
        while true {
            let count = unsafe recv(number, &byte, 1, Int32(MSG_PEEK))
            if count >= 0 { return .bytes(count) }
            if errno != EINTR { return errno == EAGAIN ? .wouldBlock : .failed }
        }
    }

    /// Writes from the front of the three pieces as much as the system takes at once.
    package func write(_ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>) -> Transfer {
        // Nearly always head and body are one piece, which is the cheaper call.
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
        unsafe bytes.withUnsafeBytes { bytes in
            while true {
                let sent = unsafe Glibc.send(number, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                if sent >= 0 { return .bytes(sent) }
                if errno != EINTR { return errno == EAGAIN ? .wouldBlock : .failed }
            }
        }
    }

    /// `writev` has no MSG_NOSIGNAL; `sendmsg` is the same call with flags.
    private func send(_ pieces: UnsafeMutablePointer<iovec>, count: Int) -> Transfer {
        var message = unsafe msghdr()
        unsafe message.msg_iov = pieces
        unsafe message.msg_iovlen = count
        while true {
            let sent = unsafe sendmsg(number, &message, Int32(MSG_NOSIGNAL))
            if sent >= 0 { return .bytes(sent) }
            if errno != EINTR { return errno == EAGAIN ? .wouldBlock : .failed }
        }
    }

    private static func piece(_ bytes: UnsafeRawBufferPointer) -> iovec {
        unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
    }

    /// What the system holds of what was written: bytes that the peer has not acknowledged or, on a local socket, an amount
    /// that goes with what it has not read. 0 where the system does not say.
    package var unsentBytes: Int {
        var count: Int32 = 0
        return unsafe ioctl(number, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    /// Tells the peer that no more will be sent.
    package func endSending() { _ = shutdown(number, Int32(SHUT_WR)) }

    /// Turns the following close into a reset. No peer takes a reset for the end of a message, and it destroys what the
    /// peer has not received yet. Unix sockets have no reset: they just close.
    package func resetWhenClosed() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    func sendWithoutDelay() {
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, size)
    }
}
