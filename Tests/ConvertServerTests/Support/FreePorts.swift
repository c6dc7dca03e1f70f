@testable import ConvertServer
@testable import Sockets

/// Ports of 127.0.0.1 that no program uses, for programs that cannot choose one themselves.
enum FreePorts {
    /// `count` different ports.
    static func find(_ count: Int) throws -> [UInt16] {
        // All listeners exist at the same time, so the ports differ.
        let listeners = try (0..<count).map { _ in try Listener(.tcp(host: "127.0.0.1", port: 0)) }
        return listeners.compactMap { listener in
            guard case .tcp(_, let port) = listener.address else { return nil }
            return port
        }
    }
}
