import Glibc
import Testing

@testable import Sockets

/// The errors of `accept` (accept(2)), most of which a test cannot cause.
struct ListenerTests {
    @Test func `accepting pauses when descriptors or memory run out, and continues after a lost connection`() {
        for code in [EMFILE, ENFILE, ENOBUFS, ENOMEM] {
            guard case .exhausted = Listener.failure(code) else {
                Issue.record("errno \(code)")
                continue
            }
        }
        // These include network errors of the new connection, which Linux returns from `accept`.
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
