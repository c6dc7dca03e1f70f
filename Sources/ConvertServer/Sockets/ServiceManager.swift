import Glibc

/// The program that started this one and waits for its notices, such as systemd: sd_notify(3).
package enum ServiceManager {
    package enum Notice: String {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
    }

    /// Sends a notice to the Unix socket that `NOTIFY_SOCKET` names: a path, or `@` and an abstract name. Without the
    /// variable it does nothing.
    package static func notify(_ notice: Notice) throws(SystemCallError) {
        guard let name = ProcessEnvironment.process["NOTIFY_SOCKET"], !name.isEmpty else { return }
        let address = try SocketAddress(path: name.hasPrefix("@") ? "\0\(name.dropFirst())" : name)
        let socket = try FileDescriptor(socketOf: AF_UNIX, SOCK_DGRAM, blocks: true)
        let bytes = Array(notice.rawValue.utf8)
        let isSent = unsafe address.withPointer {
            unsafe sendto(socket.number, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, $1) < 0 ? -1 : 0
        }
        guard isSent == 0 else { throw SystemCallError.last("sendto") }
    }
}
