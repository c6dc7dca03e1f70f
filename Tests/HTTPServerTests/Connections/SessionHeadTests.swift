import HTTPServerTestSupport
import TestSupport
import Testing

@testable import Conversions
@testable import Gateway
@testable import HTTPServer

/// The memory that heads without an end take.
struct SessionHeadTests {
    private static let head = "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: " + String(repeating: "a", count: 30_000)

    @Test func `a head counts as buffered until it has a response`() throws {
        let context = HTTPContext(ServerConfiguration())
        var conversation = try Conversation(context)
        conversation.receive(Self.head)
        #expect(context.heldBytes.count > 29_000 - Reservation.stepBytes)
        conversation.receive("\r\n\r\n")
        #expect(HTTPText.status(conversation.text) == 200)
        #expect(context.heldBytes.count == 0)
        conversation.receive(Self.head)
        conversation.session.connectionLost()
    }

    @Test func `when the buffers are full, only a long head is refused`() throws {
        let context = HTTPContext(ServerConfiguration())
        context.heldBytes.add(context.configuration.gateway.maxBufferedBytes + 1)
        var conversation = try Conversation(context)
        conversation.receive(Self.head)
        #expect(HTTPText.status(conversation.text) == 503)
        #expect(conversation.text.contains("\"code\":\"buffers-full\""))
        #expect(conversation.session.closing != nil)
        var short = try Conversation(context)
        short.receive("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Sh")
        short.receive("ort: 1\r\n\r\n")
        #expect(HTTPText.status(short.text) == 200)
    }
}
