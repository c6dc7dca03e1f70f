import HTTPWire
import Testing

/// Mistakes of the caller end the process instead of reaching the wire.
struct MisuseTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func rightUseEndsNothing() async {
        await #expect(processExitsWith: .success) {
            let peer = Peer(sending: Self.get)
            _ = peer.answer(ResponseHead(status: 599), .sized(2), ["a", "b"])
            let tunnel = Peer(sending: "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n")
            tunnel.start(ResponseHead(status: 405), .none)
        }
    }

    @Test func aResponseCannotBeStartedTwice() async {
        await #expect(processExitsWith: .failure) {
            let peer = Peer(sending: Self.get)
            peer.start(ResponseHead(status: 200), .none)
            peer.start(ResponseHead(status: 200), .none)
        }
    }

    @Test func aResponseNeedsARequest() async {
        await #expect(processExitsWith: .failure) { Peer().start(ResponseHead(status: 200), .none) }
    }

    @Test func aSizedBodyIsNeitherShorterNorLongerThanAnnounced() async {
        await #expect(processExitsWith: .failure) {
            _ = Peer(sending: Self.get).answer(ResponseHead(status: 200), .sized(2), ["a"])
        }
        await #expect(processExitsWith: .failure) {
            _ = Peer(sending: Self.get).answer(ResponseHead(status: 200), .sized(2), ["abc"])
        }
    }

    @Test func framingIsTheConnectionsOwn() async {
        await #expect(processExitsWith: .failure) {
            var head = ResponseHead(status: 200)
            head.fields.append("content-LENGTH", "5")
            Peer(sending: Self.get).start(head, .none)
        }
    }

    @Test func only200To599AreFinal() async {
        await #expect(processExitsWith: .failure) {
            Peer(sending: Self.get).start(ResponseHead(status: 103), .none)
        }
    }

    @Test func connectNeverSucceeds() async {
        await #expect(processExitsWith: .failure) {
            let peer = Peer(sending: "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n")
            peer.start(ResponseHead(status: 200), .none)
        }
    }

    @Test func nobodyGets100WhoDoesNotWaitForIt() async {
        await #expect(processExitsWith: .failure) { Peer(sending: Self.get).sendContinue() }
    }

    @Test func aFieldNameIsAToken() async {
        await #expect(processExitsWith: .failure) {
            var fields = Fields()
            fields.append("X\r\nY", "a")
        }
    }
}
