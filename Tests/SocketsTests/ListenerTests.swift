import Glibc
import Testing

@testable import Sockets

/// The faults of `accept` (accept(2)), most of which cannot be brought about at will.
struct ListenerTests {
    @Test func `accepting pauses when descriptors or memory run out, and continues after a lost connection`() {
        for code in [EMFILE, ENFILE, ENOBUFS, ENOMEM] {
            guard case .exhausted = Listener.failure(code) else {
                Issue.record("errno \(code)")
                continue
            }
        }
        // What Linux passes on from the network of the connection that it would have returned is among them.
        for code in [ECONNABORTED, EINTR, EPROTO, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, ENETUNREACH] {
            guard case .lost = Listener.failure(code) else {
                Issue.record("errno \(code)")
                continue
            }
        }
        guard case .none = Listener.failure(EAGAIN) else {
            Issue.record("errno \(EAGAIN)")
            return
        }
    }
}
