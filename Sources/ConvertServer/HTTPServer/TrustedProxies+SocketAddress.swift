import HTTPSemantics
import Sockets

extension TrustedProxies.Peer {
    /// A connection's other end; a nil address means a Unix socket.
    init(_ address: SocketAddress?) { self = address?.ipAddress.map { .address($0) } ?? .unix }
}
