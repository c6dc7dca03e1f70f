import CLinux
import Glibc

extension StreamSocket {
    /// A new socket that can `connect` to `address`.
    package static func unconnected(for address: SocketAddress) throws(SystemCallError) -> StreamSocket {
        let descriptor = try FileDescriptor(socketOf: address.family)
        if address.family != AF_UNIX { descriptor.setConnectionOptions() }
        return StreamSocket(descriptor)
    }

    /// Begins to connect without blocking. The socket becomes writable when it is connected or has failed: see
    /// `connectError`.
    ///
    /// - Returns: false if the queue of a Unix socket's listener is full. The system reports no event when that changes, so
    ///   call it again after a while.
    package func connect(to address: SocketAddress) throws(SystemCallError) -> Bool {
        let result = unsafe address.withPointer { unsafe Glibc.connect(number, $0, $1) }
        // An interrupted connect continues by itself.
        if result == 0 || errno == EINPROGRESS || errno == EINTR { return true }
        guard errno == EAGAIN, address.family == AF_UNIX else { throw SystemCallError.last("connect") }
        return false
    }

    /// The reason if connecting has failed; else nil.
    package var connectError: SystemCallError? {
        var number: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(self.number, SOL_SOCKET, SO_ERROR, &number, &length) == 0 else {
            return SystemCallError.last("getsockopt")
        }
        return number == 0 ? nil : SystemCallError(call: "connect", number: number)
    }
}
