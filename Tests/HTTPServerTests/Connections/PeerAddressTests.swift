import Glibc
import TestSupport
import Testing

@testable import HTTPSemantics
@testable import HTTPServer
@testable import Sockets
@testable import Text

struct PeerAddressTests {
    @Test func `the address of a client that resets before accepting is known`() throws {
        let listener = try Listener(.tcp(host: "127.0.0.1", port: 0))
        do {
            let client = try RawClient(
                listener.address.description.replacing("http://", with: ""), from: "127.0.0.7")
            try client.send("GET / HTTP/1.1\r\n")
            client.resetWhenClosed()
        }
        usleep(50_000)
        guard case .connection(_, let peer) = listener.accept() else {
            Issue.record("there is no connection")
            return
        }
        #expect(TrustedProxies.Peer(peer) == .address(try #require(IPAddress("127.0.0.7"))))
    }
}
